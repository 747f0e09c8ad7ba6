/// How results have become others: an application that shows a list makes these changes to it, all at once.
///
/// The positions of removed and moved rows are those in the former results; these rows are taken out first. The positions
/// of inserted rows, and those that rows move to, are those in the new results. Rows that are neither keep their order. An
/// addition of OpenSwiftData.
public struct ResultsDifference: Sendable, Hashable {
  /// A model that is in both results, at another place among the others.
  public struct Move: Sendable, Hashable {
    /// The position in the former results.
    public let from: Int
    /// The position in the new results.
    public let to: Int
  }

  /// The positions in the former results of the models that are gone, in ascending order.
  public internal(set) var removed: [Int] = []
  /// The positions in the new results of the models that have come, in ascending order.
  public internal(set) var inserted: [Int] = []
  /// The models that have moved, in ascending order of the new positions.
  public internal(set) var moved: [Move] = []
  /// The positions in the new results of the models that were there and have other values, or may have, in ascending order.
  public internal(set) var updated: [Int] = []

  /// Whether the results are the same, and no model has other values.
  public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty }
}

extension ResultsDifference {
  /// Compares rows with those that they came from. Takes time in proportion to the parts that both do not share.
  ///
  /// - Parameter updated: The keys of the rows with other values.
  init(from old: OrderedRows, to new: OrderedRows, updated: Set<Int64> = []) {
    let shared = SharedParts(old, new)
    let (previous, present) = SharedParts.different(
      shared.others(of: old, shared.old), shared.others(of: new, shared.new))
    var places = Dictionary(previous.map { ($0.row, $0) }, uniquingKeysWith: { first, _ in first })
    var kept: [(old: SharedParts.Other, new: SharedParts.Other)] = []
    for row in present {
      if let place = places.removeValue(forKey: row.row) {
        kept.append((place, row))
      } else {
        inserted.append(row.position)
      }
    }
    removed = places.values.map(\.position).sorted()
    // Of those between the same shared parts, the longest series that is in the same order stays where it is. What has other
    // values is the first to have moved.
    let between = kept.indices.filter { kept[$0].old.gap == kept[$0].new.gap }
    let others = between.filter { !updated.contains(kept[$0].new.row.key) }
    var staying = Set(Self.longestAscending(others.map { kept[$0].old.position }).map { others[$0] })
    if others.count < between.count {
      // The former position of the next one that stays.
      var next = Array(repeating: Int.max, count: between.count + 1)
      for (index, place) in between.enumerated().reversed() {
        next[index] = staying.contains(place) ? kept[place].old.position : next[index + 1]
      }
      var last = -1
      for (index, place) in between.enumerated() {
        let position = kept[place].old.position
        if !staying.contains(place), last < position, position < next[index] { staying.insert(place) }
        if staying.contains(place) { last = position }
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

  /// The places of the longest series of numbers in ascending order.
  private static func longestAscending(_ numbers: [Int]) -> [Int] {
    // The place of the smallest number that a series of each length can end with.
    var ends: [Int] = []
    var previous = Array(repeating: -1, count: numbers.count)
    for place in numbers.indices {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < numbers[place] { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[place] = ends[low - 1] }
      if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var series: [Int] = []
    var place = ends.last ?? -1
    while place >= 0 {
      series.append(place)
      place = previous[place]
    }
    return series.reversed()
  }
}

/// The parts that two lists share, of which one came from the other, and the rows between them.
private struct SharedParts {
  struct Other {
    let row: RowKey
    let position: Int
    /// How many shared parts come before it.
    let gap: Int
  }

  /// Which parts of each list are shared, in the same order.
  private(set) var old: [Bool]
  private(set) var new: [Bool]

  init(_ old: OrderedRows, _ new: OrderedRows) {
    self.old = Array(repeating: false, count: old.parts.count)
    self.new = Array(repeating: false, count: new.parts.count)
    var (place, other) = (0, 0)
    while place < old.parts.count, other < new.parts.count {
      let previous = Self.address(of: old.parts[place])
      if previous == Self.address(of: new.parts[other]) {
        (self.old[place], self.new[other]) = (true, true)
      } else if place + 1 < old.parts.count,
        Self.address(of: old.parts[place + 1]) == Self.address(of: new.parts[other])
      {
        // A part is gone.
        other -= 1
      } else if other + 1 < new.parts.count, previous == Self.address(of: new.parts[other + 1]) {
        // One has come.
        place -= 1
      }
      (place, other) = (place + 1, other + 1)
    }
  }

  private static func address(of part: [RowKey]) -> UnsafePointer<RowKey>? {
    // A part is not empty. Both lists are alive, so no two parts are at the same address.
    part.withUnsafeBufferPointer { $0.baseAddress }
  }

  func others(of rows: OrderedRows, _ shared: [Bool]) -> [Other] {
    var others: [Other] = []
    others.reserveCapacity(zip(rows.parts, shared).reduce(0) { $1.1 ? $0 : $0 + $1.0.count })
    var (position, gap) = (0, 0)
    for (place, part) in rows.parts.enumerated() {
      if shared[place] {
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

  /// The rows between the same shared parts without those at the beginning and the end that are the same.
  static func different(_ old: [Other], _ new: [Other]) -> (old: [Other], new: [Other]) {
    var (formerRows, rows): ([Other], [Other]) = ([], [])
    var (place, other) = (0, 0)
    while place < old.count || other < new.count {
      let gap = min(place < old.count ? old[place].gap : .max, other < new.count ? new[other].gap : .max)
      let end = old[place...].firstIndex { $0.gap != gap } ?? old.count
      let otherEnd = new[other...].firstIndex { $0.gap != gap } ?? new.count
      var (last, otherLast) = (end, otherEnd)
      while place < last, other < otherLast, old[place].row == new[other].row {
        (place, other) = (place + 1, other + 1)
      }
      while last > place, otherLast > other, old[last - 1].row == new[otherLast - 1].row {
        (last, otherLast) = (last - 1, otherLast - 1)
      }
      formerRows += old[place..<last]
      rows += new[other..<otherLast]
      (place, other) = (end, otherEnd)
    }
    return (formerRows, rows)
  }
}
