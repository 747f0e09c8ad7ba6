import Foundation
import Relational
import Synchronization

/// What the nodes of one predicate share while they are translated.
final class TranslationContext {
  let layout: StoreLayout
  /// The identifier of the store.
  let store: InternedString
  /// What the variables in scope stand for.
  private var variables: [PredicateExpressions.VariableID: Term] = [:]
  /// The values of the variables that stand for constants.
  private(set) var constants = PredicateBindings()
  private var aliasCount = 0
  private let collector = ValueCollector()

  init(layout: StoreLayout, store: InternedString) {
    self.layout = layout
    self.store = store
  }

  func translate(_ node: some PredicateExpression) throws -> Term {
    guard let translatable = node as? any SQLTranslatable else {
      throw Untranslatable("\(Self.name(of: node)) has no translation")
    }
    return try translatable.translate(in: self)
  }

  /// The node as a condition; one about which nothing is known when the node has no translation.
  func condition(_ node: some PredicateExpression, isNegated: Bool = false) throws -> Condition {
    do {
      let term = try translate(node)
      return try isNegated ? term.negatedCondition() : term.condition()
    } catch let failure as Untranslatable {
      report(failure, in: node)
      return .unknown
    }
  }

  /// The value of a node whose operands are all constants.
  func folded<Node: PredicateExpression>(_ node: Node, _ operands: Term...) throws -> Term? {
    guard operands.allSatisfy(\.isConstant) else { return nil }
    do {
      return .constant(flattened(try node.evaluate(constants)))
    } catch {
      // Whether Swift ever gets to evaluate it depends on the rows.
      throw Untranslatable("evaluating \(Self.name(of: node)) fails: \(error)")
    }
  }

  // MARK: Names

  func bind<Value>(_ variable: PredicateExpressions.Variable<Value>, to term: Term) {
    variables[variable.key] = term
  }

  func bind<Value>(_ variable: PredicateExpressions.Variable<Value>, toConstant value: Value) {
    variables[variable.key] = .constant(flattened(value))
    constants[variable] = value
  }

  func term(for variable: PredicateExpressions.VariableID) -> Term? {
    variables[variable]
  }

  func makeAlias() -> String {
    aliasCount += 1
    return "t\(aliasCount)"
  }

  // MARK: Values

  /// The value of a column of the given kind that stands for a captured value.
  func encode(_ value: Any, as kind: ScalarKind) throws -> Value {
    var value = value
    if kind.rawType != nil {
      guard let raw = value as? any RawRepresentable else {
        throw Untranslatable("\(type(of: value)) is compared with \(kind)")
      }
      value = raw.rawValue
    }
    guard let primitive = value as? any _PrimitiveValue, kind.primitive == type(of: primitive) else {
      throw Untranslatable("\(type(of: value)) is compared with \(kind)")
    }
    primitive._write(collector, 0)
    return collector.values[0] ?? .null
  }

  // MARK: Reports

  private static let reported = Mutex<Set<String>>([])

  /// Says once in the process that a part of a predicate is left to memory.
  func report(_ failure: Untranslatable, in node: some PredicateExpression) {
    let message = "Part of a predicate is evaluated in memory, because \(failure.reason): \(Self.describe(node))"
    guard Self.reported.withLock({ $0.insert(message).inserted }) else { return }
    Log.fetch.notice("\(message)")
  }

  private static func describe(_ node: some PredicateExpression) -> String {
    (node as? any CustomStringConvertible)?.description ?? name(of: node)
  }

  private static func name(of node: some PredicateExpression) -> String {
    String(describing: type(of: node)).prefix { $0 != "<" }.description
  }
}

/// A value without any layers of `Optional` around it.
func flattened(_ value: Any) -> Any? {
  guard let optional = value as? any OptionalValue else { return value }
  return optional.wrapped.flatMap(flattened)
}
