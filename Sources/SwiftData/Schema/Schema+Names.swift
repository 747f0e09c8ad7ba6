extension Schema {
  /// The simple name of a type, without its module and the types around it.
  static func simpleName(of type: Any.Type) -> String {
    String(describing: type)
  }
}
