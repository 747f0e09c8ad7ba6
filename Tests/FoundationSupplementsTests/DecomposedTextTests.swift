import Foundation
import Testing

@testable import FoundationSupplements

@Suite("Decomposed texts")
struct DecomposedTextTests {
  private func decomposed(_ text: some Collection<UInt8>, limit: Int = .max) throws -> [UInt8] {
    try Array(text).withUnsafeBytes { bytes in
      let decomposed = try DecomposedText(bytes, limit: limit)
      return Array(decomposed.bytes)
    }
  }

  /// Unicode's algorithm: decomposes each scalar, and sorts marks by their classes.
  private func reference(_ text: String) -> [UInt8] {
    var scalars = String.UnicodeScalarView()
    var marks: [Unicode.Scalar] = []
    func combiningClass(_ scalar: Unicode.Scalar) -> UInt8 { scalar.properties.canonicalCombiningClass.rawValue }
    func flush() {
      let sorted = marks.enumerated().sorted {
        (combiningClass($0.element), $0.offset) < (combiningClass($1.element), $1.offset)
      }
      scalars.append(contentsOf: sorted.map(\.element))
      marks = []
    }
    for scalar in text.unicodeScalars.flatMap({ String($0).decomposedStringWithCanonicalMapping.unicodeScalars }) {
      if combiningClass(scalar) == 0 {
        flush()
        scalars.append(scalar)
      } else {
        marks.append(scalar)
      }
    }
    flush()
    return Array(String(scalars).utf8)
  }

  @Test("The form is Unicode's NFD, however long the text and its runs of marks are")
  func normalForm() throws {
    let scalars: [Unicode.Scalar] = [
      "a", "é", "ệ", "ᾇ", "\u{301}", "\u{316}", "\u{344}", "\u{345}", "\u{F71}", "\u{F73}", "\u{F81}", "\u{34F}", "각",
      "\u{1D15E}", "\u{1D165}", "\u{1D16D}", "\u{0}", "\u{10FFFF}",
    ]
    var state: UInt64 = 5
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    for length in Array(0..<300) + [1_000, 5_000] {
      let few = (0...random(5)).map { _ in scalars[random(scalars.count)] }
      var text = String.UnicodeScalarView()
      for _ in 0..<length { text.append(few[random(few.count)]) }
      let expected = reference(String(text))
      #expect(try decomposed(String(text).utf8) == expected, "\(few) \(length)")
    }
  }

  @Test("Invalid UTF-8 is repaired as in strings, wherever a chunk ends")
  func brokenTexts() throws {
    for pattern: [UInt8] in [
      [0xFF], [0x80], [0xF0, 0x9F, 0x98], [0xE2, 0x84], [0xC3], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98, 0x80, 0x80],
      [0x61, 0xCC, 0x81, 0xCC],
    ] {
      for before in 0..<5 {
        let bytes = [UInt8](repeating: 0x61, count: before) + Array(repeatElement(pattern, count: 300).joined())
        let expected = String(decoding: bytes, as: UTF8.self).decomposedStringWithCanonicalMapping
        #expect(try decomposed(bytes) == Array(expected.utf8), "\(pattern) after \(before)")
      }
    }
  }

  @Test("A text whose form exceeds the limit has none")
  func limits() throws {
    #expect(try decomposed("éé".utf8, limit: 6).count == 6)
    #expect(throws: TextFailure.tooLong) { try decomposed("éé".utf8, limit: 5) }
    #expect(throws: TextFailure.tooLong) { try decomposed(Array(repeating: 0x61, count: 1_000), limit: 999) }
  }

  @Test("Failing to allocate memory for bytes is an error")
  func noMemory() {
    var bytes = GrowingBytes(limit: .max)
    var failure: TextFailure?
    do throws(TextFailure) {
      try bytes.append(1)
      _ = try bytes.reserve(.max / 2)
    } catch {
      failure = error
    }
    #expect(failure == .noMemory)
    #expect(bytes.count == 1)
  }

  @Test("The check for long runs of marks misses none, in any form of the text")
  func longRuns() throws {
    for value in UInt32(0x80)..<0x2_0000 {
      guard let scalar = Unicode.Scalar(value), value < 0x3400 || value > 0xDFFF else { continue }
      for text in [String(repeating: String(scalar), count: 5), "ᾇ" + String(scalar) + String(scalar)] {
        let scalars = text.decomposedStringWithCanonicalMapping.unicodeScalars
        let marks = scalars.split { $0.properties.canonicalCombiningClass == .notReordered }.map(\.count).max() ?? 0
        for number in 3..<max(3, marks) {
          let isSuspected = Array(text.utf8).withUnsafeBytes { Marks.mayHaveRun(longerThan: number, in: $0) }
          #expect(isSuspected, "\(String(value, radix: 16))")
        }
      }
    }
    let plain = String(repeating: "Grüße aus 東京, e\u{301}e\u{301}\u{316} ", count: 20)
    #expect(!Array(plain.utf8).withUnsafeBytes { Marks.mayHaveRun(longerThan: 64, in: $0) })
  }
}
