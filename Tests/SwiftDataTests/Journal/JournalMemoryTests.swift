import Testing

@testable import SwiftData

@Suite("What unsaved changes take of memory")
struct JournalMemoryTests {
  @Test("The first entry of a model takes 48 bytes at most, all of them in the model's record")
  func firstEntry() {
    // The record before there was a journal had 40, and came to as much when it was allocated.
    #expect(MemoryLayout<JournalEntry?>.size <= 48)
    // What has to fit for an entry not to be allocated by itself.
    #expect(MemoryLayout<_AttributeSlot<String>>.size <= 3 * MemoryLayout<Int>.size)
    #expect(MemoryLayout<_AttributeSlot<Double?>>.size <= 3 * MemoryLayout<Int>.size)
  }
}
