import Foundation

/// The value of each model that an aggregate is computed over, or that is the key of a group: a property or an
/// expression.
///
/// Unchecked: key paths and expressions are immutable, though their types are not `Sendable`.
struct AggregateOperand: @unchecked Sendable {
  /// Nil for an expression.
  let keyPath: AnyKeyPath?
  /// The type in Swift, which may be an optional.
  let valueType: Any.Type
  let part: DatePart?
  private let describe: () -> String
  /// Its argument is a model of the type that the operand was made for: descriptors of groups and aggregates have that type
  /// statically, and so has the query that evaluates them.
  private let evaluate: (any PersistentModel) throws -> Any
  /// The evaluated expression; nil for a key path.
  let body: ExpressionBody?
  /// The types of the other models that the value of a model may depend on. Nil when unsure.
  let visitedTypes: (ModelRuntime) -> [any PersistentModel.Type]?

  init<Model: PersistentModel, Value>(_ keyPath: KeyPath<Model, Value>, part: DatePart? = nil) {
    self.keyPath = keyPath
    self.part = part
    valueType = Value.self
    describe = { KeyPathResolution.name(of: keyPath, ModelRuntime.of(Model.self)) }
    evaluate = { unsafeDowncast($0, to: Model.self)[keyPath: keyPath] }
    body = nil
    visitedTypes = { runtime in
      if KeyPathResolution.isIdentifier(keyPath) { return [] }
      return KeyPathResolution.path(keyPath, runtime)?.properties.compactMap { $0.relationship?.destinationType }
    }
  }

  init<Model: PersistentModel, Value>(_ expression: Foundation.Expression<Model, Value>) {
    keyPath = nil
    part = nil
    valueType = Value.self
    describe = { "an expression of type \(Value.self)" }
    let checked = CheckedExpression(expression)
    evaluate = { try checked.evaluate(unsafeDowncast($0, to: Model.self)) }
    body = ExpressionBody(variables: [expression.variable.key], expression: expression.expression)
    visitedTypes = { _ in
      PredicateInspection.visitedTypes(expression.expression, inputs: [expression.variable.key])
    }
  }

  /// The value that a model has in memory, unwrapped; a related model is given by its identifier.
  func value(of model: any PersistentModel) throws -> Any? {
    guard let value = flattened(try evaluate(model)) else { return nil }
    if let part {
      guard let date = value as? Date else { return nil }
      return SingleValueReader.read(part.valueType, from: part.value(of: date))
    }
    return (value as? any PersistentModel)?.anyIdentifier ?? value
  }

  /// Refuses key paths that do not end at a single persisted value.
  func check<Model: PersistentModel>(for type: Model.Type) throws {
    if let part, !part.isKnown {
      throw refusal(Model.self, "Dates cannot be grouped by the \(part.component) of their calendar.")
    }
    guard let keyPath, !KeyPathResolution.isIdentifier(keyPath) else { return }
    guard let path = KeyPathResolution.path(keyPath, ModelRuntime.of(Model.self)), let last = path.properties.last
    else {
      throw refusal(
        Model.self, "\(name) is not a persisted property.",
        hint: "Pass an #Expression to aggregate a value that is computed from properties.")
    }
    if last.toMany != nil {
      throw refusal(
        Model.self, "\(name) is a to-many relationship, which has no single value.",
        hint: "Pass an #Expression, such as the number of members.")
    }
  }

  private func refusal<Model: PersistentModel>(
    _ type: Model.Type, _ message: String, hint: String? = nil
  ) -> SwiftDataError {
    SwiftDataError.unsupportedKeyPath.with(
      entity: ModelRuntime.of(Model.self).entityName.string, property: name, message: message, hint: hint)
  }

  /// The name of the operand in messages.
  var name: String { describe() }

  /// Whether both have the same value for every model. Expressions cannot be compared.
  func isSame(as other: AggregateOperand, for runtime: ModelRuntime) -> Bool {
    guard let keyPath, let otherKeyPath = other.keyPath, part == other.part else { return false }
    if KeyPathResolution.isIdentifier(keyPath) { return KeyPathResolution.isIdentifier(otherKeyPath) }
    // Two key paths to protocol requirements can be equal and resolve to different properties, or the reverse.
    let (path, otherPath) = (KeyPathResolution.path(keyPath, runtime), KeyPathResolution.path(otherKeyPath, runtime))
    return path != nil && path?.name == otherPath?.name
  }
}
