import Foundation
import Support

/// Stands between a client and the server, to lose messages.
final class TestProxy: Sendable {
  private let folder: String
  private let target: String
  private let acceptor: Int32
  private let drops = Mutex(false)

  /// - Returns: Nil when the server has no socket file.
  init?() throws {
    let items = TestServer.url.flatMap(URLComponents.init(string:))?.queryItems
    guard let host = items?.first(where: { $0.name == "host" })?.value, host.hasPrefix("/") else { return nil }
    target = "\(host)/.s.PGSQL.5432"
    folder = "/tmp/proxy_\(UInt32.random(in: 0...(.max)))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    acceptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let isListening =
      Self.withAddress("\(folder)/.s.PGSQL.5432") { bind(acceptor, $0, $1) } == 0 && listen(acceptor, 8) == 0
    guard isListening else { throw POSIXError(.EADDRINUSE) }
    Thread.detachNewThread { [acceptor, weak self] in
      while case let client = accept(acceptor, nil, nil), client >= 0 { self?.serve(client) }
    }
  }

  deinit {
    shutdown(acceptor, Int32(SHUT_RDWR))
    close(acceptor)
    try? FileManager.default.removeItem(atPath: folder)
  }

  var url: String { "postgresql:///postgres?host=\(folder)&user=postgres" }

  /// Ends a connection once the server has answered the next commit, without passing the answer on.
  func dropsNextCommit() {
    drops.withLock { $0 = true }
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
    let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard Self.withAddress(target, { connect(server, $0, $1) }) == 0 else { return }
    Thread.detachNewThread { [weak self] in
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        var ends = [
          pollfd(fd: client, events: Int16(POLLIN), revents: 0), pollfd(fd: server, events: Int16(POLLIN), revents: 0),
        ]
        poll(&ends, 2, -1)
        let isRequest = ends[0].revents != 0
        let count = read(isRequest ? client : server, &buffer, buffer.count)
        if count <= 0 { break }
        let bytes = Data(buffer[..<count])
        // The name of the command in the server's answer.
        if !isRequest, bytes.range(of: Data("COMMIT".utf8)) != nil, let self {
          let isLost = self.drops.withLock { drops in
            defer { drops = false }
            return drops
          }
          if isLost { break }
        }
        _ = bytes.withUnsafeBytes { send(isRequest ? server : client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      }
      close(client)
      close(server)
    }
  }
}
