import Foundation
import Testing

@testable import SwiftData

@Suite("Memory of unsaved changes")
struct JournalMemoryTests {
  @Test("The change record of a model takes 144 bytes and contains its first two entries")
  func entries() throws {
    typealias UsableSize = @convention(c) (UnsafeMutableRawPointer) -> Int
    let symbol = try #require(dlsym(dlopen(nil, RTLD_NOW), "malloc_usable_size"))
    let usableSize = unsafeBitCast(symbol, to: UsableSize.self)
    let changes = ObjectChanges()
    // The model refers to the record without another object in between. The allocator adds eight bytes and rounds up to
    // sixteen.
    withExtendedLifetime(changes) {
      #expect(usableSize(Unmanaged.passUnretained(changes).toOpaque()) <= 152)
    }
    // An attribute's entry must fit in three words to be stored without an allocation.
    #expect(MemoryLayout<_AttributeSlot<String>>.size <= 3 * MemoryLayout<Int>.size)
    #expect(MemoryLayout<_AttributeSlot<Double?>>.size <= 3 * MemoryLayout<Int>.size)
  }
}
