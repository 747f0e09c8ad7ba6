#if !canImport(Darwin)
  import Foundation
  import FoundationSupplements
  import Testing

  @Suite("Foundation's string comparator with the rules of a locale")
  struct StandardComparatorTests {
    private struct Entry {
      let name: String
      let note: String?
    }

    private let texts = ["é", "b", "A", "a", "10", "9"]

    private func entries() -> [Entry] {
      texts.map { Entry(name: $0, note: $0 == "b" ? nil : $0) }
    }

    private func sorted(by comparator: String.StandardComparator) -> [String] {
      texts.sorted(using: comparator)
    }

    @Test("One variable can hold all three comparators, which differ")
    func oneType() {
      let all: [String.StandardComparator] = [.lexical, .localized, .localizedStandard]
      #expect(Set(all).count == 3)
      #expect(sorted(by: .lexical) == ["10", "9", "A", "a", "b", "é"])
      #expect(sorted(by: .localized) == ["10", "9", "a", "A", "b", "é"])
      #expect(sorted(by: .localizedStandard) == ["9", "10", "a", "A", "b", "é"])
    }

    @Test("A comparator is made from another one, with a direction")
    func directions() {
      let standard = String.StandardComparator(.localizedStandard)
      #expect(standard == .localizedStandard)
      let reversed = String.StandardComparator(.localizedStandard, order: .reverse)
      #expect(reversed != standard)
      #expect(reversed.order == .reverse)
      #expect(sorted(by: reversed) == sorted(by: standard).reversed())
      var texts = texts
      texts.sort(using: reversed)
      #expect(texts == sorted(by: reversed))
    }

    @Test(
      "Descriptors and key path comparators of types that are no models sort by the rules",
      arguments: [
        String.StandardComparator.lexical, .localized, .localizedStandard, .init(.localizedStandard, order: .reverse),
      ])
    func others(_ comparator: String.StandardComparator) {
      let expected = sorted(by: comparator)
      let descriptor = SortDescriptor(\Entry.name, comparator: comparator)
      // Foundation stores the direction separately from the comparator.
      #expect(descriptor.stringComparator == String.StandardComparator(comparator, order: .forward))
      #expect(descriptor.order == comparator.order)
      #expect(entries().sorted(using: descriptor).map(\.name) == expected)
      #expect(entries().sorted(using: [descriptor]).map(\.name) == expected)
      #expect(entries().sorted(using: KeyPathComparator(\Entry.name, comparator: comparator)).map(\.name) == expected)
      var sorted = entries()
      sorted.sort(using: descriptor)
      #expect(sorted.map(\.name) == expected)
      sorted.sort(using: [descriptor])
      #expect(sorted.map(\.name) == expected)
      let notes = expected.filter { $0 != "b" }
      let optional = SortDescriptor(\Entry.note, comparator: comparator)
      #expect(entries().sorted(using: optional).compactMap(\.note) == notes)
      #expect(
        entries().sorted(using: KeyPathComparator(\Entry.note, comparator: comparator)).compactMap(\.note) == notes)
    }

    @Test("Code that is generic over comparators gets an order, and does not trap")
    func generic() {
      func sorted<Rules: SortComparator>(_ rules: Rules, _ texts: [Rules.Compared]) -> [Rules.Compared] {
        texts.sorted(using: rules)
      }
      let texts = texts + ["ｆｕｌｌ", "\u{0}", "", "🇩🇪", "ß", "İ"]
      for comparator: String.StandardComparator in [.localized, .localizedStandard] {
        #expect(Set(sorted(comparator, texts)) == Set(texts))
      }
      #expect(sorted(String.StandardComparator.localizedStandard, ["10", "9", "a", "B"]) == ["9", "10", "B", "a"])
    }

    @Test("A comparator can be encoded; Foundation decodes only the lexical one")
    func coding() throws {
      let lexical = try JSONEncoder().encode(String.StandardComparator.lexical)
      #expect(try JSONDecoder().decode(String.StandardComparator.self, from: lexical) == .lexical)
      let standard = try JSONEncoder().encode(String.StandardComparator.localizedStandard)
      #expect(lexical != standard)
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(String.StandardComparator.self, from: standard) }
    }
  }
#endif
