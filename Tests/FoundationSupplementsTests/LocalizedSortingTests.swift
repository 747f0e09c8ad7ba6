#if !canImport(Darwin)
  import Foundation
  import FoundationSupplements
  import Testing

  @Suite("Sorting text by the rules of a locale")
  struct LocalizedSortingTests {
    private struct Entry: Equatable {
      var name: String
      var note: String?
    }

    private let entries = ["é", "b", "A", "a", "10", "9"].map { Entry(name: $0, note: $0 == "b" ? nil : $0) }

    private func names(_ sort: SortDescriptor<Entry>) -> [String] {
      entries.sorted(using: sort).map(\.name)
    }

    @Test("Sorting by a key path to text uses the locale's standard order")
    func standard() {
      #expect(names(SortDescriptor(\.name)) == ["9", "10", "a", "A", "b", "é"])
      #expect(names(SortDescriptor(\.name, order: .reverse)) == ["é", "b", "A", "a", "10", "9"])
      #expect(names(SortDescriptor(\.name, comparator: .localizedStandard)) == names(SortDescriptor(\.name)))
      #expect(
        names(SortDescriptor(\.name, comparator: String.StandardComparator.localizedStandard, order: .reverse))
          == names(SortDescriptor(\.name, order: .reverse)))
    }

    @Test("Nil comes first, and last in reverse")
    func optionals() {
      #expect(names(SortDescriptor(\.note)) == ["b", "9", "10", "a", "A", "é"])
      #expect(
        names(SortDescriptor(\.note, comparator: .localized, order: .reverse)) == ["é", "A", "a", "9", "10", "b"])
    }

    @Test("The other comparators have their own orders")
    func comparators() {
      #expect(names(SortDescriptor(\.name, comparator: .localized)) == ["10", "9", "a", "A", "b", "é"])
      #expect(names(SortDescriptor(\.name, comparator: .lexical)) == ["10", "9", "A", "a", "b", "é"])
    }

    @Test("Sequences of text can be sorted by the comparators too")
    func sequences() {
      let texts = entries.map(\.name)
      #expect(texts.sorted(using: .localizedStandard) == ["9", "10", "a", "A", "b", "é"])
      #expect(texts.sorted(using: String.StandardComparator.localized) == ["10", "9", "a", "A", "b", "é"])
    }

    @Test("Descriptors with equal orders are equal")
    func equality() {
      let standard = SortDescriptor(\Entry.name, comparator: .localizedStandard)
      #expect(standard == SortDescriptor(\Entry.name, comparator: String.StandardComparator(.localizedStandard)))
      #expect(standard.stringComparator == .localizedStandard)
      #expect(SortDescriptor(\Entry.name) != SortDescriptor(\Entry.name, comparator: .localized))
      #expect(SortDescriptor(\Entry.name) != SortDescriptor(\Entry.name, comparator: .lexical))
    }
  }
#endif
