/// The source of a collection's elements. Subclasses override its members.
class FetchedElements<Element> {
  var count: Int { 0 }
  func element(at position: Int) -> Element { preconditionFailure("overridden") }

  /// The row keys of the elements at some positions, and the container whose stores have the rows; nil when the elements
  /// have no rows, or the keys cannot be read.
  func rowKeys(at positions: Range<Int>) -> (container: ObjectIdentifier, rows: [RowKey])? { nil }
}

/// Elements that are in memory.
final class ElementArray<Element>: FetchedElements<Element> {
  private let elements: [Element]

  init(_ elements: [Element]) {
    self.elements = elements
  }

  override var count: Int { elements.count }

  override func element(at position: Int) -> Element { elements[position] }
}
