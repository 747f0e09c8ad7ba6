import Foundation
import FoundationSupplements

/// A predicate compiled to closures that read attributes of a model, for conditions that are evaluated for many models. It
/// is many times as fast as the evaluation of the predicate's nodes, with the same result.
final class CompiledCondition<Model: PersistentModel> {
  /// - Throws: The errors of ``CheckedPredicate/evaluate(_:)``.
  let evaluate: (Model) throws -> Bool
  /// An equality of an attribute that the condition requires; nil when there is none.
  let demand: EqualityDemand?

  init(_ predicate: Predicate<Model>) {
    let input = PredicateInput(variable: predicate.variable)
    if case .refusal(let limit) = EvaluationCheck.need(of: predicate.expression) {
      evaluate = { _ in throw EvaluationCheck.tooDeep(limit) }
      demand = nil
      return
    }
    evaluate = input.condition(predicate.expression, depth: 0)
    demand = EqualityDemand.first(of: predicate)
  }
}

/// The requirement that an attribute has a certain value.
final class EqualityDemand {
  let attribute: AnyKeyPath
  /// The hash of the value, which excludes most other values as well as the value does.
  let hash: Int
  /// The hash of the attribute's value in a model.
  let read: (any PersistentModel) -> Int

  fileprivate init(attribute: AnyKeyPath, hash: Int, read: @escaping (any PersistentModel) -> Int) {
    self.attribute = attribute
    self.hash = hash
    self.read = read
  }

  /// An equality that a predicate requires; nil when there is none.
  static func first<Model: PersistentModel>(of predicate: Predicate<Model>) -> EqualityDemand? {
    first(in: predicate.expression, of: predicate.variable.key)
  }

  private static func first(
    in node: any PredicateExpression, of variable: PredicateExpressions.VariableID, depth: Int = 0
  ) -> EqualityDemand? {
    guard depth < predicateDepthLimit else { return nil }
    if let node = node as? any DemandingNode { return node.demand(on: variable) }
    guard let node = node as? any ConjunctionNode else { return nil }
    for operand in [node.left, node.right] {
      if let found = first(in: operand, of: variable, depth: depth + 1) { return found }
    }
    return nil
  }
}

/// The input of a predicate, and the compilation of its nodes to closures.
private struct PredicateInput<Model: PersistentModel> {
  let variable: PredicateExpressions.Variable<Model>

  /// The maximum depth of compiled conditions, because each level needs stack.
  private static var depthLimit: Int { 100 }

  func condition<Node: PredicateExpression>(_ node: Node, depth: Int) -> (Model) throws -> Bool
  where Node.Output == Bool {
    if depth < Self.depthLimit, let compiled = (node as? any CompilableNode)?.compiled(self, depth: depth + 1) {
      return compiled
    }
    let evaluate = HashedSearch.evaluation(of: node) ?? node.evaluate
    if case .nothing = EvaluationCheck.need(of: node) {
      return { [variable] in try evaluate(PredicateBindings((variable, $0))) }
    }
    return { [variable] model in
      let bindings = PredicateBindings((variable, model))
      try EvaluationCheck.run(node, bindings)
      return try evaluate(bindings)
    }
  }

  /// The value of an operand that is an attribute of the model.
  func attribute<Node: PredicateExpression>(_ node: Node) -> KeyPath<Model, Node.Output>? {
    guard let node = node as? any AttributeNode, node.variable == variable.key else { return nil }
    return node.attribute as? KeyPath<Model, Node.Output>
  }

  /// A test of an attribute and a captured value.
  func test<Left: PredicateExpression, Right: PredicateExpression>(
    _ left: Left, _ right: Right, _ test: @escaping (Left.Output, Right.Output) -> Bool
  ) -> ((Model) throws -> Bool)? {
    if let path = attribute(left), let constant = constant(right) { return { test($0[keyPath: path], constant) } }
    if let constant = constant(left), let path = attribute(right) { return { test(constant, $0[keyPath: path]) } }
    return nil
  }
}

/// The value of an operand that depends on no variable: a captured value, or a calculation from captured values.
private func constant<Node: PredicateExpression>(_ node: Node) -> Node.Output? {
  guard isConstant(node, depth: 0), (try? EvaluationCheck.run(node, PredicateBindings())) != nil else { return nil }
  return HashedSearch.permanentIdentifier(node) ?? (try? node.evaluate(PredicateBindings()))
}

private func isConstant(_ node: any PredicateExpression, depth: Int) -> Bool {
  if node is any ConstantNode { return true }
  guard depth < predicateDepthLimit, let node = node as? any PredicateNode, !node.operands.isEmpty else { return false }
  return node.operands.allSatisfy { isConstant($0, depth: depth + 1) }
}

private protocol ConstantNode {}

extension PredicateExpressions.Value: ConstantNode {}
extension PredicateExpressions.NilLiteral: ConstantNode {}

private protocol AttributeNode {
  /// The variable at which the key path begins; nil when it begins at something else.
  var variable: PredicateExpressions.VariableID? { get }
  var attribute: AnyKeyPath { get }
}

extension PredicateExpressions.KeyPath: AttributeNode {
  fileprivate var variable: PredicateExpressions.VariableID? {
    (root as? PredicateExpressions.Variable<Root.Output>)?.key
  }
  fileprivate var attribute: AnyKeyPath { keyPath }
}

