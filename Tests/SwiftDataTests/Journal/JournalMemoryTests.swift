import Foundation
import Testing

@testable import SwiftData

@Suite("What unsaved changes take of memory")
struct JournalMemoryTests {
  @Test("A changed model's record takes 80 bytes, and its first entry is in it")
  func firstEntry() throws {
    typealias UsableSize = @convention(c) (UnsafeMutableRawPointer) -> Int
    let symbol = try #require(dlsym(dlopen(nil, RTLD_NOW), "malloc_usable_size"))
    let usableSize = unsafeBitCast(symbol, to: UsableSize.self)
    let changes = ObjectChanges()
    // The record before there was a journal took as much. The allocator adds eight, and rounds up to sixteen.
    withExtendedLifetime(changes) {
      #expect(usableSize(Unmanaged.passUnretained(changes).toOpaque()) <= 88)
    }
    // What has to fit for an entry not to be allocated by itself.
    #expect(MemoryLayout<_AttributeSlot<String>>.size <= 3 * MemoryLayout<Int>.size)
    #expect(MemoryLayout<_AttributeSlot<Double?>>.size <= 3 * MemoryLayout<Int>.size)
  }
}
