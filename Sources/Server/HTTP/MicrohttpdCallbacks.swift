import CMicrohttpd
import Foundation

// The library calls these on the event thread, with the loop or an exchange as an opaque pointer. They stand outside of
// any type, so that no actor's isolation is checked in a call that comes from C.

private func loop(_ pointer: UnsafeMutableRawPointer?) -> EventLoop? {
    pointer.map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
}

/// A new peer asks to be let in.
func microhttpdAccepts(
    _ context: UnsafeMutableRawPointer?, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t
) -> MHD_Result {
    loop(context)?.accepts(address) == true ? MHD_Result.YES : MHD_Result.NO
}

func microhttpdNotifiesConnection(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ connectionContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_ConnectionNotificationCode
) {
    guard let connection else { return }
    if code == .CONNECTION_NOTIFY_STARTED {
        loop(context)?.opened(connection)
    } else {
        loop(context)?.closed(connection)
    }
}

/// The request line has been read. The answer becomes the context of the request.
func microhttpdBegins(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let loop = loop(context), let target, let connection else { return nil }
    let exchange = loop.begin(target: String(cString: target), connection)
    // The library would keep each query parameter in the connection's memory, where a hundred do not fit, and hang up
    // without a word. It parses what stands behind the question mark, in place: now, nothing. The copy is parsed here.
    if let mark = strchr(target, 0x3F) { mark[1] = 0 }
    return Unmanaged.passRetained(exchange).toOpaque()
}

/// The head has been read; or a part of the body; or the end is reached; or a suspended connection goes on.
func microhttpdHandles(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ upload: UnsafePointer<CChar>?,
    _ uploadSize: UnsafeMutablePointer<Int>?, _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let loop = loop(context), let pointer = request?.pointee, let method, let uploadSize else {
        return MHD_Result.NO
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    let chunk = UnsafeRawBufferPointer(start: upload, count: upload == nil ? 0 : uploadSize.pointee)
    uploadSize.pointee = 0
    return loop.advance(exchange, method: method, chunk: chunk) ? MHD_Result.YES : MHD_Result.NO
}

/// The request is over, whichever way.
func microhttpdCompletes(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_RequestTerminationCode
) {
    guard let pointer = request?.pointee else { return }
    request?.pointee = nil
    loop(context)?.complete(Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue())
}

/// Collects header fields into the exchange.
func microhttpdReadsHeader(
    _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
    _ value: UnsafePointer<CChar>?
) -> MHD_Result {
    guard let context, let name else { return MHD_Result.YES }
    let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    exchange.headers.append(String(cString: name), value.map { String(cString: $0) } ?? "")
    return MHD_Result.YES
}

/// Leaves the target as it came: it is decoded after splitting.
func microhttpdKeepsEscapes(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ text: UnsafeMutablePointer<CChar>?
) -> Int {
    var length = 0
    while let text, text[length] != 0 { length += 1 }
    return length
}

/// Drops the library's own messages: they speak of single connections, and peers can cause them at will.
func microhttpdLogs(
    _ context: UnsafeMutableRawPointer?, _ format: UnsafePointer<CChar>?, _ arguments: CVaListPointer?
) {}
