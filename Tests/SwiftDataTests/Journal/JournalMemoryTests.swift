import Foundation
import Testing

@testable import SwiftData

@Suite("What unsaved changes take of memory")
struct JournalMemoryTests {
  @Test("A changed model's record takes 144 bytes, and its first two entries are in it")
  func entries() throws {
    typealias UsableSize = @convention(c) (UnsafeMutableRawPointer) -> Int
    let symbol = try #require(dlsym(dlopen(nil, RTLD_NOW), "malloc_usable_size"))
    let usableSize = unsafeBitCast(symbol, to: UsableSize.self)
    let changes = ObjectChanges()
    // The model refers to it without another object in between. The allocator adds eight, and rounds up to sixteen.
    withExtendedLifetime(changes) {
      #expect(usableSize(Unmanaged.passUnretained(changes).toOpaque()) <= 152)
    }
    // What has to fit for an entry not to be allocated by itself.
    #expect(MemoryLayout<_AttributeSlot<String>>.size <= 3 * MemoryLayout<Int>.size)
    #expect(MemoryLayout<_AttributeSlot<Double?>>.size <= 3 * MemoryLayout<Int>.size)
  }
}
