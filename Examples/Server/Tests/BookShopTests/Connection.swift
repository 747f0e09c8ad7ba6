import Foundation

/// A TCP connection to this machine over which a test sends bytes one part at a time.
final class Connection {
  private let socket: Int32

  /// Nil when no program listens on the port.
  init?(port: UInt16) {
    #if os(Linux)
      socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { return nil }
  }

  deinit {
    close(socket)
  }

  func send(_ text: some StringProtocol) throws {
    try handle.write(contentsOf: Data(text.utf8))
  }

  /// Returns the next bytes, empty only when the other side has closed.
  func receive() throws -> String {
    String(decoding: handle.availableData, as: UTF8.self)
  }

  /// Reads until the other side closes.
  func receiveAll() throws -> String {
    String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
  }

  private var handle: FileHandle { FileHandle(fileDescriptor: socket, closeOnDealloc: false) }
}
