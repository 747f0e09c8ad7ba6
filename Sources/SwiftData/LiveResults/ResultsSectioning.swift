import Foundation

/// How results are divided into sections.
struct ResultsSectioning<Element: PersistentModel, Title: Hashable> {
  let keyPath: PartialKeyPath<Element>
  let title: (Element) -> Title
  /// One descriptor. In an array, because the optimizer makes code for copies of a descriptor that does not link.
  private let order: [SortDescriptor<Element>]

  /// The descriptor with the order of the sections in front.
  ///
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` when the section key path leads to no attribute.
  func sorted(_ descriptor: FetchDescriptor<Element>) throws -> FetchDescriptor<Element> {
    let runtime = ModelRuntime.of(Element.self)
    guard let path = KeyPathResolution.path(keyPath, runtime), let last = path.properties.last, last.relationship == nil
    else {
      throw SwiftDataError.unsupportedKeyPath.with(
        entity: "\(Element.self)", property: KeyPathResolution.name(of: keyPath, runtime),
        message: "Sections can only be made by an attribute that the store has.",
        hint: "Name a stored attribute, and set it when what it is worked out from changes.")
    }
    var descriptor = descriptor
    if let first = descriptor.sortBy.first?.keyPath, (TextOrder.origin(of: first)?.keyPath ?? first) == keyPath {
      return descriptor
    }
    descriptor.sortBy = order + descriptor.sortBy
    return descriptor
  }
}

// A section key path is a constant of the program, which captures nothing that is not `Sendable`.
extension ResultsSectioning where Title == String {
  init(_ keyPath: KeyPath<Element, String>) {
    self.keyPath = keyPath
    title = { $0[keyPath: keyPath] }
    order = [SortDescriptor(unsafeBitCast(keyPath, to: (any KeyPath<Element, String> & Sendable).self))]
  }

  init(_ keyPath: KeyPath<Element, String?>) {
    self.keyPath = keyPath
    title = { $0[keyPath: keyPath] ?? "" }
    order = [SortDescriptor(unsafeBitCast(keyPath, to: (any KeyPath<Element, String?> & Sendable).self))]
  }
}

extension SectionedResults {
  /// Finds the sections of results in which models with the same title follow one another.
  ///
  /// Reads some models of each section, and not all.
  init(_ elements: FetchResultsCollection<Element>, titledBy title: (Element) -> SectionTitle) {
    var titles: [SectionTitle] = []
    var ends: [Int] = []
    var start = 0
    while start < elements.count {
      let first = title(elements[start])
      // The last position that is known to belong to the section, and the first that is known not to.
      var (inside, outside, step) = (start, elements.count, 1)
      while inside + step < outside, title(elements[inside + step]) == first {
        inside += step
        step *= 2
      }
      outside = Swift.min(inside + step, outside)
      while outside - inside > 1 {
        let middle = (inside + outside) / 2
        if title(elements[middle]) == first { inside = middle } else { outside = middle }
      }
      titles.append(first)
      ends.append(outside)
      start = outside
    }
    self.init(elements, titles: titles, ends: ends)
  }
}
