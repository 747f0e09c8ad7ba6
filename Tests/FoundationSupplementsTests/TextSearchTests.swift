import Foundation
import Testing

@testable import FoundationSupplements

@Suite("Text searches compared with the standard library and Foundation")
struct TextSearchTests {
  /// Letters that stand for two, have several forms, join with others, or have no form of their own.
  static let scalars = Array(
    """
    abIiKkSsfFlL;` \r\n\0ıİſßẞﬁﬂŉǰΐΰᾳᾲαιΑΙςσΣ\u{345}\u{301}\u{300}\u{327}\u{307}\u{308}éèë\u{212B}\u{212A}Ａａｶﾞガ\
    カÆœＫ각가\u{1100}\u{1161}\u{11A8}\u{200D}\u{200C}\u{FE0F}\u{1F3FB}👩👧🇩🇪🇫\u{AD}\u{FEFF}\u{202E}\u{34F}\u{600}\u{915}\u{94D}\
    \u{937}\u{93F}\u{E01}\u{E33}אָ\u{5B0}آ\u{627}\u{653}ǅЖйё\u{2126}µ\u{1E9B}\u{20E3}1①\u{1FEF}\u{37E}
    """.unicodeScalars)

  /// Pairs of a text and a pattern, many of which have scalars in common.
  static func forEachPair(_ count: Int, of scalars: [Unicode.Scalar], _ body: (String, String) throws -> Void) rethrows
  {
    var numbers = Numbers(state: 18)
    func text(_ scalars: [Unicode.Scalar], _ length: Int) -> String {
      var text = String.UnicodeScalarView()
      for _ in 0..<length { text.append(scalars[numbers.next(scalars.count)]) }
      return String(text)
    }
    for number in 0..<count {
      let few = number % 3 == 0 ? scalars : (0...numbers.next(4)).map { _ in scalars[numbers.next(scalars.count)] }
      try body(text(few, numbers.next(number % 50 == 0 ? 90 : 9)), text(few, numbers.next(5)))
    }
  }

  static func bytes<Result>(of text: String, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    var text = text
    return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
  }

  static func isFolded(_ pattern: String, in text: String) -> Bool {
    Self.bytes(of: FoldedText.folded(text)) { ByteSearch.find(Array(FoldedText.folded(pattern).utf8), in: $0) != nil }
  }

