import Foundation
import Relational
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Text in SQL")
struct StringFunctionTests {
  @Test("Normalized text is equal and ordered as in Swift", arguments: Fleet.texts)
  func normalization(text: String) {
    for other in Fleet.texts {
      let (left, right) = (CanonicalText.normalized(text), CanonicalText.normalized(other))
      #expect((Array(left.utf8) == Array(right.utf8)) == (text == other))
      #expect(left.utf8.lexicographicallyPrecedes(right.utf8) == (text < other))
    }
  }

  @Test("Normalizing many accents in a row takes linear time", .timeLimit(.minutes(5)))
  func manyAccents() {
    // The insertion sort of the standard library would take minutes.
    let accents = String(repeating: "\u{301}", count: 400_000) + String(repeating: "\u{316}", count: 400_000)
    let sorted = String(repeating: "\u{316}", count: 400_000) + String(repeating: "\u{301}", count: 400_000)
    let normalized = CanonicalText.normalized("e" + accents)
    #expect(Array(normalized.utf8) == Array(CanonicalText.normalized("e" + sorted).utf8))
    #expect(normalized.unicodeScalars.first == "é" && normalized.unicodeScalars.count == 800_000)
  }

  @Test("Every text that equals an ASCII text is found", arguments: ["", "a", "K", "DK;`", "KKKK", "é"])
  func equalTexts(text: String) {
    let texts = CanonicalText(text).equalTexts
    #expect((texts == nil) == ["KKKK", "é"].contains(text))
    #expect(texts?.allSatisfy { $0 == text } ?? true)
    #expect(texts.map { Set($0.map { Array($0.utf8) }).count == $0.count } ?? true)
  }

  @Test("No other characters equal ASCII ones")
  func singletons() {
    let equal = (UInt32(0x80)...0x10FFFF).compactMap(Unicode.Scalar.init).filter { scalar in
      CanonicalText.normalized(String(scalar)).unicodeScalars.allSatisfy(\.isASCII)
    }
    #expect(equal == ["\u{37E}", "\u{1FEF}", "\u{212A}"])
  }

  @Test("A stable prefix is contained, byte by byte, in all equal texts")
  func prefixes() {
    #expect(CanonicalText("abc").stablePrefix == "abc")
    #expect(CanonicalText("Café").stablePrefix == "Ca")
    #expect(CanonicalText("DK").stablePrefix == "D")
    #expect(CanonicalText("é").stablePrefix == "")
    #expect(CanonicalText("e\u{301}").stablePrefix == "")
  }

  @Test("Functions return null without a text", arguments: StringFunctions.all.map(\.name))
  func nulls(name: String) throws {
    let function = try #require(StringFunctions.all.first { $0.name == name })
    #expect(try function.evaluate(Array(repeating: .null, count: function.argumentCount)) == .null)
  }
}
