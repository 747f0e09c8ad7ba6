/// The changes between two versions of results. An application that shows a list applies them to it in one step.
///
/// The positions of removed rows, and the origins of moved rows, refer to the previous results; these rows are removed
/// first. The positions of inserted rows, and the destinations of moved rows, refer to the new results. All other rows keep their
/// order. An addition of OpenSwiftData.
public struct ResultsDifference: Sendable, Hashable {
  /// A model that is in both results, with another position relative to the others.
  public struct Move: Sendable, Hashable {
    /// The position in the previous results.
    public let from: Int
    /// The position in the new results.
    public let to: Int
  }

  /// The positions in the previous results of the removed models, in ascending order.
  public internal(set) var removed: [Int] = []
  /// The positions in the new results of the inserted models, in ascending order.
  public internal(set) var inserted: [Int] = []
  /// The models that have moved, in ascending order of the new positions.
  public internal(set) var moved: [Move] = []
  /// The positions in the new results of the models that have, or may have, other values, in ascending order.
  public internal(set) var updated: [Int] = []

  /// Whether the results are the same, and no model has other values.
  public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty }
}

extension ResultsDifference {
  /// Compares two versions of rows. Takes time in proportion to the parts that they do not share.
  ///
  /// - Parameter updated: The keys of the rows with other values.
  init(from old: OrderedRows, to new: OrderedRows, updated: Set<Int64> = []) {
    let shared = SharedParts(old, new)
    let (previous, present) = SharedParts.different(
      shared.others(of: old, shared.old), shared.others(of: new, shared.new))
    var unmatched = Dictionary(previous.map { ($0.row, $0) }, uniquingKeysWith: { first, _ in first })
    var kept: [(old: SharedParts.Other, new: SharedParts.Other)] = []
    for row in present {
      if let origin = unmatched.removeValue(forKey: row.row) {
        kept.append((origin, row))
      } else {
        inserted.append(row.position)
      }
    }
    removed = unmatched.values.map(\.position).sorted()
    // Among the rows between the same shared parts, the longest series in the same order is not moved. Rows with other
    // values are moved first.
    let between = kept.indices.filter { kept[$0].old.gap == kept[$0].new.gap }
    let others = between.filter { !updated.contains(kept[$0].new.row.key) }
    var staying = Set(Self.longestAscending(others.map { kept[$0].old.position }).map { others[$0] })
    if others.count < between.count {
      // The previous position of the next row that is not moved.
      var next = Array(repeating: Int.max, count: between.count + 1)
      for (rank, index) in between.enumerated().reversed() {
        next[rank] = staying.contains(index) ? kept[index].old.position : next[rank + 1]
      }
      var last = -1
      for (rank, index) in between.enumerated() {
        let position = kept[index].old.position
        if !staying.contains(index), last < position, position < next[rank] { staying.insert(index) }
        if staying.contains(index) { last = position }
      }
    }
    moved = kept.indices.lazy.filter { !staying.contains($0) }.map {
      Move(from: kept[$0].old.position, to: kept[$0].new.position)
    }
    if updated.isEmpty { return }
    let known = kept.filter { updated.contains($0.new.row.key) }
    let rest = updated.subtracting(known.map(\.new.row.key))
    let arrived = Set(inserted)
    self.updated = (known.map(\.new.position) + new.positions(of: rest).filter { !arrived.contains($0) }).sorted()
  }

  /// The indices of the longest ascending subsequence.
  private static func longestAscending(_ numbers: [Int]) -> [Int] {
    // The index of the smallest number with which a subsequence of each length can end.
    var ends: [Int] = []
    var previous = Array(repeating: -1, count: numbers.count)
    for index in numbers.indices {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < numbers[index] { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var series: [Int] = []
    var index = ends.last ?? -1
    while index >= 0 {
      series.append(index)
      index = previous[index]
    }
    return series.reversed()
  }
}

/// The parts that two versions of a list share, and the rows between them.
private struct SharedParts {
  struct Other {
    let row: RowKey
    let position: Int
    /// The number of shared parts before it.
    let gap: Int
  }

  /// Whether each part of each list is shared, in the same order.
  private(set) var old: [Bool]
  private(set) var new: [Bool]

  init(_ old: OrderedRows, _ new: OrderedRows) {
    self.old = Array(repeating: false, count: old.parts.count)
    self.new = Array(repeating: false, count: new.parts.count)
    var (index, other) = (0, 0)
    while index < old.parts.count, other < new.parts.count {
      let previous = Self.address(of: old.parts[index])
      if previous == Self.address(of: new.parts[other]) {
        (self.old[index], self.new[other]) = (true, true)
      } else if index + 1 < old.parts.count,
        Self.address(of: old.parts[index + 1]) == Self.address(of: new.parts[other])
      {
        // A part was removed.
        other -= 1
      } else if other + 1 < new.parts.count, previous == Self.address(of: new.parts[other + 1]) {
        // A part was added.
        index -= 1
      }
      (index, other) = (index + 1, other + 1)
    }
  }

  private static func address(of part: [RowKey]) -> UnsafePointer<RowKey>? {
    // A part is not empty. Both lists exist, so no two parts have the same address.
    part.withUnsafeBufferPointer { $0.baseAddress }
  }

  func others(of rows: OrderedRows, _ shared: [Bool]) -> [Other] {
    var others: [Other] = []
    others.reserveCapacity(zip(rows.parts, shared).reduce(0) { $1.1 ? $0 : $0 + $1.0.count })
    var (position, gap) = (0, 0)
    for (index, part) in rows.parts.enumerated() {
      if shared[index] {
        gap += 1
        position += part.count
        continue
      }
      for row in part {
        others.append(Other(row: row, position: position, gap: gap))
        position += 1
      }
    }
    return others
  }

  /// The rows between the same shared parts, without equal rows at the beginning and the end.
  static func different(_ old: [Other], _ new: [Other]) -> (old: [Other], new: [Other]) {
    var (oldRows, rows): ([Other], [Other]) = ([], [])
    var (index, other) = (0, 0)
    while index < old.count || other < new.count {
      let gap = min(index < old.count ? old[index].gap : .max, other < new.count ? new[other].gap : .max)
      let end = old[index...].firstIndex { $0.gap != gap } ?? old.count
      let otherEnd = new[other...].firstIndex { $0.gap != gap } ?? new.count
      var (last, otherLast) = (end, otherEnd)
      while index < last, other < otherLast, old[index].row == new[other].row {
        (index, other) = (index + 1, other + 1)
      }
      while last > index, otherLast > other, old[last - 1].row == new[otherLast - 1].row {
        (last, otherLast) = (last - 1, otherLast - 1)
      }
      oldRows += old[index..<last]
      rows += new[other..<otherLast]
      (index, other) = (end, otherEnd)
    }
    return (oldRows, rows)
  }
}
