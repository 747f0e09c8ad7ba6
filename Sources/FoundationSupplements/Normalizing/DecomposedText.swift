import Foundation
@_spi(_Unicode) import Swift

/// The UTF-8 of a text in Unicode's normal form D, which equal texts share.
///
/// It takes linear time. The standard library and ICU sort consecutive marks by insertion: a malicious text of a million
/// accents would keep them busy for hours.
package struct DecomposedText: ~Copyable {
  private var buffer: GrowingBytes
  /// The run of marks at the end: its start, its count, the class of the last mark, and whether the marks are in the order of
  /// their classes.
  private var run = (start: 0, count: 0, last: UInt8(0), isSorted: true)
  /// The length of the longest run of marks.
  private(set) var longestRun = 0

  /// The number of bytes that the standard library normalizes at a time.
  private static let pieceSize = 256

  /// - Parameters:
  ///   - text: UTF-8; invalid bytes are repaired.
  ///   - limit: The maximum size of the result.
  package init(_ text: UnsafeRawBufferPointer, limit: Int = .max) throws(TextFailure) {
    buffer = GrowingBytes(limit: limit)
    var rest = text
    while !rest.isEmpty {
      let size = Self.size(ofPieceOf: rest)
      try append(UnsafeRawBufferPointer(rebasing: rest[..<size]))
      rest = UnsafeRawBufferPointer(rebasing: rest[size...])
    }
    try finishRun()
  }

  package var bytes: UnsafeRawBufferPointer { buffer.bytes }

  /// A text can be split where a scalar begins; where none begins within four bytes, it is invalid and can be split anywhere.
  private static func size(ofPieceOf text: UnsafeRawBufferPointer) -> Int {
    guard text.count > pieceSize else { return text.count }
    return (pieceSize - 3...pieceSize).last { text[$0] & 0xC0 != 0x80 } ?? pieceSize
  }

  private mutating func append(_ piece: UnsafeRawBufferPointer) throws(TextFailure) {
    if ByteSearch.isASCII(piece) {
      try finishRun()
      return try buffer.append(piece)
    }
    for scalar in String(decoding: piece, as: UTF8.self)._nfd {
      let combiningClass = Marks.combiningClass(of: scalar)
      if combiningClass == 0 {
        if run.count > 0 { try finishRun() }
      } else {
        if run.count == 0 { run.start = buffer.count }
        run.isSorted = run.isSorted && run.last <= combiningClass
        run.last = combiningClass
        run.count += 1
      }
      let units = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      let end = try buffer.reserve(units.count)
      for (index, unit) in units.enumerated() { end[index] = unit }
      buffer.grow(by: units.count)
    }
  }

  /// Ends a run of marks. Its pieces are in order, and the sort is stable.
  private mutating func finishRun() throws(TextFailure) {
    longestRun = max(longestRun, run.count)
    if !run.isSorted { try buffer.withBytes(from: run.start, Self.sort) }
    run = (start: 0, count: 0, last: 0, isSorted: true)
  }

  private static func sort(_ marks: UnsafeMutableBufferPointer<UInt8>) throws(TextFailure) {
    guard let start = marks.baseAddress else { return }
    guard let copy = malloc(marks.count) else { throw .noMemory }
    defer { free(copy) }
    copy.copyMemory(from: start, byteCount: marks.count)
    let source = UnsafeRawBufferPointer(start: copy, count: marks.count)
    // The next position of each class.
    var places = [Int](repeating: 0, count: 257)
    forEachScalar(of: source) { places[Int($0) + 1] += $1.count }
    for index in 1..<places.count { places[index] += places[index - 1] }
    forEachScalar(of: source) { combiningClass, bytes in
      for byte in bytes {
        marks[places[Int(combiningClass)]] = byte
        places[Int(combiningClass)] += 1
      }
    }
  }

  private static func forEachScalar(
    of text: UnsafeRawBufferPointer, _ body: (_ combiningClass: UInt8, UnsafeRawBufferPointer) -> Void
  ) {
    var place = 0
    while place < text.count {
      let (scalar, length) = UTF8Scalar.decode(UnsafeRawBufferPointer(rebasing: text[place...]))
      body(scalar.map(Marks.combiningClass) ?? 0, UnsafeRawBufferPointer(rebasing: text[place..<place + length]))
      place += length
    }
  }

  /// The beginning of the text, with limited runs of marks; nil when that is the whole text.
  func head(longerThan longest: Int, marks longestRun: Int) throws(TextFailure) -> GrowingBytes? {
    guard bytes.count > longest || self.longestRun > longestRun else { return nil }
    var head = GrowingBytes(limit: longest)
    var run = 0
    var place = 0
    while place < bytes.count {
      let (scalar, length) = UTF8Scalar.decode(UnsafeRawBufferPointer(rebasing: bytes[place...]))
      run = scalar.map(Marks.combiningClass) ?? 0 == 0 ? 0 : run + 1
      if run <= longestRun {
        guard head.count + length <= longest else { break }
        try head.append(UnsafeRawBufferPointer(rebasing: bytes[place..<place + length]))
      }
      place += length
    }
    return head
  }
}

extension DecomposedText {
  /// The longest run of marks that the standard library normalizes.
  private static let plainRun = 64

  /// The text, or an equal text whose normal forms the standard library computes without sorting many marks.
  package static func withMarksInOrder(_ text: String) -> String {
    whereMarksAreMany(text) { String(decoding: $0.bytes, as: UTF8.self) }
  }

  /// The text without the marks after the first ones of each long run.
  static func withFewMarks(_ text: String) -> String {
    whereMarksAreMany(text) { decomposed in
      guard let head = try? decomposed.head(longerThan: .max, marks: plainRun) else { return nil }
      return String(decoding: head.bytes, as: UTF8.self)
    }
  }

  private static func whereMarksAreMany(_ text: String, _ body: (borrowing DecomposedText) -> String?) -> String {
    if text.utf8.count <= plainRun { return text }
    var text = text
    let other = text.withUTF8 { bytes -> String? in
      let bytes = UnsafeRawBufferPointer(bytes)
      guard Marks.mayHaveRun(longerThan: plainRun, in: bytes), let decomposed = try? DecomposedText(bytes) else {
        return nil
      }
      return body(decomposed)
    }
    return other ?? text
  }
}
