import Foundation

/// What can be told of a predicate without a store.
enum PredicateInspection {
  /// Whether the answer may depend on the values of other models than the one tested. True when unsure.
  static func usesRelationships<T: PersistentModel>(_ predicate: Predicate<T>) -> Bool {
    usesRelationships(predicate.expression, inputs: [predicate.variable.key])
  }

  static func usesRelationships(
    _ node: any PredicateExpression, inputs: Set<PredicateExpressions.VariableID>
  ) -> Bool {
    guard let node = node as? any SQLTranslatable else { return true }
    if let step = node as? any KeyPathNode, step.leavesInputs(inputs) { return true }
    if let evaluation = node as? any EvaluationNode {
      guard let (body, variables) = evaluation.body else { return true }
      var inner = inputs
      for (variable, value) in variables {
        guard let value = value as? any VariableNode, inputs.contains(value.key) else { return true }
        inner.insert(variable)
      }
      return usesRelationships(body, inputs: inner)
    }
    return node.operands.contains { usesRelationships($0, inputs: inputs) }
  }
}

/// What a captured predicate or expression comes to where it is evaluated.
protocol EvaluationNode {
  /// Its own nodes, and what its variables stand for. Nil when it is no captured one.
  var body: (any PredicateExpression, [(PredicateExpressions.VariableID, any PredicateExpression)])? { get }
}

/// A key path in a predicate, whatever its types.
private protocol KeyPathNode {
  func leavesInputs(_ inputs: Set<PredicateExpressions.VariableID>) -> Bool
}

extension PredicateExpressions.KeyPath: KeyPathNode {
  fileprivate func leavesInputs(_ inputs: Set<PredicateExpressions.VariableID>) -> Bool {
    guard let type = Root.Output.self as? any PersistentModel.Type, !(root is any CapturedNode) else { return false }
    if KeyPathResolution.isIdentifier(keyPath) { return false }
    // Which model a to-one leads to is the input's own affair. What that model is like is not.
    guard let root = root as? any VariableNode, inputs.contains(root.key) else { return true }
    let runtime = ModelRuntime.of(type)
    guard let index = KeyPathResolution.propertyIndex(keyPath, runtime) else { return true }
    return runtime.properties[index].relationship?.isToMany ?? false
  }
}

private protocol VariableNode {
  var key: PredicateExpressions.VariableID { get }
}

extension PredicateExpressions.Variable: VariableNode {}

private protocol CapturedNode {}

extension PredicateExpressions.Value: CapturedNode {}
