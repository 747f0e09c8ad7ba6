import Relational
import Testing

@Suite("The range of the texts with a prefix")
struct TextPrefixTests {
  @Test(
    "The range of a prefix ends at the next text that begins otherwise",
    arguments: [
      ("a", "b"), ("ab", "ac"), ("az", "a{"), ("a\u{7F}", "a\u{80}"), ("\u{7FF}", "\u{800}"),
      ("\u{FFFF}", "\u{10000}"), ("x\u{D7FF}", "x\u{E000}"), ("a\u{10FFFF}", "b"), ("é", "ê"), ("e\u{301}", "e\u{302}"),
      ("\0", "\u{1}"), ("👍🏽", "👍🏾"),
    ])
  func endOfRange(prefix: String, bound: String) throws {
    let upperBound = try #require(TextPrefix(prefix).upperBound)
    #expect(Array(upperBound.unicodeScalars) == Array(bound.unicodeScalars))
  }

  @Test("No text follows a prefix of the highest scalars", arguments: ["", "\u{10FFFF}", "\u{10FFFF}\u{10FFFF}"])
  func noEnd(prefix: String) {
    #expect(TextPrefix(prefix).upperBound == nil)
  }

  @Test("Exactly the texts with the prefix are in its range")
  func exactRange() {
    let letters: [Unicode.Scalar] = ["\0", "a", "\u{7F}", "\u{80}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10FFFF}"]
    var texts: [[Unicode.Scalar]] = [[]]
    for _ in 0..<3 { texts += texts.flatMap { text in letters.map { text + [$0] } } }
    let samples = Set(texts)
    for prefix in samples where (1...2).contains(prefix.count) {
      let lower = Array(string(prefix).utf8)
      let upper = TextPrefix(string(prefix)).upperBound.map { Array($0.utf8) }
      for text in samples {
        let bytes = Array(string(text).utf8)
        let isInRange =
          !bytes.lexicographicallyPrecedes(lower) && (upper.map { bytes.lexicographicallyPrecedes($0) } ?? true)
        #expect(isInRange == text.starts(with: prefix))
      }
    }
  }

  private func string(_ scalars: [Unicode.Scalar]) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
