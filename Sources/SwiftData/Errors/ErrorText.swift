/// Descriptions of errors without values, because descriptions are logged and values may be private.
enum ErrorText {
  static func withoutValues(_ error: any Error) -> String {
    switch error {
    case let error as DecodingError:
      switch error {
      case .typeMismatch(let type, let context): "a \(type) is expected\(location(context.codingPath))"
      case .valueNotFound(let type, let context): "a \(type) is missing\(location(context.codingPath))"
      case .keyNotFound(_, let context): "a key is missing\(location(context.codingPath))"
      case .dataCorrupted(let context): "the stored data cannot be decoded\(location(context.codingPath))"
      @unknown default: "the stored data cannot be decoded"
      }
    case EncodingError.invalidValue(let value, let context):
      "a \(type(of: value)) cannot be encoded\(location(context.codingPath))"
    default:
      String(describing: error)
    }
  }

  static func unusableFile(_ file: String, _ error: any Error) -> String {
    "\(file) cannot be used: \(error)"
  }

  /// The coding path of an error. The keys of a dictionary are values, and are left out.
  private static func location(_ path: [any CodingKey]) -> String {
    if path.isEmpty { return "" }
    let names = path.map { key -> String in
      if let index = key.intValue { return "\(index)" }
      return isOfDictionary(key) ? "…" : key.stringValue
    }
    return " at \(names.joined(separator: "."))"
  }

  /// Whether a key is a dictionary key: no type declares it. The coders' own key types have names with an underscore.
  private static func isOfDictionary(_ key: any CodingKey) -> Bool {
    String(describing: type(of: key)).hasPrefix("_")
  }
}
