/// Where a collection has its elements from: one of the subclasses, which override what they can tell.
class FetchedElements<Element> {
  var count: Int { 0 }
  func element(at position: Int) -> Element { preconditionFailure("overridden") }

  /// The rows of the elements at some positions, and the container whose stores have them; nil where elements are no rows,
  /// or these cannot be read.
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
