public import Foundation

/// The properties that an update of many rows sets: see ``ModelContext/update(_:where:_:)``.
///
/// An addition of OpenSwiftData.
public struct BatchUpdate<Model: PersistentModel> {
  private var assignments: [RowUpdate.Assignment] = []
  /// The error for the first key path that cannot be set.
  private var refusal: SwiftDataError?

  init() {}

  /// Sets a property to the same value in all rows.
  ///
  /// When a property is set twice, the last one counts.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - value: The value for all rows.
  public mutating func set<Value>(_ keyPath: ReferenceWritableKeyPath<Model, Value>, to value: Value) {
    add(keyPath, .value(value))
  }

  /// Sets a property to the value that an expression has for each row, before any property is set.
  ///
  /// ```swift
  /// update.set(\.count, to: #Expression<Item, Int> { $0.count + 1 })
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - expression: The expression, which the store evaluates with the values of each row.
  public mutating func set<Value>(
    _ keyPath: ReferenceWritableKeyPath<Model, Value>, to expression: Expression<Model, Value>
  ) {
    add(keyPath, .expression(AggregateOperand(expression)))
  }

  /// Sets an optional property to the value that an expression has for each row, before any property is set.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - expression: The expression, which the store evaluates with the values of each row.
  public mutating func set<Value>(
    _ keyPath: ReferenceWritableKeyPath<Model, Value?>, to expression: Expression<Model, Value>
  ) {
    add(keyPath, .expression(AggregateOperand(expression)))
  }

  private mutating func add(_ keyPath: AnyKeyPath, _ source: RowUpdate.Source) {
    let runtime = ModelRuntime.of(Model.self)
    guard let property = KeyPathResolution.property(keyPath, runtime) else {
      return refuse(
        KeyPathResolution.name(of: keyPath, runtime), "It is not a persisted property of \(runtime.entityName.string).",
        "Set whole properties. A computed property, or a field of a struct, has no column of its own.")
    }
    if property.relationship != nil {
      return refuse(
        property.name, "It is a relationship, which a batch update cannot set.",
        "Fetch the models, and set the relationship of each.")
    }
    assignments.removeAll { $0.property === property }
    assignments.append(RowUpdate.Assignment(property: property, source: source))
  }

  private mutating func refuse(_ property: String, _ message: String, _ hint: String) {
    refusal =
      refusal
      ?? SwiftDataError.unsupportedKeyPath.with(
        entity: ModelRuntime.of(Model.self).entityName.string, property: property, message: message, hint: hint)
  }

  /// - Throws: The error for the first key path that cannot be set.
  func rowUpdate() throws -> RowUpdate {
    if let refusal { throw refusal }
    return RowUpdate(assignments: assignments)
  }
}

/// An update of many rows, without the static types.
struct RowUpdate {
  enum Source {
    case value(Any)
    case expression(AggregateOperand)
  }

  struct Assignment {
    /// An attribute of the updated models.
    let property: _ModelProperty
    let source: Source
  }

  /// One for each property that is set.
  let assignments: [Assignment]
}
