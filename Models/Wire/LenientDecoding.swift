/// Reading what others wrote: a field that is missing or of another type is absent, never a failure of the whole.
extension KeyedDecodingContainer {
    public func lenient<Value: Decodable>(_ key: Key, as type: Value.Type = Value.self) -> Value? {
        (try? decodeIfPresent(Value.self, forKey: key)) ?? nil
    }

    /// The elements that can be read, in order; the others are passed over.
    public func lenientArray<Element: Decodable>(_ key: Key, of type: Element.Type = Element.self)
        -> [Element]
    {
        lenient(key, as: [Attempt<Element>].self)?.compactMap(\.value) ?? []
    }
}

/// An element of a list that may be unreadable without spoiling its neighbours.
private struct Attempt<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}
