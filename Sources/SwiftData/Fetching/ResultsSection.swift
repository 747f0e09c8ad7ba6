/// Models of a fetch that have the same title and follow one another: a section of ``SectionedResults``.
public struct ResultsSection<Element: PersistentModel, SectionTitle: Hashable>: RandomAccessCollection, Identifiable {
  public typealias ID = SectionTitle
  public typealias Index = Int
  public typealias Indices = Range<Int>
  public typealias Iterator = IndexingIterator<ResultsSection<Element, SectionTitle>>
  public typealias SubSequence = Slice<ResultsSection<Element, SectionTitle>>

  /// The section key that the models have in common. The title of models whose section key is nil is "".
  public let title: SectionTitle
  private let elements: FetchResultsCollection<Element>
  private let range: Range<Int>

  init(_ elements: FetchResultsCollection<Element>, _ range: Range<Int>, title: SectionTitle) {
    self.elements = elements
    self.range = range
    self.title = title
  }

  /// The title, which no other section of the same results has.
  public var id: SectionTitle { title }

  public var startIndex: Int { 0 }

  public var endIndex: Int { range.count }

  /// The model at a position of the section, which must be a valid index.
  public subscript(position: Int) -> Element {
    precondition(indices.contains(position), "The position is beyond the end of the section.")
    return elements[range.lowerBound + position]
  }
}

extension ResultsSection: Equatable {
  /// Whether both have the same title, and the same models in the same order. The values of models do not count.
  public static func == (left: Self, right: Self) -> Bool {
    left.title == right.title && left.elements.areSame(as: right.elements, in: left.range, and: right.range)
  }
}
