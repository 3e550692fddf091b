import Models

/// Looking at one's devices, naming and ending them. Client-server API, "Device Management".
extension SessionRoutes {
    func addDevices(to router: inout Router) {
        add(&router, "GET", "/devices") { try await devices($0) }
        add(&router, "GET", "/devices/{deviceId}") { try await device($0, DeviceID($1["deviceId"])) }
        add(&router, "PUT", "/devices/{deviceId}") { try await renameDevice($0, DeviceID($1["deviceId"])) }
        add(&router, "DELETE", "/devices/{deviceId}") { request, path in
            try await endDevices(request) { _ in [DeviceID(path["deviceId"])] }
        }
        add(&router, "POST", "/delete_devices") { request in
            try await endDevices(request) { body in
                guard let list = try body.list("devices") else { throw MatrixError.missingParameter("devices") }
                let ids = list.compactMap(\.string)
                guard ids.count == list.count else { throw MatrixError.badJSON("devices has to be a list of texts.") }
                return Set(ids.map { DeviceID($0) })
            }
        }
    }

    private func devices(_ request: HTTPRequest) async throws -> HTTPResponse {
        let who = try await accounts.authenticator.matrixUser(request)
        let devices = try await accounts.database.read { try SessionTable.devices(account: who.accountID, $0) }
        return .json(200, ["devices": devices.map(DeviceAnswer.init)])
    }

    private func device(_ request: HTTPRequest, _ id: DeviceID) async throws -> HTTPResponse {
        let who = try await accounts.authenticator.matrixUser(request)
        let devices = try await accounts.database.read { try SessionTable.devices(account: who.accountID, $0) }
        guard let device = devices.first(where: { $0.id == id }) else { throw Self.noDevice }
        return .json(200, DeviceAnswer(device))
    }

    private func renameDevice(_ request: HTTPRequest, _ id: DeviceID) async throws -> HTTPResponse {
        let who = try await accounts.authenticator.matrixUser(request)
        let name = try MatrixBody(request).text("display_name")
        let isKnown = try await accounts.database.write {
            try SessionTable.rename(device: id, account: who.accountID, to: name, $0)
        }
        guard isKnown else { throw Self.noDevice }
        return .emptyObject
    }

    /// Ends the sessions of devices, for who gives the password once more. Those that are not there are ended already.
    private func endDevices(
        _ request: HTTPRequest, _ devices: (MatrixBody) throws -> Set<DeviceID>
    ) async throws -> HTTPResponse {
        let who = try await accounts.authenticator.matrixUser(request)
        let body = try MatrixBody(request)
        let wanted = try devices(body)
        try await Challenge.requirePassword(in: body, of: who, from: request.remoteAddress, accounts)
        try await accounts.logout(wanted, of: who)
        return .emptyObject
    }

    private static let noDevice = MatrixError.notFound("You have no such device.")
}

private struct DeviceAnswer: Encodable {
    var device_id: DeviceID
    /// The id where no name has been given: there are clients that cannot do without one.
    var display_name: String
    var last_seen_ip: String?
    var last_seen_ts: Timestamp

    init(_ device: SessionTable.Device) {
        device_id = device.id
        display_name = device.displayName ?? device.id.raw
        last_seen_ip = device.lastSeenAddress
        last_seen_ts = device.lastSeenAt
    }
}
