/// Models in sections: models with the same title that follow one another in the order of a fetch.
///
/// A ``ResultsObserver`` with a section key path makes it. ``init(grouping:by:)`` makes one of any models.
///
/// ```swift
/// for section in observer.sections ?? [] {
///   print(section.title, section.count)
/// }
/// ```
///
/// The value does not change when models do. It belongs to the isolation of the models' context.
public struct SectionedResults<Element: PersistentModel, SectionTitle: Hashable>: RandomAccessCollection {
  public typealias Index = Int
  public typealias Indices = Range<Int>
  public typealias Iterator = IndexingIterator<SectionedResults<Element, SectionTitle>>
  public typealias SubSequence = Slice<SectionedResults<Element, SectionTitle>>

  private let elements: FetchResultsCollection<Element>
  /// The titles, each once, in the order of the sections.
  public let sectionTitles: [SectionTitle]
  /// The end position of each section.
  private let ends: [Int]
  private let positions: [SectionTitle: Int]

  /// - Parameters:
  ///   - titles: The title of each section.
  ///   - ends: The end position of each section in `elements`; the last one is the count of elements.
  init(_ elements: FetchResultsCollection<Element>, titles: [SectionTitle], ends: [Int]) {
    self.elements = elements
    self.ends = ends
    sectionTitles = titles
    positions = Dictionary(zip(titles, titles.indices)) { first, _ in first }
  }

  /// Groups models, for example for tests and previews. Sections are in the order in which their titles first appear, and
  /// the models of a section in the given order.
  ///
  /// An addition of OpenSwiftData.
  ///
  /// - Parameters:
  ///   - elements: The models, in the order that they have in their sections.
  ///   - title: Returns the title of the section of a model.
  /// - Throws: The errors of `title`.
  public init(grouping elements: some Sequence<Element>, by title: (Element) throws -> SectionTitle) rethrows {
    var groups: [(title: SectionTitle, elements: [Element])] = []
    var positions: [SectionTitle: Int] = [:]
    for element in elements {
      let title = try title(element)
      if let position = positions[title] {
        groups[position].elements.append(element)
      } else {
        positions[title] = groups.count
        groups.append((title, [element]))
      }
    }
    var end = 0
    let ends = groups.map { group in
      end += group.elements.count
      return end
    }
    self.init(FetchResultsCollection(groups.flatMap(\.elements)), titles: groups.map(\.title), ends: ends)
  }

  public var startIndex: Int { 0 }

  public var endIndex: Int { ends.count }

  /// The section at a position, which must be a valid index of the collection.
  public subscript(position: Int) -> ResultsSection<Element, SectionTitle> {
    precondition(indices.contains(position), "The position is beyond the end of the collection.")
    return ResultsSection(elements, start(of: position)..<ends[position], title: sectionTitles[position])
  }

  /// The section with a title; nil when there is none. Takes constant time.
  public subscript(sectionTitle title: SectionTitle) -> ResultsSection<Element, SectionTitle>? {
    index(ofSectionTitled: title).map { self[$0] }
  }

  /// Whether there is a section with a title. Takes constant time.
  public func contains(sectionTitle title: SectionTitle) -> Bool {
    positions[title] != nil
  }

  /// The position of the section with a title; nil when there is none. Takes constant time.
  public func index(ofSectionTitled title: SectionTitle) -> Int? {
    positions[title]
  }

  private func start(of section: Int) -> Int {
    section == 0 ? 0 : ends[section - 1]
  }

  // MARK: Index paths

  /// The element at a position in a section; nil when there is none.
  func element(_ item: Int, inSection section: Int) -> Element? {
    guard indices.contains(section), item >= 0, item < ends[section] - start(of: section) else { return nil }
    return elements[start(of: section) + item]
  }

  /// The section of a position among all elements, and the position in the section.
  func indexPath(of position: Int) -> (section: Int, item: Int) {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] <= position { low = middle + 1 } else { high = middle }
    }
    return (low, position - start(of: low))
  }
}

extension SectionedResults {
  /// Whether both have sections with the same titles, as many models in each.
  func hasSameBounds(as other: Self?) -> Bool {
    sectionTitles == other?.sectionTitles && ends == other?.ends
  }
}

extension SectionedResults: Equatable {
  /// Whether both have the same titles and the same models, each in the same order. The values of models do not count.
  public static func == (left: Self, right: Self) -> Bool {
    left.sectionTitles == right.sectionTitles && left.ends == right.ends
      && left.elements.areSame(as: right.elements, in: 0..<left.elements.count, and: 0..<right.elements.count)
  }
}
