#if !canImport(Darwin)
  import Foundation
  import FoundationSupplements
  import Testing

  @Suite("The standard order of texts")
  struct StandardOrderTests {
    private static let alphabets = [
      "aAbB01", "aA1 -", "0019", "aA0", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ",
      #"a _-,;:!?.'"()[]{}@*/\&#%`^+<=>|~$B01"#, "aAeé\u{301}ßzZ0", "a\t\n\u{0}A1", "01",
    ].map { Array($0.unicodeScalars) }

    /// Pairs of texts that have much in common.
    private static func pairs(_ count: Int) -> [(String, String)] {
      var state: UInt64 = 20_261_121
      func random(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
      }
      return (0..<count).map { number in
        let alphabet = alphabets[number % alphabets.count]
        func text(_ length: Int) -> String {
          var text = String.UnicodeScalarView()
          for _ in 0..<random(length) { text.append(alphabet[random(alphabet.count)]) }
          return String(text)
        }
        let (prefix, suffix) = (random(2) == 0 ? text(6) : "", random(2) == 0 ? text(6) : "")
        // Long ones of digits alone are numbers that Foundation does not read as one.
        let length = number % 100 == 8 ? 30 : 7
        return (prefix + text(length) + suffix, prefix + text(length) + suffix)
      }
    }

    @Test("The standard order is the one of Foundation")
    func foundation() {
      var undecided = 0
      for (left, right) in Self.pairs(60_000) {
        let order = StandardOrder.compare(left, right)
        #expect(order == left.localizedStandardCompare(right), "\(left.debugDescription) and \(right.debugDescription)")
        if order == .orderedSame { undecided += 1 }
      }
      #expect(undecided < 10_000)
    }

    @Test(
      "The standard order is also the one of locales whose languages have no order of their own",
      .enabled(if: StandardOrder.isRootOrder(.current)),
      arguments: ["en_US", "en_GB", "de_DE", "de_AT", "fr_FR", "fr_CA", "it_IT", "nl_NL", "pt_BR", "pt_PT"])
    func locales(identifier: String) {
      let locale = Locale(identifier: identifier)
      #expect(StandardOrder.isRootOrder(locale))
      for (left, right) in Self.pairs(3_000) where (left + right).utf8.allSatisfy({ $0 < 0x80 }) {
        let order = left.compare(
          right, options: [.caseInsensitive, .numeric, .widthInsensitive, .forcedOrdering], locale: locale)
        #expect(StandardOrder.compare(left, right) == order, "\(left.debugDescription) and \(right.debugDescription)")
      }
    }

    @Test(
      "Locales with an order of their own are left to Foundation",
      arguments: [
        "da_DK", "tr_TR", "cs_CZ", "en_US_POSIX", "de_DE@collation=phonebook", "en-US-u-kf-upper",
        "en_US@colCaseFirst=upper",
      ])
    func others(identifier: String) {
      #expect(!StandardOrder.isRootOrder(Locale(identifier: identifier)))
    }
  }
#endif
