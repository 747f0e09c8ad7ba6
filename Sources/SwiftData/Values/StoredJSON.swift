import Foundation

/// The JSON encoding of values that have no columns of their own.
enum StoredJSON {
  static func makeDecoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }

  static func makeEncoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    // Equal values have equal text, if their own encoding is deterministic.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  /// - Throws: The error of the value's own encoding, or an error for a value that could not be decoded again: a `Decimal`
  ///   that is NaN, which Foundation writes without quotes, and a value that is nested too deep.
  static func encode(_ value: some Encodable, by encoder: JSONEncoder) throws -> Data {
    let data = try encoder.encode(value)
    func refuse(_ reason: String) throws -> Never {
      throw EncodingError.invalidValue(value, EncodingError.Context(codingPath: [], debugDescription: reason))
    }
    if hasBareNaN(data) { try refuse("A Decimal in it is NaN, which JSON does not have.") }
    if isTooDeep(data) { try refuse("It is nested more than \(depthLimit) levels deep.") }
    return data
  }

  /// The depth that Foundation can decode.
  private static let depthLimit = 512

  private static func isTooDeep(_ data: Data) -> Bool {
    guard data.count > 2 * depthLimit else { return false }
    var depth = 0
    var isInString = false
    var isEscaped = false
    return data.contains { byte in
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\""): isInString.toggle()
      case _ where isInString: isEscaped = byte == UInt8(ascii: "\\")
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
      return depth > depthLimit
    }
  }

  /// Whether there is an `N` outside of strings: no JSON literal has one.
  private static func hasBareNaN(_ data: Data) -> Bool {
    let (letter, quote, backslash) = (UInt8(ascii: "N"), UInt8(ascii: "\""), UInt8(ascii: "\\"))
    return data.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, memchr(start, Int32(letter), bytes.count) != nil else { return false }
      var isInString = false
      var isEscaped = false
      for byte in bytes {
        if isEscaped {
          isEscaped = false
        } else if byte == quote {
          isInString.toggle()
        } else if isInString {
          isEscaped = byte == backslash
        } else if byte == letter {
          return true
        }
      }
      return false
    }
  }
}
