import Foundation

/// What can be told of a predicate without a store.
enum PredicateInspection {
  /// Whether the answer may depend on the values of other models than the one tested. True when unsure.
  static func usesRelationships<T: PersistentModel>(_ predicate: Predicate<T>) -> Bool {
    usesRelationships(predicate.expression, input: predicate.variable.key)
  }

  static func usesRelationships(
    _ node: any PredicateExpression, input: PredicateExpressions.VariableID
  ) -> Bool {
    guard let node = node as? any SQLTranslatable else { return true }
    if let step = node as? any KeyPathNode, step.leavesInput(input) { return true }
    return node.operands.contains { usesRelationships($0, input: input) }
  }
}

/// A key path in a predicate, whatever its types.
private protocol KeyPathNode {
  func leavesInput(_ input: PredicateExpressions.VariableID) -> Bool
}

extension PredicateExpressions.KeyPath: KeyPathNode {
  fileprivate func leavesInput(_ input: PredicateExpressions.VariableID) -> Bool {
    guard let type = Root.Output.self as? any PersistentModel.Type, !(root is any CapturedNode) else { return false }
    if KeyPathResolution.isIdentifier(keyPath) { return false }
    // Which model a to-one leads to is the input's own affair. What that model is like is not.
    guard (root as? any VariableNode)?.key == input else { return true }
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
