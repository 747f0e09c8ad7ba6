#if !canImport(Darwin)
  import Foundation
  import FoundationSupplements
  import Testing

  @Suite("Sort keys of texts")
  struct SortKeysTests {
    private static let rules = [
      SortKeys.localizedStandard, SortKeys.localized, SortKeys(.localizedStandard, Locale(identifier: "sv_SE")),
      SortKeys(.localizedStandard, Locale(identifier: "th_TH")), SortKeys(.localized, Locale(identifier: "ja_JP")),
      SortKeys(.localizedStandard, Locale(identifier: "en_US_POSIX")),
      SortKeys(.localizedStandard, Locale(identifier: "en_US@colAlternate=shifted;colStrength=primary")),
    ]

    @Test("Two texts have one key exactly if they are equal in Swift", arguments: rules.indices)
    func uniqueness(index: Int) {
      for (left, right) in HostileTexts.pairs(6_000) {
        let order = Self.rules[index].compare(left, right)
        #expect((order == .orderedSame) == (left == right), "\(left.debugDescription) and \(right.debugDescription)")
        #expect(Self.rules[index].compare(right, left).rawValue == -order.rawValue)
      }
    }

    @Test("Each language has its rules")
    func languages() {
      func sorted(_ texts: [String], _ locale: String) -> [String] {
        let keys = SortKeys(.localizedStandard, Locale(identifier: locale))
        return texts.sorted { keys.compare($0, $1) == .orderedAscending }
      }
      #expect(sorted(["z", "å", "a", "ä", "ö"], "en_US") == ["a", "å", "ä", "ö", "z"])
      #expect(sorted(["z", "å", "a", "ä", "ö"], "sv_SE") == ["a", "z", "å", "ä", "ö"])
      #expect(sorted(["cz", "ch", "h", "ci"], "cs_CZ") == ["ci", "cz", "h", "ch"])
      #expect(sorted(["Ae", "Ä", "Af"], "de_DE@collation=phonebook") == ["Ae", "Ä", "Af"])
      #expect(sorted(["b", "a", "A", "B"], "en_US@colCaseFirst=upper") == ["A", "a", "B", "b"])
      #expect(sorted(["f10", "f9", "f 1"], "tlh") == ["f 1", "f9", "f10"])
    }

    @Test("Languages with different rules have different names, and ones with equal rules share a name")
    func names() {
      func name(_ locale: String) -> String { SortKeys(.localizedStandard, Locale(identifier: locale)).name }
      #expect(Set(["en_US", "de_DE", "fr_FR", "pt_BR", "tlh", ""].map(name)).count == 1)
      let others = ["en_US", "sv_SE", "da_DK", "en_US_POSIX", "de_DE@collation=phonebook", "en_US@colCaseFirst=upper"]
      #expect(Set(others.map(name)).count == others.count)
      #expect(name("sv_SE") == name("sv_FI"))
      // They are parts of the names of functions in SQL.
      for locale in others { #expect(name(locale).wholeMatch(of: /[a-z0-9_]+/) != nil) }
    }

    @Test("Invalid UTF-8 has the key of the repaired string")
    func brokenTexts() {
      for bytes: [UInt8] in [
        [0xff], [0x61, 0xc3], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98], [0xc0, 0x80, 0x61],
        [0x61, 0xf4, 0x90, 0x80, 0x80],
      ] {
        let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
        for keys in Self.rules { #expect(HostileTexts.key(bytes, keys) == HostileTexts.key(repaired, keys)) }
      }
    }

    @Test("Empty and very long texts have keys")
    func extremes() {
      #expect(HostileTexts.key("") != HostileTexts.key("\0"))
      #expect(StandardOrder.compare("", "\0") == .orderedAscending)
      let long = String(repeating: "Grüße 007 ", count: 100_000)
      #expect(StandardOrder.compare(long, long + "a") == .orderedAscending)
      #expect(StandardOrder.compare(long + "1", long + "01") == .orderedAscending)
      let digits = String(repeating: "9", count: 100_000)
      #expect(StandardOrder.compare(digits, digits) == .orderedSame)
      #expect(StandardOrder.compare(digits, digits + "0") != .orderedSame)
    }

    @Test("Threads share the keys of an order")
    func threads() async {
      let pairs = HostileTexts.pairs(4_000)
      let expected = pairs.map { HostileTexts.key($0.0) }
      await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<8 { group.addTask { pairs.map { HostileTexts.key($0.0) } == expected } }
        for await isEqual in group { #expect(isEqual) }
      }
    }
  }
#endif
