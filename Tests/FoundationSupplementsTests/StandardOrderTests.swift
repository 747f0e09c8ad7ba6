#if !canImport(Darwin)
  import Foundation
  import FoundationSupplements
  import Testing

  @Suite("The standard order of texts")
  struct StandardOrderTests {
    /// Whether a scalar is invisible, only has a form beside others, or is a digit of another script.
    private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
      let properties = scalar.properties
      return properties.generalCategory == .control || properties.isDefaultIgnorableCodePoint
        || properties.isNoncharacterCodePoint || properties.isGraphemeExtend || isKoreanLetter(scalar)
        || properties.generalCategory == .decimalNumber && !scalar.isASCII
    }

    private static func isKoreanLetter(_ scalar: Unicode.Scalar) -> Bool {
      (0x1100...0x11FF).contains(scalar.value) || (0x3131...0x318E).contains(scalar.value)
    }

    private static func compareKeys(_ left: String, _ right: String) -> ComparisonResult {
      SortKeys.localizedStandard.compare(left, right)
    }

    @Test("The order of texts equals the order of their keys")
    func keys() {
      for (left, right) in HostileTexts.pairs(20_000) {
        #expect(
          StandardOrder.compare(left, right) == Self.compareKeys(left, right),
          "\(left.debugDescription) and \(right.debugDescription)")
      }
    }

    @Test("The order of short ASCII texts equals the order of their keys")
    func shortTexts() {
      let printable = (UInt8(0x20)...0x7e).map { String(UnicodeScalar($0)) }
      let pairs = printable.flatMap { first in printable.map { first + $0 } }
      let few = ["", "a", "A", "b", "0", "1", "-", " "]
      var longer = few
      for _ in 0..<3 { longer = longer.flatMap { text in few.map { text + $0 } } }
      for texts in [
        [""] + printable, Set(longer).sorted().enumerated().filter { $0.offset % 5 == 0 }.map(\.element),
        pairs.enumerated().filter { $0.offset % 13 == 0 }.map(\.element),
      ] {
        let keys = texts.map(HostileTexts.key)
        var differences: [String] = []
        for (left, leftKey) in zip(texts, keys) {
          for (right, rightKey) in zip(texts, keys) {
            let order = StandardOrder.compare(left, right)
            let isAscending = leftKey.lexicographicallyPrecedes(rightKey)
            if (order == .orderedAscending) != isAscending || (order == .orderedSame) != (left == right) {
              differences.append("\(left.debugDescription) and \(right.debugDescription)")
            }
          }
        }
        #expect(differences.isEmpty)
      }
    }

    @Test("Realistic texts are in Foundation's order")
    func foundation() {
      let texts = [
        "Straße", "Strasse", "strasse", "Müller", "Mueller", "Muller", "müller", "Çelik", "Celik", "Éclair", "eclair",
        "Éclairs", "cote", "coté", "côte", "côté", "Ångström", "Angstrom", "Örebro", "Orebro", "Zürich", "naïve",
        "naive",
        "Naïve", "O’Brien", "O'Brien", "OBrien", "de la Cruz", "De La Cruz", "van Gogh", "Van Gogh", "vanGogh",
        "IMG_9.jpg",
        "IMG_10.jpg", "IMG_100.jpg", "IMG_2 (1).jpg", "Report 2024-01-31", "Report 2024-1-4", "Track 9", "Track 10",
        "Track 10b", "chapter 1.10", "chapter 1.9", "Chapter 1.9", "v1.2.10", "v1.2.9", "日本語", "東京", "Москва", "москва",
        "Яблоко", "Αθήνα", "αθήνα", "ß", "ss", "æ", "ae", "œuvre", "oeuvre", "…", "100 %", "99 Luftballons", "№ 5",
        "#5", "",
        " ", "a b", "a-b", "a_b", "ab", "😀", "😃 b", "ｆｕｌｌ", "full", "ﬁsh", "fish",
      ]
      for left in texts {
        for right in texts {
          #expect(
            StandardOrder.compare(left, right) == left.localizedStandardCompare(right),
            "\(left.debugDescription) and \(right.debugDescription)")
        }
      }
    }

    @Test("Only texts with ties, long numbers or special characters differ from Foundation's order")
    func differences() {
      for (left, right) in HostileTexts.pairs(20_000) {
        let order = StandardOrder.compare(left, right)
        guard order != left.localizedStandardCompare(right) else { continue }
        let isTie = left.compare(right, options: [.caseInsensitive, .numeric, .widthInsensitive]) == .orderedSame
        let isSpecial = (left + right).unicodeScalars.contains { Self.isSpecial($0) }
        let isLong = (left + right).split { !$0.isNumber }.contains { $0.count > 15 }
        #expect(isTie || isSpecial || isLong, "\(left.debugDescription) and \(right.debugDescription)")
      }
    }

    @Test("Case decides before leading zeros, and zeros of the first number before those of the next")
    func ties() {
      let sorted = ["a1b1", "a1b01", "a01b1", "a01b01", "a001b1", "a1B1", "A1b1", "A1b01"]
      for (first, left) in sorted.enumerated() {
        for (second, right) in sorted.enumerated() {
          #expect(StandardOrder.compare(left, right).rawValue == (first - second).signum(), "\(left) and \(right)")
        }
      }
    }
  }
#endif
