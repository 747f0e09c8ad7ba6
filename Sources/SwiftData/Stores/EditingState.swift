public import Foundation

/// Identifies a context to the stores that it reads and writes.
public struct EditingState: Identifiable, Sendable {
  public typealias ID = UUID

  public let id: UUID
  /// The ``ModelContext/author`` of the context.
  public var author: String?

  init() {
    id = .random()
  }
}

extension UUID {
  /// A random identifier. Foundation's initializer is slow for each context, because it opens a device.
  fileprivate static func random() -> UUID {
    // The bits of the version and the variant (RFC 9562, version 4).
    let upper = UInt64.random(in: .min ... .max) & ~0xF000 | 0x4000
    let lower = UInt64.random(in: .min ... .max) & (.max >> 2) | 1 << 63
    return withUnsafeBytes(of: (upper.bigEndian, lower.bigEndian)) { UUID(uuid: $0.load(as: uuid_t.self)) }
  }
}
