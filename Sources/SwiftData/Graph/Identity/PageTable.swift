/// The pages of an identity map, by number.
///
/// It is a hash table with linear probing. Numbers derive from row keys, which need no protection from chosen keys as in a
/// dictionary. An enumeration of scattered rows looks up a page for each row, and may insert one for each.
struct PageTable: ~Copyable {
  private struct Entry {
    var number: Int64
    /// Nil for an empty entry.
    var page: IdentityMap.Page?
  }

  /// The count is a power of two, and at least twice the number of pages.
  private var entries = UnsafeMutableBufferPointer<Entry>(start: nil, count: 0)
  private var count = 0
  /// The number of bits by which a hash is shifted right to get an index of an entry.
  private var shift: UInt64 = 64

  deinit {
    entries.deallocate()
  }

  func page(_ number: Int64) -> IdentityMap.Page? {
    entries.isEmpty ? nil : entries[index(of: number)].page
  }

  /// Adds a page whose number the table does not have.
  mutating func insert(_ page: IdentityMap.Page) {
    if 2 * (count + 1) > entries.count { grow() }
    let number = page.number
    entries[index(of: number)] = Entry(number: number, page: page)
    count += 1
  }

  mutating func remove(_ number: Int64) {
    guard !entries.isEmpty else { return }
    var gap = index(of: number)
    guard entries[gap].page != nil else { return }
    entries[gap].page = nil
    count -= 1
    // The entries behind the gap may have been displaced because their own index was taken.
    var index = gap
    while true {
      index = next(index)
      guard entries[index].page != nil else { return }
      let isReachable = distance(from: start(entries[index].number), to: index) < distance(from: gap, to: index)
      if isReachable { continue }
      entries.swapAt(gap, index)
      gap = index
    }
  }

  func visit(_ body: (IdentityMap.Page) -> Void) {
    for entry in entries { if let page = entry.page { body(page) } }
  }

  /// The index of the page with a number, or of the entry where it would be inserted.
  private func index(of number: Int64) -> Int {
    var index = start(number)
    while entries[index].page != nil, entries[index].number != number { index = next(index) }
    return index
  }

  /// The index where the search for a number begins: the upper bits of a product, which depend on all bits of the number.
  private func start(_ number: Int64) -> Int {
    Int(truncatingIfNeeded: (UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }

  private func next(_ index: Int) -> Int {
    (index + 1) & (entries.count - 1)
  }

  private func distance(from first: Int, to second: Int) -> Int {
    (second - first) & (entries.count - 1)
  }

  private mutating func grow() {
    let old = entries
    entries = .allocate(capacity: max(16, 2 * old.count))
    entries.initialize(repeating: Entry(number: 0, page: nil))
    shift = UInt64(64 - entries.count.trailingZeroBitCount)
    for entry in old where entry.page != nil { entries[index(of: entry.number)] = entry }
    old.deallocate()
  }
}

#if DEBUG
  extension PageTable {
    /// Descriptions of violated invariants.
    var brokenInvariants: [String] {
      var broken: [String] = []
      func check(_ isTrue: Bool, _ rule: String) { if !isTrue { broken.append("Page table: \(rule)") } }
      check(entries.isEmpty || entries.count.nonzeroBitCount == 1, "there are \(entries.count) entries")
      check(2 * count <= entries.count, "\(count) pages are too many for \(entries.count) entries")
      check(count == entries.count { $0.page != nil }, "the count is not that of the pages")
      for (index, entry) in entries.enumerated() {
        guard let page = entry.page else { continue }
        check(page.number == entry.number, "page \(page.number) is kept as \(entry.number)")
        check(self.index(of: entry.number) == index, "page \(entry.number) is not found")
      }
      return broken
    }
  }
#endif
