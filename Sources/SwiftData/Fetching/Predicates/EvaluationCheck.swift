import Foundation
import FoundationSupplements

// In memory a predicate is evaluated with Swift's own operators. These trap when an integer overflows or is divided by zero,
// or when the bounds of a range are in the wrong order. Whether that happens depends on the data. So the operands are
// evaluated and checked first, in the order of the evaluation.

/// Detects traps before a predicate or an expression is evaluated in memory.
enum EvaluationCheck {
  enum Need {
    case nothing
    /// The values have to be checked before the evaluation.
    case check
    /// The predicate must not be evaluated, because it is nested deeper than the limit.
    case refusal(limit: Int)
  }

  /// The maximum depth of a predicate, because the evaluation of each level needs stack. A captured predicate is a level,
  /// and each node within it is another.
  static let depthLimit = 3000
  /// The limit for predicates whose values are checked first, which needs several times as much stack.
  static let checkedDepthLimit = 1000

  /// The check that is needed before a predicate or an expression is evaluated.
  static func need(of root: any PredicateExpression) -> Need {
    var isChecked = false
    var depth = 0
    var rest: [(node: any PredicateExpression, level: Int)] = [(root, 1)]
    while let (node, level) = rest.popLast() {
      depth = max(depth, level)
      if depth > depthLimit { return .refusal(limit: depthLimit) }
      if let node = node as? any TrappingNode, node.mayTrap { isChecked = true }
      if let node = node as? any EvaluationNode {
        if let (body, _) = node.body {
          // The body counts at the level of its evaluation node, unless it is an evaluation node as well.
          rest.append((body, body is any EvaluationNode ? level + 1 : level))
        } else {
          isChecked = true
        }
      }
      // The operands of nodes of other libraries are unknown.
      guard let node = node as? any PredicateNode else { continue }
      for operand in node.operands { rest.append((operand, level + 1)) }
    }
    if isChecked, depth > checkedDepthLimit { return .refusal(limit: checkedDepthLimit) }
    return isChecked ? .check : .nothing
  }

  static func tooDeep(_ limit: Int) -> SwiftDataError {
    SwiftDataError.unsupportedPredicate.with(
      message: "The predicate is nested more than \(limit) levels deep, and cannot be evaluated in memory.",
      hint: "Combine conditions side by side, as Predicate(all:) and Predicate(any:) do with a list of predicates.")
  }

  /// - Throws: ``SwiftDataError/unsupportedPredicate`` for values with which the evaluation would trap, and the errors of
  ///   evaluating a part of the node.
  static func run(_ node: some PredicateExpression, _ bindings: PredicateBindings) throws {
    do {
      try check(node, bindings)
    } catch let trap as EvaluationTrap {
      throw SwiftDataError.unsupportedPredicate.with(
        message: "\(trap), which is evaluated in memory.",
        hint: "Test for such values first, as in `$0.count != 0 && $0.sum / $0.count > 3`.")
    }
  }

  /// - Throws: ``EvaluationTrap``, and the errors of evaluating a part of the node.
  static func check(_ node: some PredicateExpression, _ bindings: PredicateBindings) throws {
    if let node = node as? any CheckedNode { return try node.check(bindings) }
    guard let node = node as? any PredicateNode else { return }
    for operand in node.operands { try check(operand, bindings) }
    if let node = node as? any TrappingNode, node.mayTrap, let reason = try node.trap(bindings) {
      throw EvaluationTrap(reason: reason, part: PredicateDescription.shape(of: node))
    }
  }
}

/// Why a predicate cannot be evaluated for certain values.
struct EvaluationTrap: Error, CustomStringConvertible {
  var reason: String
  /// The part of the predicate, without the values that it captures.
  var part: String

  var description: String { "\(reason) in \(part)" }
}

/// A predicate as it is evaluated in memory.
struct CheckedPredicate<each Input> {
  private let predicate: Predicate<repeat each Input>
  private let need: EvaluationCheck.Need
  /// Nil when the predicate's own evaluation is as fast.
  private let search: HashedSearch.Evaluation?

  init(_ predicate: Predicate<repeat each Input>) {
    self.predicate = predicate
    need = EvaluationCheck.need(of: predicate.expression)
    if case .refusal = need { search = nil } else { search = HashedSearch.evaluation(of: predicate.expression) }
  }

  /// - Throws: ``SwiftDataError/unsupportedPredicate`` for a predicate that is nested too deep.
  func checkDepth() throws {
    if case .refusal(let limit) = need { throw EvaluationCheck.tooDeep(limit) }
  }

