import Foundation
import FoundationSupplements

/// Properties of a predicate that do not depend on a store.
enum PredicateInspection {
  /// The types of the models, other than the tested one, whose values the result may depend on. Nil when unsure.
  static func visitedTypes<T: PersistentModel>(_ predicate: Predicate<T>) -> [any PersistentModel.Type]? {
    visitedTypes(predicate.expression, inputs: [predicate.variable.key])
  }

  /// - Parameter depth: The number of nodes around the node. The result is nil when there are very many.
  static func visitedTypes(
    _ node: any PredicateExpression, inputs: Set<PredicateExpressions.VariableID>, depth: Int = 0
  ) -> [any PersistentModel.Type]? {
    guard depth < predicateDepthLimit, let node = node as? any PredicateNode else { return nil }
    if let evaluation = node as? any EvaluationNode {
      guard let (body, variables) = evaluation.body else { return nil }
      var inner = inputs
      for (variable, value) in variables {
        guard let value = value as? any VariableNode, inputs.contains(value.key) else { return nil }
        inner.insert(variable)
      }
      return visitedTypes(body, inputs: inner, depth: depth + 1)
    }
    var visited: [any PersistentModel.Type] = []
    if let step = node as? any KeyPathNode {
      guard let types = step.visitedTypes(inputs) else { return nil }
      visited = types
    }
    for operand in node.operands {
      guard let types = visitedTypes(operand, inputs: inputs, depth: depth + 1) else { return nil }
      visited += types
    }
    return visited
  }

  /// The key paths of models, one for each step, whose values the result may depend on. Nil when unsure.
  ///
  /// - Parameter others: Set to true when some of them may begin at another model of the class than the tested one, such as
  ///   a captured one.
  static func keyPaths<T: PersistentModel>(_ predicate: Predicate<T>, others: inout Bool) -> [AnyKeyPath]? {
    var keyPaths: [AnyKeyPath] = []
    var rest: [(node: any PredicateExpression, depth: Int)] = [(predicate.expression, 0)]
    while let (node, depth) = rest.popLast() {
      guard depth < predicateDepthLimit, let known = node as? any PredicateNode else { return nil }
      if let evaluation = node as? any EvaluationNode {
        guard let (body, _) = evaluation.body else { return nil }
        rest.append((body, depth + 1))
      }
      if let step = node as? any KeyPathNode, let keyPath = step.modelKeyPath {
        keyPaths.append(keyPath)
        let isTested = step.origin == predicate.variable.key
        if !isTested, step.modelType.map({ areRelated($0, T.self) }) ?? true { others = true }
      }
      for operand in known.operands { rest.append((operand, depth + 1)) }
    }
    return keyPaths
  }

  /// Whether one of two classes is the other or inherits from it.
  private static func areRelated(_ type: any PersistentModel.Type, _ other: any PersistentModel.Type) -> Bool {
    let (runtime, other) = (ModelRuntime.of(type), ModelRuntime.of(other))
    return runtime.isKind(of: other) || other.isKind(of: runtime)
  }
}

/// A node that evaluates a captured predicate or expression.
protocol EvaluationNode {
  /// The nodes of the captured predicate or expression, and the arguments for its variables. Nil when it is not captured.
  var body: (any PredicateExpression, [(PredicateExpressions.VariableID, any PredicateExpression)])? { get }
}

extension PredicateExpressions.ExpressionEvaluate: EvaluationNode {
  var body: (any PredicateExpression, [(PredicateExpressions.VariableID, any PredicateExpression)])? {
    guard let value = try? expression.evaluate(PredicateBindings()) else { return nil }
    var variables: [(PredicateExpressions.VariableID, any PredicateExpression)] = []
    repeat variables.append(((each value.variable).key, each input))
    return (value.expression, variables)
  }
}

#if !canImport(Darwin)
  extension PredicateExpressions.PredicateEvaluate: EvaluationNode {
    var body: (any PredicateExpression, [(PredicateExpressions.VariableID, any PredicateExpression)])? {
      guard let value = try? predicate.evaluate(PredicateBindings()) else { return nil }
      var variables: [(PredicateExpressions.VariableID, any PredicateExpression)] = []
      repeat variables.append(((each value.variable).key, each input))
      return (value.expression, variables)
    }
  }
#endif

/// A key path in a predicate, whatever its types.
private protocol KeyPathNode {
  /// The key path; nil when its root is not a model.
  var modelKeyPath: AnyKeyPath? { get }
  var modelType: (any PersistentModel.Type)? { get }
  /// The variable at which the first of its steps begins; nil when that begins at something else.
  var origin: PredicateExpressions.VariableID? { get }
  func visitedTypes(_ inputs: Set<PredicateExpressions.VariableID>) -> [any PersistentModel.Type]?
}

extension PredicateExpressions.KeyPath: KeyPathNode {
  fileprivate var modelKeyPath: AnyKeyPath? {
    modelType == nil ? nil : keyPath
  }

  fileprivate var modelType: (any PersistentModel.Type)? {
    Root.Output.self as? any PersistentModel.Type
  }

  fileprivate var origin: PredicateExpressions.VariableID? {
    if let variable = root as? any VariableNode { return variable.key }
    return (root as? any KeyPathNode)?.origin
  }

  fileprivate func visitedTypes(_ inputs: Set<PredicateExpressions.VariableID>) -> [any PersistentModel.Type]? {
    guard let type = Root.Output.self as? any PersistentModel.Type, !(root is any CapturedNode) else { return [] }
    if KeyPathResolution.isIdentifier(keyPath) { return [] }
    guard let property = KeyPathResolution.property(keyPath, ModelRuntime.of(type)) else { return nil }
    let destination = property.relationship?.destinationType
    if let variable = root as? any VariableNode, inputs.contains(variable.key) {
      // The key of a to-one's target is a value of the input itself. The values of the target are not.
      guard let destination, property.toMany != nil else { return [] }
      return [destination]
    }
    return [type] + (destination.map { [$0] } ?? [])
  }
}

private protocol VariableNode {
  var key: PredicateExpressions.VariableID { get }
}

extension PredicateExpressions.Variable: VariableNode {}

private protocol CapturedNode {}

extension PredicateExpressions.Value: CapturedNode {}
