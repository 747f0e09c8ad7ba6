import Foundation
import Logging

/// Descriptions of predicates for messages.
enum PredicateDescription {
  /// A node with its operands, and the types of captured values in place of the values.
  ///
  /// - Parameter levels: The number of levels of nodes to describe; the rest is left out.
  static func shape(of node: some PredicateExpression, levels: Int = 50) -> String {
    if levels == 0 { return "…" }
    switch node {
    case let node as any KeyPathStep:
      return "\(shape(of: node.base, levels: levels - 1)).\(name(of: node.anyKeyPath))"
    case is any CapturedValue:
      return "<\(type(of: node).Output.self)>"
    case is any InputVariable:
      return "\(type(of: node).Output.self)"
    case let node as any EvaluationNode:
      guard let (inner, _) = node.body else { return "evaluate" }
      return "evaluate(\(shape(of: inner, levels: levels - 1)))"
    case let node as any PredicateNode:
      let operands = node.operands.map { shape(of: $0, levels: levels - 1) }
      return "\(name(of: node))(\(operands.joined(separator: ", ")))"
    default:
      return name(of: node)
    }
  }

  static func name(of node: some PredicateExpression) -> String {
    String(describing: type(of: node)).prefix { $0 != "<" }.description
  }

  /// A key path as source code spells it, as far as reflection gives the names.
  static func name(of keyPath: AnyKeyPath) -> String {
    if let model = type(of: keyPath).rootType as? any PersistentModel.Type {
      if KeyPathResolution.isIdentifier(keyPath) { return "persistentModelID" }
      return KeyPathResolution.name(of: TextOrder.origin(of: keyPath)?.keyPath ?? keyPath, ModelRuntime.of(model))
    }
    return FieldNames.name(behind: keyPath) ?? keyPath.steps()
  }

  /// Logs that a part of a predicate is evaluated in memory.
  static func report(_ failure: Untranslatable, to logger: Logger = Log.fetch) {
    let text = "Part of a predicate is evaluated in memory, because \(failure.reason): \(failure.part)"
    UsageWarning.logOnce(text + readingAll, to: logger)
  }

  /// Logs that models are sorted in memory.
  static func reportSort(_ failure: Untranslatable, to logger: Logger = Log.fetch) {
    let keyPath = failure.keyPath.map { ": \($0)" } ?? ""
    UsageWarning.logOnce("Models are sorted in memory, because \(failure.reason)\(keyPath)" + readingAll, to: logger)
  }

  private static let readingAll =
    ". The fetch reads every row that its conditions in SQL select. Set allowsInMemoryEvaluation to false to refuse it."
}

private protocol KeyPathStep {
  var base: any PredicateExpression { get }
  var anyKeyPath: AnyKeyPath { get }
}

extension PredicateExpressions.KeyPath: KeyPathStep {
  fileprivate var base: any PredicateExpression { root }
  fileprivate var anyKeyPath: AnyKeyPath { keyPath }
}

private protocol CapturedValue {}

extension PredicateExpressions.Value: CapturedValue {}

private protocol InputVariable {}

extension PredicateExpressions.Variable: InputVariable {}
