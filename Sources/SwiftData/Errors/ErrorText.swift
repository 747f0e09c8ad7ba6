/// What errors of others say, without the values that they are about: those may be private, and descriptions end up in
/// logs.
enum ErrorText {
  static func withoutValues(_ error: any Error) -> String {
    switch error {
    case let error as DecodingError:
      switch error {
      case .typeMismatch(let type, let context): "a \(type) is expected\(place(context.codingPath))"
      case .valueNotFound(let type, let context): "a \(type) is missing\(place(context.codingPath))"
      case .keyNotFound(_, let context): "a key is missing\(place(context.codingPath))"
      case .dataCorrupted(let context): "what is stored cannot be decoded\(place(context.codingPath))"
      @unknown default: "what is stored cannot be decoded"
      }
    case EncodingError.invalidValue(let value, let context):
      "a \(type(of: value)) cannot be encoded\(place(context.codingPath))"
    default:
      String(describing: error)
    }
  }

  static func unusableFile(_ file: String, _ error: any Error) -> String {
    "\(file) cannot be used: \(error)"
  }

  /// Where in a value an error occurred. The keys of a dictionary are values.
  private static func place(_ path: [any CodingKey]) -> String {
    if path.isEmpty { return "" }
    let names = path.map { key -> String in
      if let index = key.intValue { return "\(index)" }
      return isOfDictionary(key) ? "…" : key.stringValue
    }
    return " at \(names.joined(separator: "."))"
  }

  /// Whether a key is not one that a type has declared. Those of the coders themselves have names with an underscore.
  private static func isOfDictionary(_ key: any CodingKey) -> Bool {
    String(describing: type(of: key)).hasPrefix("_")
  }
}
