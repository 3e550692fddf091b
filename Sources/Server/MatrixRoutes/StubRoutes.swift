import Models

/// Answers that keep clients content which ask for what this server does not do: pushes, encryption and media.
extension ChatRoutes {
    func addStubs(to router: inout Router) {
        add(&router, "GET", "/pushrules") { _ in .json(200, data: .init(PushRules.json.utf8)) }
        add(&router, "GET", "/pushrules/global") { _ in
            .json(200, data: RawObject(trusted: Array(PushRules.json.utf8)).value["global"]?.serialized() ?? .init())
        }
        add(&router, "GET", "/pushers") { _ in
            .object { buffer in
                buffer.name("pushers")
                buffer.array { _ in }
            }
        }
        addKeys(to: &router)
        add(&router, "PUT", "/sendToDevice/{type}/{txnId}") { call in
            _ = try call.body().requiredObject("messages")
            return .emptyObject
        }
        for path in ["/_matrix/media/v3/config", "/_matrix/media/r0/config", "/_matrix/client/v1/media/config"] {
            router.add("GET", path) { request, _ in
                _ = try await authenticator.matrixUser(request)
                return .object { $0.member("m.upload.size", 0) }
            }
        }
    }

    private func addKeys(to router: inout Router) {
        add(&router, "POST", "/keys/upload") { call in
            let keys = try call.body().object("one_time_keys")?.fields ?? [:]
            return .object { buffer in
                buffer.name("one_time_key_counts")
                buffer.object { $0.member("signed_curve25519", keys.count) }
            }
        }
        add(&router, "POST", "/keys/query") { call in
            let people = try call.body().requiredObject("device_keys").fields
            return .object { buffer in
                buffer.name("device_keys")
                buffer.object { buffer in
                    for person in people.keys.sorted() {
                        buffer.name(person)
                        buffer.object { _ in }
                    }
                }
                buffer.name("failures")
                buffer.object { _ in }
            }
        }
        add(&router, "POST", "/keys/claim") { call in
            _ = try call.body().requiredObject("one_time_keys")
            return .json(200, ["one_time_keys": [:], "failures": [:]] as JSONValue)
        }
        add(&router, "GET", "/room_keys/version") { _ in
            throw MatrixError.notFound("This server keeps no backup of keys.")
        }
    }
}
