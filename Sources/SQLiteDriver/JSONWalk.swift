/// Goes through the elements of a JSON array or object once, from the first to the last.
struct JSONWalk {
  private var reader: JSONReader
  private let isObject: Bool
  /// Where the name of the current element is, without its quotes; nil in an array.
  private(set) var name: Range<Int>?
  /// Where the current element is; nil behind the last one.
  private(set) var value: Range<Int>?

  /// - Parameter bytes: Lent for as long as the walk is used.
  /// - Returns: Nil when the bytes are no array or object in JSON.
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
    /// UTF-8, which is lent for as long as the JSON is.
    case bytes(Slice<UnsafeBufferPointer<UInt8>>)
    case text(String)
  }

  /// The current element. One that has others is the JSON of it.
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
