import Foundation

extension String {
    /// Whether both are the same bytes: `==` asks whether they are canonically equivalent.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let isSame = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                guard let first = left.baseAddress, let second = right.baseAddress else { return true }
                return memcmp(first, second, left.count) == 0
            } ?? left.elementsEqual(other.utf8)
        }
        return isSame ?? utf8.elementsEqual(other.utf8)
    }
}
