/// Iterates over the elements of a JSON array or object, once and in order.
struct JSONWalk {
  private var reader: JSONReader
  private let isObject: Bool
  /// The range of the name of the current element, without its quotes; nil in an array.
  private(set) var name: Range<Int>?
  /// The range of the current element; nil after the last one.
  private(set) var value: Range<Int>?

  /// - Parameter bytes: Must outlive the walk.
  /// - Returns: Nil when the bytes are not an array or object in JSON.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard JSONSyntax.isValid(bytes) else { return nil }
    reader = JSONReader(bytes)
    isObject = reader.take("{")
    guard isObject || reader.take("[") else { return nil }
    takeElement()
  }

  mutating func advance() {
    value = nil
    if reader.take(",") { takeElement() }
  }

  private mutating func takeElement() {
    if isObject {
      name = reader.takeQuoted()
      guard name != nil, reader.take(":") else { return }
    }
    value = reader.takeValue()
  }

  // MARK: Elements

  enum Content {
    case null
    case truth(Bool)
    case number(String)
    /// UTF-8, valid as long as the JSON.
    case bytes(Slice<UnsafeBufferPointer<UInt8>>)
    case text(String)
  }

  /// The content of the current element. For an array or object it is the JSON.
  var content: Content {
    guard let value else { return .null }
    let bytes = reader.bytes[value]
    switch bytes.first {
    case UInt8(ascii: "\""): return text(in: value.lowerBound + 1..<value.upperBound - 1)
    case UInt8(ascii: "["), UInt8(ascii: "{"): return .bytes(bytes)
    case UInt8(ascii: "t"): return .truth(true)
    case UInt8(ascii: "f"): return .truth(false)
    case nil, UInt8(ascii: "n"): return .null
    default: return .number(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// The text between two quotes.
  func text(in content: Range<Int>) -> Content {
    let bytes = reader.bytes[content]
    return bytes.contains(UInt8(ascii: "\\")) ? .text(reader.text(in: content)) : .bytes(bytes)
  }
}
