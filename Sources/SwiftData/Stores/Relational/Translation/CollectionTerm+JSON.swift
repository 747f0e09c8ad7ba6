import Relational

extension CollectionTerm {
  /// Properties of arrays, sets and dictionaries.
  func property(
    _ keyPath: AnyKeyPath, of elements: JSONElements, _ context: TranslationContext
  ) throws -> Term {
    guard let type = type(of: keyPath).rootType as? any JSONCollection.Type else {
      throw Untranslatable("\(PredicateDescription.name(of: keyPath)) has no SQL form")
    }
    let paths = type.keyPaths
    if paths.isEmpty == keyPath { return .condition(try exists(context).negated()) }
    if paths.count == keyPath { return .scalar(try count(context)) }
    if filters.isEmpty, paths.first == keyPath {
      return try elements.element(at: .value(.integer(0)), isOptional: true, context)
    }
    throw Untranslatable("\(PredicateDescription.name(of: keyPath)) has no SQL form")
  }
}

/// The key paths of collections that SQL can evaluate in JSON. They are made for each type, because the key paths of
/// `Collection` differ.
private protocol JSONCollection {
  static var keyPaths: (isEmpty: AnyKeyPath, count: AnyKeyPath, first: AnyKeyPath?) { get }
}

extension Array: JSONCollection {
  fileprivate static var keyPaths: (isEmpty: AnyKeyPath, count: AnyKeyPath, first: AnyKeyPath?) {
    (\Self.isEmpty, \Self.count, \Self.first)
  }
}

extension Set: JSONCollection {
  fileprivate static var keyPaths: (isEmpty: AnyKeyPath, count: AnyKeyPath, first: AnyKeyPath?) {
    (\Self.isEmpty, \Self.count, nil)
  }
}

extension Dictionary: JSONCollection {
  fileprivate static var keyPaths: (isEmpty: AnyKeyPath, count: AnyKeyPath, first: AnyKeyPath?) {
    (\Self.isEmpty, \Self.count, nil)
  }
}
