/// The result of a fetch in batches: models, or their identifiers, which are read when they are accessed.
///
/// The fetch determines which models the collection has and in which order. The collection keeps the keys of the
/// models, those of a large result in a temporary file, and the two batches of models that were accessed last. So its
/// memory does not grow with the size of a large result. The collection belongs to the isolation of its context, and
/// keeps the context alive.
public struct FetchResultsCollection<Element>: RandomAccessCollection {
  private let elements: FetchedElements<Element>

  init(_ elements: FetchedElements<Element>) {
    self.elements = elements
  }

  init(_ elements: [Element]) {
    self.init(ElementArray(elements))
  }

  public var startIndex: Int { 0 }

  public var endIndex: Int { elements.count }

  /// The element at a position.
  ///
  /// The position must be a valid index of the collection. Accessing a model reads its batch, unless that is one of the
  /// two that were accessed last. A model whose row was deleted since the fetch has default values.
  ///
  /// An access cannot throw. When reading fails, the next fetch or save of the context throws the error, and the next
  /// access to the position tries again. Until then the element is a model whose row is read when a property is
  /// accessed, or, if even its key cannot be read, a model without a row. An identifier that cannot be read is replaced
  /// by one that belongs to no model.
  public subscript(position: Int) -> Element {
    precondition(indices.contains(position), "The position is beyond the end of the collection")
    return elements.element(at: position)
  }
}

extension FetchResultsCollection where Element: PersistentModel {
  /// Whether it is a copy of another collection.
  func isSame(as other: Self) -> Bool {
    elements === other.elements
  }

  /// Whether two ranges of two collections have the same models in the same order. Compares row keys when both collections
  /// have them, which reads no model.
  func areSame(as other: Self, in positions: Range<Int>, and otherPositions: Range<Int>) -> Bool {
    guard positions.count == otherPositions.count else { return false }
    if elements === other.elements, positions == otherPositions { return true }
    if let (container, rows) = elements.rowKeys(at: positions),
      let (otherContainer, otherRows) = other.elements.rowKeys(at: otherPositions)
    {
      guard container == otherContainer else { return false }
      // A model that was saved meanwhile has a new key.
      if rows == otherRows || !(rows + otherRows).contains(where: { $0.key < 0 }) { return rows == otherRows }
    }
    return zip(positions, otherPositions).allSatisfy { self[$0].persistentModelID == other[$1].persistentModelID }
  }
}
