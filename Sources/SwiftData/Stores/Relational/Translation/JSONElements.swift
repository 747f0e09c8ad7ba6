import Relational

/// The elements of an array, a set or a dictionary that is stored as JSON.
struct JSONElements {
  private typealias Element = Select.Source.Element

  let json: ScalarTerm
  /// Nil for a dictionary, whose elements are pairs.
  let elementType: Any.Type?
  /// The type of a dictionary's values.
  let valueType: Any.Type?
  let isArray: Bool

  /// Nil if the value is no collection.
  init?(_ json: ScalarTerm) {
    self.json = json
    if let type = json.kind.encodedType as? any ElementCollection.Type {
      elementType = type.elementType
      valueType = nil
      isArray = type.isArray
    } else if let type = json.kind.encodedType as? any StringKeyedCollection.Type, type.hasStringKeys {
      elementType = nil
      valueType = type.valueType
      isArray = false
    } else {
      return nil
    }
  }

  /// An element of the current row of a source with an alias.
  func element(_ alias: String) throws -> Term {
    guard let elementType else { throw Untranslatable("the pairs of a dictionary are no single values") }
    return try JSONValue(value: .column(table: alias, name: Element.value))
      .term(elementType, isOptional: elementType is any OptionalValue.Type)
  }

  /// The element with an index, or nil.
  func element(at index: SQLExpression, isOptional: Bool, _ context: TranslationContext) throws -> Term {
    guard isArray, let elementType, !(elementType is any OptionalValue.Type) else {
      throw Untranslatable("the elements have no index, or are optionals")
    }
    return try value(elementType, isOptional: isOptional, context) { .binary(.equal, $0, index) }
  }

  /// The value of a dictionary for a key, or nil.
  func value(for name: String, _ context: TranslationContext) throws -> Term {
    guard let valueType, !(valueType is any OptionalValue.Type) else {
      throw Untranslatable("the values have no keys, or are optionals")
    }
    return try value(valueType, isOptional: true, context) { key in
      TextComparison.equal(ScalarTerm(key, .text, isOptional: false), name).expression
    }
  }

  private func value(
    _ type: Any.Type, isOptional: Bool, _ context: TranslationContext,
    where condition: (_ key: SQLExpression) -> SQLExpression
  ) throws -> Term {
    let alias = context.makeAlias()
    let found = try JSONValue(value: .column(table: alias, name: Element.value)).term(type, isOptional: false)
    guard case .scalar(let scalar) = found else { throw Untranslatable("the value has several parts") }
    let select = Select(
      columns: [scalar.expression], from: .init(elements: json.expression, alias: alias),
      condition: condition(.column(table: alias, name: Element.key)))
    return .scalar(ScalarTerm(.scalar(select), scalar.kind, isOptional: isOptional, mayBeNull: true))
  }
}

extension Term {
  /// The term as a collection of rows.
  func collection() throws -> CollectionTerm {
    switch self {
    case .collection(let collection): return collection
    case .scalar(let scalar):
      guard let elements = JSONElements(scalar) else { throw Untranslatable("a sequence is stored encoded") }
      return CollectionTerm(members: .json(elements), presence: scalar.presence)
    default: throw Untranslatable("no sequence is searched")
    }
  }
}

/// Arrays and sets.
private protocol ElementCollection {
  static var elementType: Any.Type { get }
  static var isArray: Bool { get }
}

extension Array: ElementCollection {
  fileprivate static var elementType: Any.Type { Element.self }
  fileprivate static var isArray: Bool { true }
}

extension Set: ElementCollection {
  fileprivate static var elementType: Any.Type { Element.self }
  fileprivate static var isArray: Bool { false }
}

/// Dictionaries.
private protocol StringKeyedCollection {
  static var valueType: Any.Type { get }
  static var hasStringKeys: Bool { get }
}

extension Dictionary: StringKeyedCollection {
  fileprivate static var valueType: Any.Type { Value.self }
  fileprivate static var hasStringKeys: Bool { Key.self == String.self }
}
