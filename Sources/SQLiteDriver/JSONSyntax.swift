/// Validates JSON, up to a limited depth of nested arrays and objects.
struct JSONSyntax {
  private var reader: JSONReader
  private var depth = 0

  /// Foundation's limit is half as deep.
  private static let depthLimit = 1000

  static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var syntax = JSONSyntax(reader: JSONReader(bytes))
    // For each array and object around the current position: whether it is an object.
    return withUnsafeTemporaryAllocation(of: Bool.self, capacity: depthLimit) { syntax.takeAll($0) }
  }

  /// Not recursive: recursion would use as much stack as the input has nested brackets.
  private mutating func takeAll(_ isObject: UnsafeMutableBufferPointer<Bool>) -> Bool {
    while true {
      guard let opens = takeStart() else { return false }
      if let opens {
        guard depth < isObject.count else { return false }
        isObject[depth] = opens == .object
        depth += 1
        if opens == .object { guard takeName() else { return false } }
        continue
      }
      // A value has ended, and with it the arrays and objects of which it is the last element.
      while depth > 0 {
        if reader.take(",") {
          if isObject[depth - 1] { guard takeName() else { return false } }
          break
        }
        guard reader.take(isObject[depth - 1] ? "}" : "]") else { return false }
        depth -= 1
      }
      if depth == 0 {
        reader.skipSpace()
        return reader.next == nil
      }
    }
  }

  private enum Container {
    case array, object
  }

  /// Skips a scalar or an empty container, or the opening of another container.
  ///
  /// - Returns: The container that was opened, if any; nil when there is no value.
  private mutating func takeStart() -> Container?? {
    reader.skipSpace()
    switch reader.next {
    case UInt8(ascii: "["):
      reader.skip(1)
      return .some(reader.take("]") ? nil : .array)
    case UInt8(ascii: "{"):
      reader.skip(1)
      return .some(reader.take("}") ? nil : .object)
    case UInt8(ascii: "\""):
      return takeText() ? .some(nil) : nil
    case UInt8(ascii: "t"): return takeWord("true") ? .some(nil) : nil
    case UInt8(ascii: "f"): return takeWord("false") ? .some(nil) : nil
    case UInt8(ascii: "n"): return takeWord("null") ? .some(nil) : nil
    default: return takeNumber() ? .some(nil) : nil
    }
  }

  private mutating func takeName() -> Bool {
    reader.skipSpace()
    return takeText() && reader.take(":")
  }

  private mutating func takeWord(_ word: StaticString) -> Bool {
    for index in 0..<word.utf8CodeUnitCount {
      guard reader.next == word.utf8Start[index] else { return false }
      reader.skip(1)
    }
    return true
  }

  private mutating func takeText() -> Bool {
    guard let content = reader.takeQuoted() else { return false }
    var index = content.lowerBound
    while index < content.upperBound {
      let byte = reader.bytes[index]
      if byte < 0x20 { return false }
      index += 1
      guard byte == UInt8(ascii: "\\") else { continue }
      guard index < content.upperBound else { return false }
      let letter = reader.bytes[index]
      index += 1
      switch letter {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
        UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
        break
      case UInt8(ascii: "u"):
        guard content.upperBound - index >= 4, reader.bytes[index..<index + 4].allSatisfy(Self.isHexadecimal) else {
          return false
        }
        index += 4
      default:
        return false
      }
    }
    return true
  }

  private mutating func takeNumber() -> Bool {
    if reader.next == UInt8(ascii: "-") { reader.skip(1) }
    if reader.next == UInt8(ascii: "0") {
      reader.skip(1)
    } else {
      guard takeDigits() else { return false }
    }
    if reader.next == UInt8(ascii: ".") {
      reader.skip(1)
      guard takeDigits() else { return false }
    }
    if reader.next == UInt8(ascii: "e") || reader.next == UInt8(ascii: "E") {
      reader.skip(1)
      if reader.next == UInt8(ascii: "+") || reader.next == UInt8(ascii: "-") { reader.skip(1) }
      guard takeDigits() else { return false }
    }
    return true
  }

  private mutating func takeDigits() -> Bool {
    let start = reader.position
    while let byte = reader.next, byte &- UInt8(ascii: "0") < 10 { reader.skip(1) }
    return reader.position > start
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6
  }
}
