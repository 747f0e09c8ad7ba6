public import Foundation

/// The identity of a context toward the stores that it reads and writes.
public struct EditingState: Identifiable, Sendable {
  public typealias ID = UUID

  public let id: UUID
  /// Who makes the changes.
  public var author: String?

  init() {
    id = UUID()
  }
}
