import Testing

@testable import FoundationSupplements

@Suite("Searches for characters")
struct CharacterSearchTests {
  /// Scalars that are characters in some texts and parts of other characters in others.
  static let alphabets: [[Unicode.Scalar]] = [
    ["\r", "\n"], ["\r", "\n", "e", "\u{301}"], ["e", "\u{301}", "é", "\u{316}", "\r"],
    ["a", "\u{200D}", "👩", "\u{FE0F}"],
    ["\u{1F1E9}", "\u{1F1EA}", "a"], ["\u{1100}", "\u{1161}", "\u{11A8}", "가", "각"], ["\0", "a", "\u{301}"],
    ["K", "\u{212A}", "\u{301}", "k"], [";", "\u{37E}", "`", "\u{1FEF}", "\n", "\r"],
    [
      "\r", "\n", "e", "\u{301}", "\u{200D}", "\u{1F1E9}", "\u{1100}", "\u{1161}", "\0", "\u{212A}", "K", "\u{FE0F}",
      "👩",
    ],
    ["\u{915}", "\u{94D}", "\u{937}", "\u{93F}"], ["\u{600}", "1", "\r", "\u{E33}"],
  ]

  private func check(_ text: String, _ pattern: String) {
    let search = CharacterSearch(for: pattern)
    let (isFound, isBeginning) = TextSearchTests.bytes(of: text) {
      (search.isFound(in: $0), search.isBeginning(of: $0))
    }
    // The same search continues with other texts.
    let isFoundAgain = TextSearchTests.bytes(of: text) { search.isFound(in: $0) }
    let isExpected = text.hasCharacters(of: pattern)
    let description = "\(text.debugDescription) \(pattern.debugDescription)"
    #expect(isFound == isExpected && isFoundAgain == isExpected, "\(description)")
    #expect(isBeginning == text.beginsWithCharacters(of: pattern), "\(description)")
    #expect(!isFound || TextSearchTests.isFolded(pattern, in: text), "\(description)")
  }

  @Test("A search finds the characters that the standard library finds")
  func pairs() {
    TextSearchTests.forEachPair(30_000, of: TextSearchTests.scalars, check)
  }

  @Test("A search with scalars that join their neighbours finds what the standard library finds")
  func joiningScalars() {
    for alphabet in Self.alphabets {
      TextSearchTests.forEachPair(4_000, of: alphabet, check)
    }
  }

  @Test("Searches in all short texts of line ends and accents equal the standard library's")
  func shortTexts() {
    var texts = [""]
    var longest = [""]
    for _ in 0..<4 {
      longest = longest.flatMap { text in ["\r", "\n", "e", "\u{301}"].map { text + $0 } }
      texts += longest
    }
    for pattern in texts where pattern.unicodeScalars.count < 4 {
      for text in texts { check(text, pattern) }
    }
  }

  @Test("A search takes time in proportion to both texts, whatever their contents are", .timeLimit(.minutes(5)))
  func linearTime() {
    // As bytes the pattern occurs at every other position, as characters at none.
    let lines = String(repeating: "\r\n", count: 1_000_000)
    let halves = "\n" + String(repeating: "\r\n", count: 250_000)
    expect(halves, isIn: lines, false)
    expect(halves, isIn: "\n" + lines, true)
    let letters = String(repeating: "é", count: 400_000)
    expect(String(letters.prefix(100_000)) + "b", isIn: letters, false)
    expect(String(letters.prefix(100_000)) + "b", isIn: letters + "b", true)
    // A single character, for whose comparison the standard library sorts the accents by insertion.
    let marks = "e" + String(repeating: "\u{301}", count: 200_000) + String(repeating: "\u{316}", count: 200_000)
    let sorted = "e" + String(repeating: "\u{316}", count: 200_000) + String(repeating: "\u{301}", count: 200_000)
    expect(sorted, isIn: "a" + marks, true)
    expect("e\u{301}", isIn: marks, false)
    #expect(TextSearchTests.bytes(of: marks) { CharacterSearch(for: sorted).isBeginning(of: $0) })
    #expect(!TextSearchTests.bytes(of: marks) { CharacterSearch(for: "e\u{301}").isBeginning(of: $0) })
  }

  private func expect(_ pattern: String, isIn text: String, _ isExpected: Bool) {
    #expect(TextSearchTests.bytes(of: text) { CharacterSearch(for: pattern).isFound(in: $0) } == isExpected)
  }
}

// Foundation's overloads for strings have other rules. Generic code calls the standard library's.
extension Collection where Element: Equatable {
  fileprivate func hasCharacters(of other: Self) -> Bool { contains(other) }
  fileprivate func beginsWithCharacters(of other: Self) -> Bool { starts(with: other) }
}
