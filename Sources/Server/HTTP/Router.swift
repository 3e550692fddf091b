/// Finds the handler of a request by method and path.
///
/// A pattern is a path whose parts in braces stand for any one part: `/rooms/{roomId}/send/{type}/{txnId}`. Parts given
/// literally win over parts in braces. An empty last part also matches where it is left out, as a state key may be.
struct Router: HTTPHandler {
    typealias Handler = @Sendable (HTTPRequest, PathParameters) async throws -> HTTPResponse

    private struct Route: Sendable {
        var names: [String]
        var handler: Handler
    }

    private final class Node: Sendable {
        let literal: [String: Node]
        let wildcard: Node?
        let routes: [String: Route]

        init(literal: [String: Node] = [:], wildcard: Node? = nil, routes: [String: Route] = [:]) {
            self.literal = literal
            self.wildcard = wildcard
            self.routes = routes
        }

        func adding(_ parts: ArraySlice<Substring>, _ method: String, _ route: Route) -> Node {
            guard let part = parts.first else {
                return Node(
                    literal: literal, wildcard: wildcard, routes: routes.merging([method: route]) { $1 })
            }
            let rest = parts.dropFirst()
            if part.hasPrefix("{") {
                let next = (wildcard ?? Node()).adding(rest, method, route)
                return Node(literal: literal, wildcard: next, routes: routes)
            }
            let next = (literal[String(part)] ?? Node()).adding(rest, method, route)
            return Node(
                literal: literal.merging([String(part): next]) { $1 }, wildcard: wildcard, routes: routes)
        }
    }

    private var root = Node()
    /// All that has been added, in that order.
    private(set) var table: [(method: String, pattern: String)] = []

    init() {}

    /// `pattern` begins with `/`.
    mutating func add(_ method: String, _ pattern: String, _ handler: @escaping Handler) {
        let parts = pattern.split(separator: "/")
        let names = parts.filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
        table.append((method, pattern))
        root = root.adding(parts[...], method, Route(names: names, handler: handler))
    }

    /// Adds a route of the Matrix client-server API under both of the prefixes that clients use; `pattern` is what
    /// follows `/_matrix/client/v3`.
    mutating func addMatrix(_ method: String, _ pattern: String, _ handler: @escaping Handler) {
        for version in ["r0", "v3"] { add(method, "/_matrix/client/\(version)\(pattern)", handler) }
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        var values: [String] = []
        var fallback: [String: Route] = [:]
        let segments = request.segments[...]
        let method = request.method == "HEAD" ? "GET" : request.method
        guard let route = find(root, segments, method, &values, &fallback) else {
            if fallback.isEmpty { return Self.notFound(request) }
            return Self.wrongMethod(request, allowed: fallback.keys.sorted())
        }
        let pairs = zip(route.names, values).map { ($0, $1) }
        do {
            return try await route.handler(
                request, PathParameters(values: Dictionary(pairs) { first, _ in first }))
        } catch let error as any ResponseError {
            return error.response
        } catch let error as DatabaseError {
            let status = error == .closed ? 503 : 500
            return Self.failure(status, "M_UNKNOWN", error.description, request.isMatrix)
        } catch {
            return Self.internalFault(request)
        }
    }

    private func find(
        _ node: Node, _ segments: ArraySlice<String>, _ method: String, _ values: inout [String],
        _ fallback: inout [String: Route]
    ) -> Route? {
        guard let segment = segments.first else {
            if let route = node.routes[method] { return route }
            fallback.merge(node.routes) { first, _ in first }
            return nil
        }
        let rest = segments.dropFirst()
        if let next = node.literal[segment], let route = find(next, rest, method, &values, &fallback) {
            return route
        }
        guard let next = node.wildcard else { return nil }
        values.append(segment)
        if let route = find(next, rest, method, &values, &fallback) { return route }
        values.removeLast()
        return nil
    }
}

/// The values that the parts in braces of a pattern stand for, decoded.
struct PathParameters: Sendable {
    private let values: [String: String]

    init(values: [String: String]) { self.values = values }

    /// Empty where the pattern has no such part.
    subscript(name: String) -> String { values[name] ?? "" }
}

extension Router {
    static func notFound(_ request: HTTPRequest) -> HTTPResponse {
        failure(404, "M_UNRECOGNIZED", "There is nothing at this address.", request.isMatrix)
    }

    static func wrongMethod(_ request: HTTPRequest, allowed: [String]) -> HTTPResponse {
        var response = failure(
            405, "M_UNRECOGNIZED", "This address does not take \(request.method).", request.isMatrix)
        response.headers.append(("Allow", allowed.joined(separator: ", ")))
        return response
    }

    static func internalFault(_ request: HTTPRequest) -> HTTPResponse {
        failure(
            500, "M_UNKNOWN", "Something went wrong inside the server; nothing was changed. Try again.",
            request.isMatrix)
    }

    /// A failure in the form of the API that the path belongs to.
    static func failure(_ status: Int, _ code: String, _ message: String, _ isMatrix: Bool) -> HTTPResponse {
        isMatrix
            ? MatrixError(status, code, message).response
            : .json(status, ["message": message])
    }
}
