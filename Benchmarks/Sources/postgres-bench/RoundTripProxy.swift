import Foundation
import Synchronization

/// Stands between a client and the server, and counts how often the client sends something after an answer.
final class RoundTripProxy: Sendable {
  let url: String
  private let folder: String
  private let server: String
  private let entrance: Int32
  /// By connection.
  private let counts = Mutex<[Int]>([])

  /// - Returns: Nil when the server has no socket in the file system.
  init?(_ url: String) throws {
    guard var components = URLComponents(string: url),
      let host = components.queryItems?.first(where: { $0.name == "host" })?.value, host.hasPrefix("/")
    else { return nil }
    let port = components.queryItems?.first { $0.name == "port" }?.value ?? "5432"
    server = "\(host)/.s.PGSQL.\(port)"
    let folder = NSTemporaryDirectory() + "bench_proxy_\(ProcessInfo.processInfo.processIdentifier)"
    self.folder = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    components.queryItems = components.queryItems?.map { item in
      item.name == "host" ? URLQueryItem(name: "host", value: folder) : item
    }
    self.url = components.string ?? url
    entrance = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let path = "\(folder)/.s.PGSQL.\(port)"
    unlink(path)
    guard Self.withAddress(path, { bind(entrance, $0, $1) }) == 0, listen(entrance, 8) == 0 else {
      throw Failure("The proxy cannot listen in \(folder).")
    }
    Thread.detachNewThread { [entrance, weak self] in
      while case let client = accept(entrance, nil, nil), client >= 0 { self?.serve(client) }
    }
  }

  deinit {
    shutdown(entrance, Int32(SHUT_RDWR))
    close(entrance)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The round trips while `body` runs, of the connection that has most of them: another one may carry notices.
  func roundTrips(_ body: () throws -> Void) rethrows -> Int {
    let before = counts.withLock { $0 }
    try body()
    let after = counts.withLock { $0 }
    return after.enumerated().map { $1 - (before.indices.contains($0) ? before[$0] : 0) }.max() ?? 0
  }

  private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  private func serve(_ client: Int32) {
    let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard Self.withAddress(server, { connect(upstream, $0, $1) }) == 0 else { return }
    let connection = counts.withLock { counts in
      counts.append(0)
      return counts.count - 1
    }
    Thread.detachNewThread { [weak self] in
      var isClientsTurn = true
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        var ends = [client, upstream].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&ends, 2, -1)
        // What the client has sent goes first: it may have sent it in parts, before any answer.
        let isRequest = ends[0].revents != 0
        let length = read(isRequest ? client : upstream, &buffer, buffer.count)
        if length <= 0 { break }
        if isRequest, isClientsTurn { self?.counts.withLock { $0[connection] += 1 } }
        isClientsTurn = !isRequest
        var sent = 0
        while sent < length {
          let part = buffer.withUnsafeBytes { bytes in
            send(isRequest ? upstream : client, bytes.baseAddress.map { $0 + sent }, length - sent, Int32(MSG_NOSIGNAL))
          }
          if part <= 0 { break }
          sent += part
        }
      }
      close(client)
      close(upstream)
    }
  }
}
