extension Schema {
  /// The simple name of a type, without its module and the types around it.
  static func simpleName(of type: Any.Type) -> String {
    String(describing: type)
  }

  /// The name of a type for messages, with its enclosing types and without its module, as `SchemaV1.Trip`: models of two
  /// versions have the same simple name.
  static func qualifiedName(of type: Any.Type) -> String {
    let name = String(reflecting: type)
    // The name of a type within a function has parentheses, with spaces and dots in them.
    guard !name.contains("("), !name.contains("<"), let dot = name.firstIndex(of: ".") else {
      return simpleName(of: type)
    }
    return String(name[name.index(after: dot)...])
  }
}