  /// - Throws: ``SwiftDataError/unsupportedPredicate`` for values with which the evaluation would trap, and for a predicate
  ///   that is nested too deep; Foundation's `PredicateError` for other values without a result.
  func evaluate(_ input: repeat each Input) throws -> Bool {
    switch need {
    case .nothing: break
    case .check:
      try EvaluationCheck.run(predicate.expression, PredicateBindings(repeat (each predicate.variable, each input)))
    case .refusal(let limit): throw EvaluationCheck.tooDeep(limit)
    }
    if let search { return try search(PredicateBindings(repeat (each predicate.variable, each input))) }
    return try predicate.evaluate(repeat each input)
  }
}

/// An expression as it is evaluated in memory.
struct CheckedExpression<each Input, Output> {
  private let expression: Foundation.Expression<repeat each Input, Output>
  private let need: EvaluationCheck.Need

  init(_ expression: Foundation.Expression<repeat each Input, Output>) {
    self.expression = expression
    need = EvaluationCheck.need(of: expression.expression)
  }

  /// - Throws: The errors of ``CheckedPredicate/evaluate(_:)``.
  func evaluate(_ input: repeat each Input) throws -> Output {
    switch need {
    case .nothing: break
    case .check:
      try EvaluationCheck.run(expression.expression, PredicateBindings(repeat (each expression.variable, each input)))
    case .refusal(let limit): throw EvaluationCheck.tooDeep(limit)
    }
    return try expression.evaluate(repeat each input)
  }
}

// MARK: Nodes that may trap

/// A node whose evaluation traps for some values of its operands.
private protocol TrappingNode: PredicateExpression {
  /// Whether there are such values of the operands' types.
  var mayTrap: Bool { get }
  /// The reason why the evaluation would trap; nil when it would not. The operands must be checked.
  func trap(_ bindings: PredicateBindings) throws -> String?
}

private enum IntegerOperation {
  case add, subtract, multiply, divide, remainder

  init?(_ operation: PredicateExpressions.ArithmeticOperator) {
    switch operation {
    case .add: self = .add
    case .subtract: self = .subtract
    case .multiply: self = .multiply
    @unknown default: return nil
    }
  }

  /// - Parameter right: An integer of the same type as `left`.
  func trap<Number: FixedWidthInteger>(_ left: Number, _ right: Any) -> String? {
    guard let right = right as? Number else { return nil }
    let overflows =
      switch self {
      case .add: left.addingReportingOverflow(right).overflow
      case .subtract: left.subtractingReportingOverflow(right).overflow
      case .multiply: left.multipliedReportingOverflow(by: right).overflow
      case .divide: left.dividedReportingOverflow(by: right).overflow
      case .remainder: left.remainderReportingOverflow(dividingBy: right).overflow
      }
    guard overflows else { return nil }
    let divides = self == .divide || self == .remainder
    return divides && right == 0 ? "a division by zero" : "an overflow of \(Number.self)"
  }
}

extension PredicateExpressions.Arithmetic: TrappingNode {
  fileprivate var mayTrap: Bool { LHS.Output.self is any FixedWidthInteger.Type }

  fileprivate func trap(_ bindings: PredicateBindings) throws -> String? {
    guard let left = try lhs.evaluate(bindings) as? any FixedWidthInteger else { return nil }
    return IntegerOperation(op)?.trap(left, try rhs.evaluate(bindings))
  }
}

extension PredicateExpressions.IntDivision: TrappingNode {
  fileprivate var mayTrap: Bool { LHS.Output.self is any FixedWidthInteger.Type }

  fileprivate func trap(_ bindings: PredicateBindings) throws -> String? {
    guard let left = try lhs.evaluate(bindings) as? any FixedWidthInteger else { return nil }
    return IntegerOperation.divide.trap(left, try rhs.evaluate(bindings))
  }
}

extension PredicateExpressions.IntRemainder: TrappingNode {
  fileprivate var mayTrap: Bool { LHS.Output.self is any FixedWidthInteger.Type }

  fileprivate func trap(_ bindings: PredicateBindings) throws -> String? {
    guard let left = try lhs.evaluate(bindings) as? any FixedWidthInteger else { return nil }
    return IntegerOperation.remainder.trap(left, try rhs.evaluate(bindings))
  }
}

extension PredicateExpressions.UnaryMinus: TrappingNode {
  fileprivate var mayTrap: Bool { Wrapped.Output.self is any FixedWidthInteger.Type }

  fileprivate func trap(_ bindings: PredicateBindings) throws -> String? {
    func trap<Number: FixedWidthInteger>(_ number: Number) -> String? {
      IntegerOperation.subtract.trap(0, number)
    }
    return (try wrapped.evaluate(bindings) as? any FixedWidthInteger).flatMap { trap($0) }
  }
}

