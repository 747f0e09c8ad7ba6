/// The most recently used values, for caches that external input could fill.
///
/// It keeps at least half as many values as its capacity and never more than that, and is as fast as a dictionary: when the
/// younger half is full, the older one is dropped.
package struct RecentValues<Key: Hashable, Value> {
  package let capacity: Int
  private var young: [Key: Value] = [:]
  private var old: [Key: Value] = [:]

  /// - Parameter capacity: At least two.
  package init(capacity: Int) {
    self.capacity = max(2, capacity)
  }

  package var count: Int { young.count + old.count }

  package subscript(key: Key) -> Value? {
    mutating get {
      if let value = young[key] { return value }
      guard let value = old.removeValue(forKey: key) else { return nil }
      keep(value, for: key)
      return value
    }
    set {
      old[key] = nil
      if let newValue { keep(newValue, for: key) } else { young[key] = nil }
    }
  }

  private mutating func keep(_ value: Value, for key: Key) {
    if young.count >= capacity / 2, young[key] == nil {
      old = young
      young = [:]
    }
    young[key] = value
  }
}
