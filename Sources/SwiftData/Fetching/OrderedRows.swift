/// Rows in an order, in parts that copies share: a change copies only the parts whose rows it changes.
struct OrderedRows: RowList {
  /// None of them is empty.
  private(set) var parts: [[RowKey]]
  /// The position at which each part begins.
  private var starts: [Int] = []
  private(set) var count = 0
  /// A Bloom filter for each part, when there are many parts. A part does not have a key whose bit is clear.
  private var sketches: [UInt64] = []

  /// The number of rows of a new part.
  private static let partSize = 256
  /// The number of words of a part's filter.
  private static let sketchSize = 16

  init(_ rows: [RowKey] = []) {
    parts = Self.parts(of: rows)
    recount(sketchingAll: true)
  }

  private static func parts(of rows: [RowKey]) -> [[RowKey]] {
    stride(from: 0, to: rows.count, by: partSize).map { Array(rows[$0..<min($0 + partSize, rows.count)]) }
  }

  private mutating func recount(sketchingAll: Bool) {
    starts.removeAll(keepingCapacity: true)
    count = 0
    for part in parts {
      starts.append(count)
      count += part.count
    }
    guard sketchingAll else { return }
    sketches = Array(repeating: 0, count: parts.count > 8 ? parts.count * Self.sketchSize : 0)
    if sketches.isEmpty { return }
    for part in parts.indices { for row in parts[part] { sketch(row.key, in: part) } }
  }

  private mutating func sketch(_ key: Int64, in part: Int) {
    if sketches.isEmpty { return }
    let (word, bit) = Self.sketchBit(of: key)
    sketches[part * Self.sketchSize + word] |= bit
  }

  private static func sketchBit(of key: Int64) -> (word: Int, bit: UInt64) {
    let hash = (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> 54
    return (Int(hash / 64), 1 << (hash % 64))
  }

  /// The part that has a position; the last one for the position after the last row.
  private func part(of position: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= position { low = middle } else { high = middle }
    }
    return low
  }

  /// A position near the middle of a nonempty range: the beginning of a part, if one begins after the range's first position.
  func middle(of range: Range<Int>) -> (position: Int, isBeginning: Bool) {
    let (first, last) = (part(of: range.lowerBound) + 1, part(of: range.upperBound - 1))
    if first > last { return ((range.lowerBound + range.upperBound) / 2, false) }
    return (starts[(first + last) / 2], true)
  }

  subscript(position: Int) -> RowKey {
    let part = part(of: position)
    return parts[part][position - starts[part]]
  }

  func rows(at positions: Range<Int>) -> [RowKey] {
    var rows: [RowKey] = []
    rows.reserveCapacity(positions.count)
    var part = positions.isEmpty ? parts.count : part(of: positions.lowerBound)
    while part < parts.count, starts[part] < positions.upperBound {
      let range = positions.clamped(to: starts[part]..<starts[part] + parts[part].count)
      rows += parts[part][range.lowerBound - starts[part]..<range.upperBound - starts[part]]
      part += 1
    }
    return rows
  }

  /// The position of a row by its key. In a long list it searches about one part in five.
  func position(of key: Int64) -> Int? {
    let (word, bit) = Self.sketchBit(of: key)
    for part in parts.indices where sketches.isEmpty || sketches[part * Self.sketchSize + word] & bit != 0 {
      let offset = parts[part].withUnsafeBufferPointer { rows in
        // A loop without branches is vectorized.
        var count = 0
        for row in rows { count &+= row.key == key ? 1 : 0 }
        return count == 0 ? nil : rows.firstIndex { $0.key == key }
      }
      if let offset { return starts[part] + offset }
    }
    return nil
  }

  /// The positions of the rows with some keys, in ascending order. Missing keys are left out.
  func positions(of keys: Set<Int64>) -> [Int] {
    if keys.count < 16 { return keys.compactMap(position).sorted() }
    var positions: [Int] = []
    visit { position, row in if keys.contains(row.key) { positions.append(position) } }
    return positions
  }

  func visit(_ body: (Int, RowKey) -> Void) {
    var position = 0
    for part in parts {
      for row in part {
        body(position, row)
        position += 1
      }
    }
  }

  // MARK: Changes

  /// - Parameter positions: In ascending order.
  mutating func remove(at positions: [Int]) {
    if positions.isEmpty { return }
    var hasEmpty = false
    for position in positions.reversed() {
      let part = part(of: position)
      parts[part].remove(at: position - starts[part])
      if parts[part].isEmpty { hasEmpty = true }
    }
    if hasEmpty { parts.removeAll(where: \.isEmpty) }
    // Many small parts are joined.
    let hasManySmall = parts.count > 8 + 4 * (count / Self.partSize)
    if hasManySmall { parts = Self.parts(of: Array(parts.joined())) }
    recount(sketchingAll: hasEmpty || hasManySmall)
  }

  /// - Parameter rows: Rows, each with the position in the unchanged list that it is inserted before, in ascending order.
  mutating func insert(_ rows: [(position: Int, row: RowKey)]) {
    if rows.isEmpty { return }
    if parts.isEmpty {
      self = Self(rows.map(\.row))
      return
    }
    var hasLarge = false
    for (position, row) in rows.reversed() {
      let part = part(of: position)
      parts[part].insert(row, at: position - starts[part])
      sketch(row.key, in: part)
      if parts[part].count > 2 * Self.partSize { hasLarge = true }
    }
    if hasLarge { parts = parts.flatMap { $0.count > 2 * Self.partSize ? Self.parts(of: $0) : [$0] } }
    recount(sketchingAll: hasLarge)
  }

  /// Removes the rows after the first `count`.
  mutating func truncate(to count: Int) {
    if count < self.count { remove(at: Array(count..<self.count)) }
  }

  mutating func replaceKeys(_ replacements: [Int64: Int64]) {
    if replacements.isEmpty { return }
    for part in parts.indices where parts[part].contains(where: { replacements[$0.key] != nil }) {
      for offset in parts[part].indices {
        guard let key = replacements[parts[part][offset].key] else { continue }
        parts[part][offset].key = key
        sketch(key, in: part)
      }
    }
  }
}

extension OrderedRows: Equatable {
  static func == (left: Self, right: Self) -> Bool {
    left.count == right.count
      && (left.parts == right.parts || left.parts.joined().elementsEqual(right.parts.joined()))
  }
}
