public import Foundation

/// Identifies a context to the stores that it reads and writes.
public struct EditingState: Identifiable, Sendable {
  public typealias ID = UUID

  public let id: UUID
  /// The ``ModelContext/author`` of the context.
  public var author: String?

  init() {
    id = UUID()
  }
}
