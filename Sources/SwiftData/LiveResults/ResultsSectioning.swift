import Foundation

/// The division of results into sections.
struct ResultsSectioning<Element: PersistentModel, Title: Hashable> {
  let keyPath: PartialKeyPath<Element>
  let title: (Element) -> Title
  /// One descriptor. In an array, because the optimizer generates code for copies of a descriptor that does not link.
  private let order: [SortDescriptor<Element>]

  /// The descriptor with an order that begins with the order of the sections.
  ///
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` if the section key path does not name an attribute.
  func sorted(_ descriptor: FetchDescriptor<Element>) throws -> FetchDescriptor<Element> {
    let runtime = ModelRuntime.of(Element.self)
    guard let path = KeyPathResolution.path(keyPath, runtime), let last = path.properties.last, last.relationship == nil
    else {
      throw SwiftDataError.unsupportedKeyPath.with(
        entity: "\(Element.self)", property: KeyPathResolution.name(of: keyPath, runtime),
        message: "Sections need an attribute that the store has.",
        hint: "Use a stored attribute, and set it when the values that it derives from change.")
    }
    var descriptor = descriptor
    if let first = descriptor.sortBy.first?.keyPath, (TextOrder.origin(of: first)?.keyPath ?? first) == keyPath {
      return descriptor
    }
    descriptor.sortBy = order + descriptor.sortBy
    return descriptor
  }
}

// A section key path is a constant of the program, which captures only `Sendable` values.
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
  /// Finds the sections of results in which models with the same title are adjacent.
  ///
  /// Reads only some models of each section.
  init(_ elements: FetchResultsCollection<Element>, titledBy title: (Element) -> SectionTitle) {
    var titles: [SectionTitle] = []
    var ends: [Int] = []
    var start = 0
    while start < elements.count {
      let first = title(elements[start])
      // The last position that is known to be in the section, and the first one that is known not to be.
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
