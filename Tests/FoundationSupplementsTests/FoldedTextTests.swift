import Testing

@testable import FoundationSupplements

@Suite("Folded texts for searches")
struct FoldedTextTests {
  private func folded(_ bytes: [UInt8]) -> [UInt8] {
    var folded: [[UInt8]] = []
    bytes.withUnsafeBytes { text in FoldedText.withFolded(text) { folded.append(Array($0)) } }
    #expect(folded.count == 1)
    return folded.first ?? []
  }

  @Test("Bytes fold like their text, ASCII or not")
  func bytes() {
    for value in UInt8(1)..<0x80 {
      for count in [1, 7, 8, 9, 20] {
        let text = String(repeating: String(UnicodeScalar(value)), count: count)
        #expect(folded(Array(text.utf8)) == Array(FoldedText.folded(text).utf8))
      }
    }
    for text in ["", "\0", "a\0b", "Straße", "É", "e\u{301}", "각", "\u{3b9}", "İI"]
      + TextSearchTests.scalars.map({ "x\($0)y" })
    {
      #expect(folded(Array(text.utf8)) == Array(FoldedText.folded(text).utf8), "\(text.debugDescription)")
    }
    #expect(folded([0x61, 0xFF, 0x42]) == Array("a\u{fffd}b".utf8))
    #expect(folded([0xED, 0xA0, 0x80]) == Array("\u{fffd}\u{fffd}\u{fffd}".utf8))
  }

  @Test("Folding a folded scalar changes nothing, and gives no zero byte")
  func stability() {
    for value in (0...0x2FFF as ClosedRange<UInt32>) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let once = FoldedText.folded(String(scalar))
      #expect(FoldedText.folded(once) == once, "\(value)")
      #expect(!once.utf8.contains(0))
    }
  }

  @Test("The name of the rules can be part of another name")
  func name() {
    #expect(FoldedText.rules == FoldedText.rules)
    #expect(FoldedText.rules.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || $0 == UInt8(ascii: "_") })
    #expect(FoldedText.rules.hasPrefix("1_"))
  }
}
