import Foundation

/// Searches captured arrays in memory by hashes, where the evaluation would compare a value with each element. Captured
/// temporary identifiers of models that were saved meanwhile are compared as the permanent ones.
enum HashedSearch {
  typealias Evaluation = (PredicateBindings) throws -> Bool

  /// The smallest number of elements for which a search uses a hash table.
  static let minimumCount = 32

  /// The maximum depth of conditions, because each level needs stack.
  private static let depthLimit = 100

  /// The evaluation of a condition; nil when the node's own evaluation is as fast.
  ///
  /// - Parameter depth: The number of conditions around this one.
  static func evaluation(of node: some PredicateExpression<Bool>, depth: Int = 0) -> Evaluation? {
    depth < depthLimit ? (node as? any SearchingNode)?.search(depth + 1) : nil
  }

  /// Whether equal values of a type certainly have equal hashes. Values of `Decimal` need not.
  static func canHash(_ type: Any.Type) -> Bool {
    switch unwrappedType(type) {
    case is Decimal.Type: false
    case is any _PrimitiveValue.Type, is PersistentIdentifier.Type: true
    default: false
    }
  }

  /// The permanent identifier for a captured temporary one whose model was saved meanwhile; nil for every other value.
  static func permanentIdentifier<Node: PredicateExpression>(_ node: Node) -> Node.Output? {
    guard unwrappedType(Node.Output.self) is PersistentIdentifier.Type, node is any CapturedValue,
      let value = try? node.evaluate(PredicateBindings()), let identifier = flattened(value) as? PersistentIdentifier
    else { return nil }
    let current = identifier.current
    return current == identifier ? nil : current as? Node.Output
  }
}

/// A condition that searches a captured array, or may contain such a condition.
private protocol SearchingNode {
  func search(_ depth: Int) -> HashedSearch.Evaluation?
}

extension PredicateExpressions.Conjunction: SearchingNode {
  fileprivate func search(_ depth: Int) -> HashedSearch.Evaluation? {
    let left = HashedSearch.evaluation(of: lhs, depth: depth)
    let right = HashedSearch.evaluation(of: rhs, depth: depth)
    if left == nil, right == nil { return nil }
    let (first, second) = (left ?? lhs.evaluate, right ?? rhs.evaluate)
    return { try first($0) && second($0) }
  }
}

extension PredicateExpressions.Disjunction: SearchingNode {
  fileprivate func search(_ depth: Int) -> HashedSearch.Evaluation? {
    let left = HashedSearch.evaluation(of: lhs, depth: depth)
    let right = HashedSearch.evaluation(of: rhs, depth: depth)
    if left == nil, right == nil { return nil }
    let (first, second) = (left ?? lhs.evaluate, right ?? rhs.evaluate)
    return { try first($0) || second($0) }
  }
}

extension PredicateExpressions.Negation: SearchingNode {
  fileprivate func search(_ depth: Int) -> HashedSearch.Evaluation? {
    HashedSearch.evaluation(of: wrapped, depth: depth).map { evaluation in { try !evaluation($0) } }
  }
}

extension PredicateExpressions.Equal: SearchingNode {
  fileprivate func search(_ depth: Int) -> HashedSearch.Evaluation? {
    if let identifier = HashedSearch.permanentIdentifier(lhs) { return { [rhs] in try identifier == rhs.evaluate($0) } }
    if let identifier = HashedSearch.permanentIdentifier(rhs) { return { [lhs] in try lhs.evaluate($0) == identifier } }
    return nil
  }
}

extension PredicateExpressions.NotEqual: SearchingNode {
  fileprivate func search(_ depth: Int) -> HashedSearch.Evaluation? {
    if let identifier = HashedSearch.permanentIdentifier(lhs) { return { [rhs] in try identifier != rhs.evaluate($0) } }
    if let identifier = HashedSearch.permanentIdentifier(rhs) { return { [lhs] in try lhs.evaluate($0) != identifier } }
    return nil
  }
}

extension PredicateExpressions.SequenceContains: SearchingNode {
  fileprivate func search(_ depth: Int) -> HashedSearch.Evaluation? {
    guard sequence is any CapturedValue, HashedSearch.canHash(RHS.Output.self),
      let type = RHS.Output.self as? any Hashable.Type,
      let captured = try? sequence.evaluate(PredicateBindings())
    else { return nil }
    if RHS.Output.self == PersistentIdentifier.self {
      let identifiers = captured.compactMap { $0 as? PersistentIdentifier }
      let current = identifiers.map(\.current)
      if current != identifiers, let elements = current as? [RHS.Output] { return search(elements, by: type) }
    }
    guard let elements = captured as? [RHS.Output], elements.count >= HashedSearch.minimumCount else { return nil }
    return search(elements, by: type)
  }

  private func search<Element: Hashable>(_ elements: [RHS.Output], by type: Element.Type) -> HashedSearch.Evaluation {
    let table = HashTable<Element>(elements)
    let element = element
    return { try table.contains(element.evaluate($0)) }
  }
}

private protocol CapturedValue {}

extension PredicateExpressions.Value: CapturedValue {}

/// The elements of an array as a set, made at the first use.
private final class HashTable<Element: Hashable> {
  private let elements: Any
  private lazy var hashed = Set(elements as? [Element] ?? [])

  /// - Parameter elements: An array of elements.
  init(_ elements: Any) {
    self.elements = elements
  }

  /// - Parameter value: A value of the elements' type.
  func contains(_ value: Any) -> Bool {
    (value as? Element).map(hashed.contains) ?? false
  }
}