extension PredicateExpressions.ClosedRange: TrappingNode {
  fileprivate var mayTrap: Bool { true }

  fileprivate func trap(_ bindings: PredicateBindings) throws -> String? {
    // False for NaN, too. Half-open ranges are checked by Foundation itself.
    try lower.evaluate(bindings) <= upper.evaluate(bindings) ? nil : "a range whose bounds are the wrong way round"
  }
}

// MARK: Nodes that evaluate operands conditionally or repeatedly

/// A node that does not evaluate all of its operands, or evaluates some of them with other bindings.
private protocol CheckedNode: PredicateExpression {
  func check(_ bindings: PredicateBindings) throws
}

extension PredicateExpressions.Conjunction: CheckedNode {
  fileprivate func check(_ bindings: PredicateBindings) throws {
    try EvaluationCheck.check(lhs, bindings)
    if try lhs.evaluate(bindings) { try EvaluationCheck.check(rhs, bindings) }
  }
}

extension PredicateExpressions.Disjunction: CheckedNode {
  fileprivate func check(_ bindings: PredicateBindings) throws {
    try EvaluationCheck.check(lhs, bindings)
    if try !lhs.evaluate(bindings) { try EvaluationCheck.check(rhs, bindings) }
  }
}

extension PredicateExpressions.Conditional: CheckedNode {
  fileprivate func check(_ bindings: PredicateBindings) throws {
    try EvaluationCheck.check(test, bindings)
    if try test.evaluate(bindings) {
      try EvaluationCheck.check(trueBranch, bindings)
    } else {
      try EvaluationCheck.check(falseBranch, bindings)
    }
  }
}

extension PredicateExpressions.NilCoalesce: CheckedNode {
  fileprivate func check(_ bindings: PredicateBindings) throws {
    try EvaluationCheck.check(lhs, bindings)
    if try lhs.evaluate(bindings) == nil { try EvaluationCheck.check(rhs, bindings) }
  }
}

extension PredicateExpressions.OptionalFlatMap: CheckedNode {
  fileprivate func check(_ bindings: PredicateBindings) throws {
    try EvaluationCheck.check(wrapped, bindings)
    guard let value = try wrapped.evaluate(bindings) else { return }
    try EvaluationCheck.check(transform, bindings.binding(variable, to: value))
  }
}

extension PredicateExpressions.SequenceContainsWhere: CheckedNode {
  fileprivate func check(_ bindings: PredicateBindings) throws {
    try EvaluationCheck.check(sequence, bindings)
    for element in try sequence.evaluate(bindings) {
      let inner = bindings.binding(variable, to: element)
      try EvaluationCheck.check(test, inner)
      if try test.evaluate(inner) { return }
    }
  }
}

extension PredicateExpressions.SequenceAllSatisfy: CheckedNode {
  fileprivate func check(_ bindings: PredicateBindings) throws {
    try EvaluationCheck.check(sequence, bindings)
    for element in try sequence.evaluate(bindings) {
      let inner = bindings.binding(variable, to: element)
      try EvaluationCheck.check(test, inner)
      if try !test.evaluate(inner) { return }
    }
  }
}

extension PredicateExpressions.Filter: CheckedNode {
  fileprivate func check(_ bindings: PredicateBindings) throws {
    try EvaluationCheck.check(sequence, bindings)
    for element in try sequence.evaluate(bindings) {
      try EvaluationCheck.check(filter, bindings.binding(variable, to: element))
    }
  }
}

extension PredicateExpressions.ExpressionEvaluate: CheckedNode {
  fileprivate func check(_ bindings: PredicateBindings) throws {
    try EvaluationCheck.check(expression, bindings)
    repeat try EvaluationCheck.check(each input, bindings)
    let inner = try expression.evaluate(bindings)
    let variables = PredicateBindings(repeat (each inner.variable, try (each input).evaluate(bindings)))
    try EvaluationCheck.check(inner.expression, variables)
  }
}

#if !canImport(Darwin)
  extension PredicateExpressions.PredicateEvaluate: CheckedNode {
    fileprivate func check(_ bindings: PredicateBindings) throws {
      try EvaluationCheck.check(predicate, bindings)
      repeat try EvaluationCheck.check(each input, bindings)
      let inner = try predicate.evaluate(bindings)
      let variables = PredicateBindings(repeat (each inner.variable, try (each input).evaluate(bindings)))
      try EvaluationCheck.check(inner.expression, variables)
    }
  }
#endif
