/// Keys in the order in which they were added. Consecutive keys take no memory each.
struct KeySeries: RandomAccessCollection {
  private var first: Int64 = 0
  private(set) var count = 0
  /// All keys, once they are not consecutive.
  private var scattered: [Int64] = []

  init() {}

  init(_ keys: some Collection<Int64>) {
    first = keys.first ?? 0
    count = keys.count
    let isConsecutive = zip(keys, 0...).allSatisfy { $0 == first &+ $1 }
    if !isConsecutive { scattered = Array(keys) }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> Int64 {
    scattered.isEmpty ? first &+ Int64(index) : scattered[index]
  }

  @inline(__always)
  mutating func append(_ key: Int64) {
    if key == first &+ Int64(count), scattered.isEmpty {
      count += 1
    } else {
      scatter(key)
    }
  }

  private mutating func scatter(_ key: Int64) {
    if count == 0 {
      first = key
    } else {
      if scattered.isEmpty { scattered = Array(self) }
      scattered.append(key)
    }
    count += 1
  }
}
