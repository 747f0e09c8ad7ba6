/// Properties of a row that a save changes, by their indices.
struct ChangedProperties: Hashable, Comparable {
  /// The bits, as in `_ModelState.dirty`.
  private(set) var bits: UInt64 = 0
  /// The indices of the properties that share the last bit, in ascending order.
  private var rest: [Int] = []

  init() {}

  /// - Parameter bits: The bits without the shared one.
  init(bits: UInt64) {
    self.bits = bits
  }

  init(_ indices: some Sequence<Int>) {
    for index in indices { insert(index) }
  }

  /// An arbitrary but total order.
  static func < (lhs: ChangedProperties, rhs: ChangedProperties) -> Bool {
    lhs.bits == rhs.bits ? lhs.rest.lexicographicallyPrecedes(rhs.rest) : lhs.bits < rhs.bits
  }

  @inline(__always)
  func contains(_ index: Int) -> Bool {
    bits & _ModelState.bit(index) != 0 && (index < _ModelState.restIndex || rest.contains(index))
  }

  mutating func insert(_ index: Int) {
    bits |= _ModelState.bit(index)
    guard index >= _ModelState.restIndex, !rest.contains(index) else { return }
    rest.append(index)
    rest.sort()
  }

  mutating func formUnion(_ other: ChangedProperties) {
    bits |= other.bits
    for index in other.rest { insert(index) }
  }
}
