import Foundation
import Relational

/// The state that the nodes of one predicate share during the translation.
final class TranslationContext {
  let layout: StoreLayout
  /// The identifier of the store.
  let store: InternedString
  /// The existing search indexes.
  let searches: SearchIndexes
  let recorder: CaptureRecorder?
  /// The terms of the variables in scope.
  private var variables: [PredicateExpressions.VariableID: Term] = [:]
  /// The values of variables that are constants.
  private(set) var constants = PredicateBindings()
  private var aliasCount = 0
  /// The nesting of the node being translated.
  private var depth = 0
  private var capturedTestCount = 0
  private let collector = ValueCollector()
  /// The first part of the predicate that has no translation.
  private(set) var untranslated: Untranslatable?
  /// Whether the current node is inside an odd number of negations.
  private var isInNegation = false
  /// The least number after which a token selects transactions.
  private(set) var earliestToken: Int64?
  /// The columns of the history that the predicate uses.
  private(set) var historyColumns: Set<String> = []

  init(
    layout: StoreLayout, store: InternedString, searches: SearchIndexes = .none, recorder: CaptureRecorder? = nil
  ) {
    self.layout = layout
    self.store = store
    self.searches = searches
    self.recorder = recorder
  }

  func translate(_ node: some PredicateExpression) throws -> Term {
    guard depth < predicateDepthLimit else { throw Untranslatable("it is nested too deep") }
    depth += 1
    defer { depth -= 1 }
    guard let translatable = node as? any SQLTranslatable else {
      throw Untranslatable("\(PredicateDescription.name(of: node)) has no translation")
    }
    return try translatable.translate(in: self)
  }

  /// The node as a condition; an unknown one if the node has no translation.
  func condition(_ node: some PredicateExpression, isNegated: Bool = false) throws -> Condition {
    if isNegated { isInNegation.toggle() }
    defer { if isNegated { isInNegation.toggle() } }
    do {
      let term = try translate(node)
      return try layout.rules.limited(isNegated ? term.negatedCondition() : term.condition())
    } catch var failure as Untranslatable {
      failure.part = PredicateDescription.shape(of: node)
      untranslated = untranslated ?? failure
      return .unknown
    }
  }

  /// The value of a node whose operands are all constants.
  func folded<Node: PredicateExpression>(_ node: Node, _ operands: Term...) throws -> Term? {
    guard operands.allSatisfy(\.isConstant) else { return nil }
    recorder?.recordFolding()
    do {
      try EvaluationCheck.check(node, constants)
      return .constant(flattened(try node.evaluate(constants)))
    } catch {
      // Whether Swift evaluates the node depends on the rows.
      throw Untranslatable("evaluating \(PredicateDescription.name(of: node)) fails: \(ErrorText.withoutValues(error))")
    }
  }

  // MARK: Variables

  func bind<Value>(_ variable: PredicateExpressions.Variable<Value>, to term: Term) {
    variables[variable.key] = term
    guard case .constant(let value) = term else { return }
    let none = (Value.self as? any OptionalValue.Type)?.none as? Value
    if let constant = value.map({ $0 as? Value }) ?? none { constants[variable] = constant }
  }

  /// - Parameter term: A term that is no constant.
  func bind(_ variable: PredicateExpressions.VariableID, to term: Term) {
    variables[variable] = term
  }

  func bind<Value>(_ variable: PredicateExpressions.Variable<Value>, toConstant value: Value) {
    variables[variable.key] = .constant(flattened(value))
    constants[variable] = value
  }

  func term(for variable: PredicateExpressions.VariableID) -> Term? {
    variables[variable]
  }

  /// The terms of the variables in scope.
  var scope: [PredicateExpressions.VariableID: Term] { variables }

  /// Runs `body` with the variables of an earlier scope.
  func within<Result>(
    _ scope: [PredicateExpressions.VariableID: Term], _ body: () throws -> Result
  ) rethrows -> Result {
    let current = variables
    variables = scope
    defer { variables = current }
    return try body()
  }

  /// Counts the captured elements that are tested one by one, whose number in a statement is limited.
  func countCapturedTest() throws {
    capturedTestCount += 1
    let limit = 1000
    if capturedTestCount > limit { throw Untranslatable("more than \(limit) captured elements are tested") }
  }

  func makeAlias() -> String {
    aliasCount += 1
    return "t\(aliasCount)"
  }

  /// Records a comparison with a token, which may select the transactions after it.
  func record(_ binary: SQLExpression.Binary, _ token: DefaultHistoryToken) {
    guard (binary == .greater || binary == .greaterOrEqual) != isInNegation else { return }
    earliestToken = min(earliestToken ?? .max, max(0, token.number(of: store.string)))
  }

  func recordHistoryColumn(_ name: String) {
    historyColumns.insert(name)
  }

  // MARK: Values

  /// The column value of a captured value.
  func encode(_ value: Any, as kind: ScalarKind) throws -> Value {
    if let token = value as? DefaultHistoryToken, kind == TransactionTerm.token {
      return .integer(token.number(of: store.string))
    }
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
}
