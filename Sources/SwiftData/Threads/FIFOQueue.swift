/// A first-in, first-out queue with amortized constant time for each operation.
struct FIFOQueue<Element> {
  private var new: [Element] = []
  /// The elements before the new ones, in reverse order.
  private var old: [Element] = []

  var isEmpty: Bool { new.isEmpty && old.isEmpty }
  var count: Int { new.count + old.count }

  mutating func append(_ element: Element) {
    new.append(element)
  }

  mutating func popFirst() -> Element? {
    if old.isEmpty {
      old = new.reversed()
      new = []
    }
    return old.popLast()
  }
}
