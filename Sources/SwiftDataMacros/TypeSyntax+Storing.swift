import SwiftSyntax

extension TypeSyntax {
  /// Whether a variable of the type is nil by default: its type ends in `?` or `!`.
  var isWrittenOptional: Bool {
    if let inner = inParentheses { return inner.isWrittenOptional }
    return self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
      || self.is(AttributedTypeSyntax.self)
  }

  /// The part of the type that is neither `Codable` nor a model, judging by the syntax.
  var unstorablePart: TypeSyntax? {
    if let inner = inParentheses { return inner.unstorablePart }
    switch self.as(TypeSyntaxEnum.self) {
    case .functionType, .tupleType, .metatypeType, .someOrAnyType, .compositionType, .suppressedType:
      return self
    case .attributedType(let type):
      return type.baseType.unstorablePart
    case .optionalType(let type):
      return type.wrappedType.unstorablePart
    case .implicitlyUnwrappedOptionalType(let type):
      return type.wrappedType.unstorablePart
    case .arrayType(let type):
      return type.element.unstorablePart
    case .dictionaryType(let type):
      return type.key.unstorablePart ?? type.value.unstorablePart
    case .identifierType(let type):
      return Self.unstorableNames.contains(type.name.text) ? self : nil
    default:
      return nil
    }
  }

  /// A description of an `unstorablePart` for people.
  var kindDescription: String {
    switch self.as(TypeSyntaxEnum.self) {
    case .functionType: "a function"
    case .tupleType: "a tuple"
    case .metatypeType: "a metatype"
    case .someOrAnyType, .compositionType: "a value of a type that is known at run time only"
    default: "a value of type '\(trimmedDescription)'"
    }
  }

  /// The name of a well-known value type that this type is, or is an optional or an array of: such a type is not a model.
  var knownValueName: String? {
    if let inner = inParentheses { return inner.knownValueName }
    switch self.as(TypeSyntaxEnum.self) {
    case .optionalType(let type): return type.wrappedType.knownValueName
    case .implicitlyUnwrappedOptionalType(let type): return type.wrappedType.knownValueName
    case .arrayType(let type): return type.element.knownValueName
    case .identifierType(let type): return Self.valueNames.contains(type.name.text) ? type.name.text : nil
    default: return nil
    }
  }

  private static let valueNames: Set<String> = [
    "Bool", "Data", "Date", "Decimal", "Double", "Float", "Int", "Int16", "Int32", "Int64", "Int8", "String", "UInt",
    "UInt16", "UInt32", "UInt64", "UInt8", "URL", "UUID",
  ]

  /// Names of the standard library that a program would not reuse for its own types.
  private static let unstorableNames: Set<String> = [
    "Any", "AnyClass", "AnyObject", "OpaquePointer", "UnsafeBufferPointer", "UnsafeMutableBufferPointer",
    "UnsafeMutablePointer", "UnsafeMutableRawBufferPointer", "UnsafeMutableRawPointer", "UnsafePointer",
    "UnsafeRawBufferPointer", "UnsafeRawPointer",
  ]

  private var inParentheses: TypeSyntax? {
    guard let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1 else { return nil }
    return tuple.elements.first?.type
  }
}
