import SwiftSyntax

/// The syntax of one stored property of a model class.
struct StoredProperty {
  let declaration: VariableDeclSyntax
  let binding: PatternBindingSyntax
  let identifier: TokenSyntax
  /// The written type; a property without one takes its type from `initialValue`.
  let type: TypeSyntax?
  let initialValue: ExprSyntax?
  let isConstant: Bool

  /// The stored properties of one `var` or `let`, without static, lazy, computed and overriding ones.
  static func properties(in declaration: VariableDeclSyntax) -> [StoredProperty] {
    guard declaration.modifier(in: [.static, .class, .lazy, .override]) == nil else { return [] }
    // In `var a, b: Int` the annotation follows the last name and applies to both.
    var following: TypeSyntax?
    var properties: [StoredProperty] = []
    for binding in declaration.bindings.reversed() {
      let type = binding.typeAnnotation?.type.trimmed ?? (binding.initializer == nil ? following : nil)
      following = type
      guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self), !isComputed(binding) else { continue }
      properties.append(
        StoredProperty(
          declaration: declaration, binding: binding, identifier: pattern.identifier.trimmed, type: type,
          initialValue: binding.initializer?.value.trimmed,
          isConstant: declaration.bindingSpecifier.tokenKind == .keyword(.let)))
    }
    return properties.reversed()
  }

  private static func isComputed(_ binding: PatternBindingSyntax) -> Bool {
    switch binding.accessorBlock?.accessors {
    case nil: false
    case .getter: true
    case .accessors(let accessors):
      !accessors.allSatisfy { [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind) }
    }
  }

  /// The name without the backticks that a keyword needs.
  var name: String {
    identifier.nameWithoutBackticks
  }

  /// The name's syntax node in the source, for a diagnostic.
  var identifierInSource: Syntax {
    Syntax(binding.pattern)
  }

  var storageName: String {
    name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" || !$0.isASCII } ? "_\(name)" : "`_\(name)`"
  }

  /// A constant with an initial value has that value in every instance, so it is not stored. A variable that shares its
  /// declaration with others cannot have accessors.
  var isPersisted: Bool {
    attribute(named: "Transient") == nil && !isWeakOrUnowned && unstorableType == nil
      && (isConstant ? initialValue == nil : declaration.bindings.count == 1)
  }

  /// The part of the written type that cannot be stored, judging by the syntax.
  var unstorableType: TypeSyntax? {
    isTransformable ? nil : type?.unstorablePart
  }

  var isWeakOrUnowned: Bool {
    declaration.modifier(in: [.weak, .unowned]) != nil
  }

  /// Whether an initializer must give the value.
  var needsInitializer: Bool {
    isPersisted && initialValue == nil && !hasImplicitDefault
  }

  /// A variable whose type is written with `?` or `!` is nil by default.
  var hasImplicitDefault: Bool {
    guard let type, !isConstant else { return false }
    return type.isWrittenOptional
  }

  var isDeprecated: Bool {
    declaration.attributes.availability.contains { $0.trimmedDescription.contains("deprecated") }
  }

  /// The initial value as an expression that keeps its type without a type context.
  var typedInitialValue: String? {
    guard let initialValue else { return nil }
    guard let type = storedTypeDescription else { return initialValue.trimmedDescription }
    let needsParentheses =
      initialValue.is(SequenceExprSyntax.self) || initialValue.is(InfixOperatorExprSyntax.self)
      || initialValue.is(TernaryExprSyntax.self) || initialValue.is(ClosureExprSyntax.self)
      || initialValue.is(TryExprSyntax.self)
    let value = initialValue.trimmedDescription
    return needsParentheses ? "(\(value)) as \(type)" : "\(value) as \(type)"
  }

  var isTransformable: Bool {
    guard case .argumentList(let arguments)? = attribute(named: "Attribute")?.arguments else { return false }
    return arguments.contains { argument in
      guard argument.label == nil, let call = argument.expression.as(FunctionCallExprSyntax.self) else { return false }
      return call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "transformable"
    }
  }

  var isOptional: Bool {
    guard let type else { return initialValue?.is(NilLiteralExprSyntax.self) ?? false }
    if type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return true }
    return type.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
  }

  /// Whether the type is an array, or an optional array, judging by its syntax here.
  var isArray: Bool {
    guard let type else {
      return initialValue?.is(ArrayExprSyntax.self) ?? false
        || initialValue?.as(FunctionCallExprSyntax.self)?.calledExpression.is(ArrayExprSyntax.self) ?? false
    }
    let wrapped =
      type.as(OptionalTypeSyntax.self)?.wrappedType
      ?? type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?.wrappedType ?? type
    return wrapped.is(ArrayTypeSyntax.self) || wrapped.as(IdentifierTypeSyntax.self)?.name.text == "Array"
  }

  /// The written type for use in a metatype expression: `Int!` stores an `Int?`.
  var storedTypeDescription: String? {
    guard let type else { return nil }
    if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return "\(unwrapped.wrappedType.trimmedDescription)?"
    }
    // `any P?` and `some P?` do not parse; other types may precede `.self` in parentheses.
    return type.trimmedDescription
  }

  func attribute(named attributeName: String) -> AttributeSyntax? {
    declaration.attributes.attribute(named: attributeName)
  }
}
