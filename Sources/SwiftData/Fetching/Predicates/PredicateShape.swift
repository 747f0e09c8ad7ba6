import Foundation
import Relational

/// The shape of a predicate, which is equal for predicates that differ only in captured values, and these values.
struct PredicateShape {
  /// The features of a predicate that its statement depends on, apart from bound values.
  struct Key: Hashable {
    /// The types of all nodes, their key paths and variables, and which values are nil, true or false.
    fileprivate(set) var words: [UInt] = []
    /// Values that are part of the statement.
    fileprivate(set) var values: [AnyHashable] = []
    /// Retained because `words` has their addresses. Equal key paths need not be those of the same property, so comparing
    /// them is not enough.
    fileprivate var keyPaths: [AnyKeyPath] = []

    static func == (left: Self, right: Self) -> Bool {
      left.words == right.words && left.values == right.values
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(words)
      hasher.combine(values)
    }
  }

  private(set) var key = Key()
  /// The bound values, in the order of the nodes.
  private(set) var captured: [Value] = []
  private var variables: [PredicateExpressions.VariableID] = []
  /// Whether the statement may depend on something else.
  private var isOpen = false
  /// The number of nested nodes that are being read.
  private var depth = 0

  /// Nil for a predicate whose statement depends on the values that it captures, such as how many there are.
  init?<Model: PersistentModel>(of predicate: Predicate<Model>, entity: Int) {
    key.words.append(UInt(bitPattern: entity))
    declare(predicate.variable.key)
    read(predicate.expression)
    if isOpen { return nil }
  }

  private struct Identity: Hashable {
    let key: Key
    let captured: [Value]
  }

  /// A value that is equal for predicates of equal shape and captured values. For a predicate without a shape, it is equal
  /// for its copies only.
  static func identity<Model: PersistentModel>(of predicate: Predicate<Model>) -> AnyHashable {
    PredicateShape(of: predicate, entity: 0).map { AnyHashable(Identity(key: $0.key, captured: $0.captured)) }
      ?? AnyHashable(predicate.variable.key)
  }

  mutating func read<Node: PredicateExpression>(_ node: Node) {
    guard !isOpen, depth < predicateDepthLimit, let node = node as? any PredicateNode else {
      isOpen = true
      return
    }
    depth += 1
    defer { depth -= 1 }
    key.words.append(UInt(bitPattern: ObjectIdentifier(Node.self)))
    node.describe(to: &self)
  }

  mutating func declare(_ variable: PredicateExpressions.VariableID) {
    variables.append(variable)
  }

  mutating func add(_ variable: PredicateExpressions.VariableID) {
    guard let index = variables.lastIndex(of: variable) else {
      isOpen = true
      return
    }
    key.words.append(UInt(index))
  }

  mutating func add(_ keyPath: AnyKeyPath) {
    key.words.append(UInt(bitPattern: ObjectIdentifier(keyPath)))
    key.keyPaths.append(keyPath)
  }

  mutating func add(operation: UInt) {
    key.words.append(operation)
  }

  mutating func add<Captured>(captured value: Captured) {
    switch value {
    case let value as any InterchangeableValue:
      guard value.isInterchangeable else {
        isOpen = true
        return
      }
      key.words.append(UInt(bitPattern: ObjectIdentifier(type(of: value))))
      key.words += value.distinction
      captured.append(value.bound)
    case let value as Bool:
      key.words.append(value ? 1 : 2)
    case let value as any OptionalValue where value.wrapped == nil:
      key.words.append(0)
    case let value as any RawRepresentable:
      guard let raw = exact(value.rawValue) else {
        isOpen = true
        return
      }
      key.words.append(UInt(bitPattern: ObjectIdentifier(type(of: value))))
      key.values.append(raw)
    default:
      isOpen = true
    }
  }

  /// A raw value as it is in the statement. Equal values of a type can have different raw values, and two texts
  /// that are equal in Swift can differ in a column.
  private func exact(_ raw: Any) -> AnyHashable? {
    if let text = raw as? String { return AnyHashable(Array(text.utf8)) }
    return raw as? AnyHashable
  }

  /// Marks the predicate as one whose SQL cannot be reused.
  mutating func leaveOpen() {
    isOpen = true
  }
}
