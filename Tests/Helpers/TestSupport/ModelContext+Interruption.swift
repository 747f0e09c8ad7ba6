import SwiftData
import Testing

extension ModelContext {
  /// Saves, and lets another context save after this save has begun and before it writes.
  func save(interruptedBy other: ModelContext, _ location: SourceLocation = #_sourceLocation) throws {
    let beginnings = NotificationCounter(Self.willSave, of: self)
    beginnings.action = {
      #expect(throws: Never.self, sourceLocation: location) { try other.save() }
    }
    try withExtendedLifetime(beginnings) { try save() }
  }
}