  @Test("Searches in plain texts equal Foundation's")
  func plainTexts() {
    let ascii = (0..<0x80).compactMap { Unicode.Scalar($0 as Int) }
    for scalars in [ascii, Array("aAbB".unicodeScalars), Array("iI\r\n\0".unicodeScalars)] {
      Self.forEachPair(10_000, of: scalars) { text, pattern in
        #expect(
          LocalizedSearch(for: pattern).isFound(in: text) == text.localizedStandardContains(pattern),
          "\(text.debugDescription) \(pattern.debugDescription)")
      }
    }
  }

  @Test("Searches in any texts equal Foundation's, except for letters that stand for two")
  func anyTexts() {
    Self.forEachPair(30_000, of: Self.scalars) { text, pattern in
      let isExpected = text.localizedStandardContains(pattern)
      let isFound = LocalizedSearch(for: pattern).isFound(in: text)
      let hasLongLetter = pattern.unicodeScalars.contains { FoldedText.folded(String($0)).unicodeScalars.count > 1 }
      if hasLongLetter {
        #expect(!isFound || isExpected, "\(text.debugDescription) \(pattern.debugDescription)")
      } else {
        #expect(isFound == isExpected, "\(text.debugDescription) \(pattern.debugDescription)")
      }
    }
  }

  @Test("A letter that stands for two is found in both, and not in one of them beside another letter")
  func longLetters() {
    #expect(LocalizedSearch(for: "ß").isFound(in: "STRASSE"))
    #expect(LocalizedSearch(for: "STRASSE").isFound(in: "Straße"))
    #expect(LocalizedSearch(for: "fi").isFound(in: "ﬁn"))
    #expect(!LocalizedSearch(for: "ß").isFound(in: "sǰ"))
    #expect(!LocalizedSearch(for: "각").isFound(in: "가1\u{1F3FB}"))
  }

  @Test("Characters that are equal in a Foundation search fold alike", arguments: 0..<8)
  func everyCharacter(part: Int) {
    let special = (UInt32(0)..<0x2_0000).compactMap(Unicode.Scalar.init).filter {
      !(0xAC00...0xD7A3).contains($0.value)
        && FoldedText.folded(String($0)).utf8.elementsEqual(String($0).utf8) == false
    }
    #expect(special.count > 4500)
    let all = "|" + special.map(String.init).joined(separator: "|")
    let text = all as NSString
    for scalar in stride(from: part * 31, to: special.count, by: 8 * 31).map({ special[$0] }) {
      var rest = NSRange(location: 0, length: text.length)
      for _ in 0..<8 {
        let range = text.range(
          of: String(scalar), options: [.caseInsensitive, .diacriticInsensitive], range: rest, locale: .current)
        if range.location == NSNotFound { break }
        let found = text.substring(with: range)
        #expect(
          Self.isFolded(String(scalar), in: found), "\(String(scalar.value, radix: 16)) \(found.debugDescription)")
        rest.location = range.location + max(1, range.length)
        rest.length = text.length - rest.location
      }
    }
  }

  @Test("Only Korean folds to more than eight bytes, and folded texts have no zero bytes")
  func foldedLengths() {
    for value in UInt32(0)..<0x2_0000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let folded = FoldedText.folded(String(scalar)).utf8
      #expect(!folded.contains(0))
      #expect(folded.count <= 8 || (0xAC00...0xD7A3).contains(value), "\(String(value, radix: 16))")
    }
    #expect(FoldedText.folded("각가") == "\u{1100}\u{1161}\u{11A8}\u{1100}\u{1161}")
  }

  @Test("Foundation finds no pattern that folds to nothing in ASCII texts")
  func emptyPatterns() {
    let texts = ["a", "The quick brown fox, 0123456789", "\t\r\n !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"]
    // The planes between have no characters, the later ones no rules.
    for value in [UInt32(0)...0x3_FFFF, 0xE_0000...0xE_FFFF].joined() {
      guard let scalar = Unicode.Scalar(value), FoldedText.folded(String(scalar)).isEmpty else { continue }
      for text in texts { #expect(!text.localizedStandardContains(String(scalar)), "\(String(value, radix: 16))") }
    }
  }

  @Test("Searches with many accents take linear time", .timeLimit(.minutes(5)))
  func manyAccents() {
    // Foundation takes time quadratic in their number: a quarter of an hour.
    let marks = String(repeating: "\u{316}\u{301}", count: 100_000)
    #expect(LocalizedSearch(for: "a\u{316}b").isFound(in: "e" + marks + "A" + marks + "B"))
    #expect(!LocalizedSearch(for: marks).isFound(in: String(repeating: "a", count: 1_000_000)))
    let accents = String(repeating: "\u{301}", count: 100_000)
    #expect(LocalizedSearch(for: accents).isFound(in: String(repeating: "e\u{301}", count: 1_000)))
    let letters = String(repeating: "é", count: 100_000)
    #expect(LocalizedSearch(for: "e" + marks + "x").isFound(in: letters + "ex"))
    #expect(!LocalizedSearch(for: "e" + marks + "y").isFound(in: letters + "ex"))
    #expect(
      LocalizedOrder.compare("a" + marks, "a" + String(repeating: "\u{301}\u{316}", count: 100_000)) == .orderedSame)
    #expect(LocalizedOrder.compare("a" + marks, "b" + marks) == .orderedAscending)
  }

  @Test("Invalid UTF-8 is repaired")
  func brokenBytes() {
    let bytes: [UInt8] = [0x61, 0xFF, 0xC3, 0x62]
    bytes.withUnsafeBytes { text in
      #expect(LocalizedSearch(for: "B").isFound(in: text))
      #expect(LocalizedSearch(for: "\u{FFFD}").isFound(in: text))
      #expect(CharacterSearch(for: "b").isFound(in: text))
      #expect(!CharacterSearch(for: "c").isFound(in: text))
    }
    #expect(!LocalizedSearch(for: "").isFound(in: ""))
    #expect(CharacterSearch(for: "").isFound(in: UnsafeRawBufferPointer(start: nil, count: 0)))
    #expect(!LocalizedSearch(for: "a").isFound(in: UnsafeRawBufferPointer(start: nil, count: 0)))
  }
}

/// The same numbers each time.
private struct Numbers {
  var state: UInt64

  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}
