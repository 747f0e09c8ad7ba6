#if !canImport(Darwin)
  import Foundation
  import FoundationSupplements
  import Testing

  @Suite("Sort keys of texts of which the collator gets only a part")
  struct SortKeyBoundsTests {
    private static func keys(_ locale: String, _ head: Int, _ run: Int, _ rules: SortKeys.Rules = .localizedStandard)
      -> SortKeys
    {
      SortKeys(rules, Locale(identifier: locale), longestHead: head, longestRun: run)
    }

    static let rules = [
      keys("en_US", 12, 3), keys("en_US", 5, 4), keys("en_US", 40, 3, .localized), keys("sv_SE", 9, 3),
      keys("th_TH", 12, 3), keys("en_US@colAlternate=shifted;colStrength=primary", 7, 3),
    ]

    @Test("Two texts have one key exactly if they are equal in Swift", arguments: rules.indices)
    func uniqueness(index: Int) {
      for (left, right) in HostileTexts.pairs(5_000) {
        let order = Self.rules[index].compare(left, right)
        #expect((order == .orderedSame) == (left == right), "\(left.debugDescription) and \(right.debugDescription)")
        #expect(Self.rules[index].compare(right, left).rawValue == -order.rawValue)
      }
    }

    @Test("All forms of a text have one key", arguments: rules.indices)
    func forms(index: Int) {
      for (text, _) in HostileTexts.pairs(5_000) {
        let key = HostileTexts.key(Array(text.utf8), Self.rules[index])
        for form in [text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping] {
          #expect(HostileTexts.key(Array(form.utf8), Self.rules[index]) == key, "\(text.debugDescription)")
        }
      }
    }

    @Test("A text within the bounds has the same key as without bounds")
    func shortTexts() {
      let bounded = Self.keys("en_US", 12, 3)
      let free = SortKeys(.localizedStandard, Locale(identifier: "en_US"))
      var count = 0
      for (text, _) in HostileTexts.pairs(5_000) {
        let scalars = text.decomposedStringWithCanonicalMapping.unicodeScalars
        let marks = scalars.split { $0.properties.canonicalCombiningClass == .notReordered }.map(\.count).max() ?? 0
        let isShort = String(scalars).utf8.count <= 12 && marks <= 3
        let (key, other) = (HostileTexts.key(Array(text.utf8), bounded), HostileTexts.key(Array(text.utf8), free))
        #expect((key == other) == isShort, "\(text.debugDescription)")
        if isShort { count += 1 }
      }
      #expect(count > 1_000)
    }

    @Test("Texts are ordered by their beginnings, and then by their code points")
    func order() {
      let keys = Self.keys("en_US", 4, 3)
      let sorted = ["aaaa", "aaaa1", "aaaaB", "aaaaa", "aaaaä", "aaaA", "aaab", "b", "baaaaaaa"]
      for (first, left) in sorted.enumerated() {
        for (second, right) in sorted.enumerated() {
          #expect(keys.compare(left, right).rawValue == (first - second).signum(), "\(left) and \(right)")
        }
      }
    }

    @Test("The second forms of K, semicolon and grave accent equal the first", arguments: ["en_US", "sv_SE", "th_TH"])
    func secondForms(locale: String) {
      let keys = SortKeys(.localizedStandard, Locale(identifier: locale))
      for (left, right) in [
        ("K", "\u{212A}"), (";", "\u{37E}"), ("`", "\u{1FEF}"), ("a\u{212A}01\u{37E}1", "aK01;1"),
        ("K\n", "\u{212A}\n"),
      ] {
        #expect(left == right && keys.compare(left, right) == .orderedSame, "\(left) and \(right)")
      }
      #expect(keys.compare("K1", "\u{212A}01") == .orderedAscending)
      #expect(keys.compare("K", "\u{212A}\u{301}") == .orderedAscending)
    }

    @Test(
      "Marks that a collator misreads have one key in all forms of a text",
      arguments: ["en_US", "sv_SE", "th_TH", "ja_JP"])
    func doubleMarks(locale: String) {
      let keys = SortKeys(.localizedStandard, Locale(identifier: locale))
      // Swift does not sort Tibetan marks.
      for (left, right) in [
        ("a\u{344}", "ä\u{301}"), ("\u{344}", "\u{308}\u{301}"), ("ị\u{344}", "ï\u{323}\u{301}"),
        ("\u{316}\u{F81}", "\u{F81}\u{316}"), ("\u{F73}\u{F71}", "\u{F71}\u{F71}\u{F72}"),
        ("\u{316}ᾇ\u{F71}a\u{301}\u{1D165}\u{344}\u{1D15E}", "\u{316}ᾇ\u{F71}a\u{1D165}\u{301}\u{308}\u{301}\u{1D15E}"),
        ("a\u{30A}\u{1D165}\u{323}", "ạ\u{1D165}\u{30A}"), ("ä\u{1D165}\u{316}", "a\u{1D165}\u{316}\u{308}"),
      ] {
        #expect(keys.compare(left, right) == .orderedSame, "\(left.debugDescription) and \(right.debugDescription)")
      }
    }

    @Test("Keys of marks take time in proportion to the number of marks", .timeLimit(.minutes(5)))
    func marks() {
      // ICU takes time quadratic in their number, to sort them and to find letters that contain them: minutes.
      let count = 100_000
      let pairs = [
        (
          String(repeating: "\u{301}\u{316}", count: count),
          String(repeating: "\u{316}", count: count) + String(repeating: "\u{301}", count: count)
        ),
        (String(repeating: "\u{F71}", count: count), String(repeating: "\u{F71}", count: count) + "\u{F72}"),
        (String(repeating: "\u{F73}", count: count), String(repeating: "\u{F71}\u{F72}", count: count)),
      ]
      for (index, (left, right)) in pairs.enumerated() {
        let order = SortKeys.localizedStandard.compare("a" + left, "a" + right)
        #expect((order == .orderedSame) == (index != 1))
        #expect(SortKeys.localizedStandard.compare("a" + left, "b" + right) == .orderedAscending)
      }
    }

    @Test("Texts longer than the collator's part are ordered by their keys")
    func longTexts() {
      let beginning = String(repeating: "a", count: SortKeys.localizedStandard.longestHead)
      let (left, right) = (beginning + "9", beginning + "10")
      #expect(SortKeys.localizedStandard.compare(left, right) == .orderedDescending)
      #expect(StandardOrder.compare(left, right) == .orderedDescending)
    }
  }
#endif
