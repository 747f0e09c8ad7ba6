import Foundation
import Hummingbird

/// One event of an event stream, as text.
struct ServerSentEvent: Sendable {
  /// Keeps a connection alive, and detects a closed one.
  static let heartbeat = ServerSentEvent(text: ":\n\n")

  let text: String

  private init(text: String) {
    self.text = text
  }

  /// - Parameter id: The identifier that a reconnecting page sends for its last event. JSON has no line ends, so data is one
  ///   line.
  init(_ name: String, id: String, _ data: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let json = String(decoding: try encoder.encode(data), as: UTF8.self)
    text = "id: \(id)\nevent: \(name)\ndata: \(json)\n\n"
  }
}