private protocol CompilableNode {
  /// Nil when the node's own evaluation is as fast.
  func compiled<Model: PersistentModel>(_ input: PredicateInput<Model>, depth: Int) -> ((Model) throws -> Bool)?
}

extension PredicateExpressions.KeyPath: CompilableNode {
  fileprivate func compiled<Model: PersistentModel>(_ input: PredicateInput<Model>, depth: Int) -> (
    (Model) throws -> Bool
  )? {
    let path: AnyKeyPath? = input.attribute(self)
    guard let path = path as? KeyPath<Model, Bool> else { return nil }
    return { model in model[keyPath: path] }
  }
}

extension PredicateExpressions.Conjunction: CompilableNode {
  fileprivate func compiled<Model: PersistentModel>(_ input: PredicateInput<Model>, depth: Int) -> (
    (Model) throws -> Bool
  )? {
    let (left, right) = (input.condition(lhs, depth: depth), input.condition(rhs, depth: depth))
    return { try left($0) && right($0) }
  }
}

extension PredicateExpressions.Disjunction: CompilableNode {
  fileprivate func compiled<Model: PersistentModel>(_ input: PredicateInput<Model>, depth: Int) -> (
    (Model) throws -> Bool
  )? {
    let (left, right) = (input.condition(lhs, depth: depth), input.condition(rhs, depth: depth))
    return { try left($0) || right($0) }
  }
}

extension PredicateExpressions.Negation: CompilableNode {
  fileprivate func compiled<Model: PersistentModel>(_ input: PredicateInput<Model>, depth: Int) -> (
    (Model) throws -> Bool
  )? {
    let condition = input.condition(wrapped, depth: depth)
    return { try !condition($0) }
  }
}

extension PredicateExpressions.Equal: CompilableNode {
  fileprivate func compiled<Model: PersistentModel>(_ input: PredicateInput<Model>, depth: Int) -> (
    (Model) throws -> Bool
  )? {
    input.test(lhs, rhs) { $0 == $1 }
  }
}

extension PredicateExpressions.NotEqual: CompilableNode {
  fileprivate func compiled<Model: PersistentModel>(_ input: PredicateInput<Model>, depth: Int) -> (
    (Model) throws -> Bool
  )? {
    input.test(lhs, rhs) { $0 != $1 }
  }
}

extension PredicateExpressions.Comparison: CompilableNode {
  fileprivate func compiled<Model: PersistentModel>(_ input: PredicateInput<Model>, depth: Int) -> (
    (Model) throws -> Bool
  )? {
    switch op {
    case .lessThan: input.test(lhs, rhs) { $0 < $1 }
    case .lessThanOrEqual: input.test(lhs, rhs) { $0 <= $1 }
    case .greaterThan: input.test(lhs, rhs) { $0 > $1 }
    case .greaterThanOrEqual: input.test(lhs, rhs) { $0 >= $1 }
    @unknown default: nil
    }
  }
}

extension PredicateExpressions.CollectionContainsCollection: CompilableNode {
  fileprivate func compiled<Model: PersistentModel>(_ input: PredicateInput<Model>, depth: Int) -> (
    (Model) throws -> Bool
  )? {
    let path: AnyKeyPath? = input.attribute(base)
    let text: Any? = constant(other)
    guard let path = path as? KeyPath<Model, String>, let text = text as? String else { return nil }
    let search = CharacterSearch(for: text)
    return { model in
      var text = model[keyPath: path]
      return text.withUTF8 { search.isFound(in: UnsafeRawBufferPointer($0)) }
    }
  }
}

// MARK: Equality

private protocol ConjunctionNode {
  var left: any PredicateExpression { get }
  var right: any PredicateExpression { get }
}

extension PredicateExpressions.Conjunction: ConjunctionNode {
  fileprivate var left: any PredicateExpression { lhs }
  fileprivate var right: any PredicateExpression { rhs }
}

private protocol DemandingNode {
  func demand(on variable: PredicateExpressions.VariableID) -> EqualityDemand?
}

extension PredicateExpressions.Equal: DemandingNode {
  fileprivate func demand(on variable: PredicateExpressions.VariableID) -> EqualityDemand? {
    guard HashedSearch.canHash(LHS.Output.self) else { return nil }
    return demand(variable, lhs, rhs) ?? demand(variable, rhs, lhs)
  }

  private func demand<Attribute: PredicateExpression, Captured: PredicateExpression>(
    _ variable: PredicateExpressions.VariableID, _ attribute: Attribute, _ captured: Captured
  ) -> EqualityDemand? {
    guard let node = attribute as? any AttributeNode, node.variable == variable,
      let value = constant(captured), let path = node.attribute as? any HashableAttribute,
      let hash = path.hash(of: value)
    else { return nil }
    return EqualityDemand(attribute: node.attribute, hash: hash) { path.hash(in: $0) }
  }
}

private protocol HashableAttribute {
  /// The hash of a value of the attribute's type. The hash of an optional differs from that of its wrapped value.
  func hash(of value: Any) -> Int?
  func hash(in model: any PersistentModel) -> Int
}

extension KeyPath: HashableAttribute where Root: PersistentModel, Value: Hashable {
  fileprivate func hash(of value: Any) -> Int? {
    (value as? Value).map(\.hashValue)
  }

  fileprivate func hash(in model: any PersistentModel) -> Int {
    unsafeDowncast(model, to: Root.self)[keyPath: self].hashValue
  }
}
