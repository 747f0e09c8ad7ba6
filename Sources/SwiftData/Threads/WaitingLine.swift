/// Hands out first what came in first, each in constant time on average.
struct WaitingLine<Element> {
  private var new: [Element] = []
  /// Those that came before the new ones, the first one at the end.
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
