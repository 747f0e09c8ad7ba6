import SwiftData
import Testing

extension ModelContext {
  /// Saves, and has another context save when this one has begun to and has written nothing yet.
  func save(interruptedBy other: ModelContext, _ location: SourceLocation = #_sourceLocation) throws {
    let beginnings = NotificationCounter(Self.willSave, of: self)
    beginnings.action = {
      #expect(throws: Never.self, sourceLocation: location) { try other.save() }
    }
    try withExtendedLifetime(beginnings) { try save() }
  }
}
