import Foundation
import FoundationSupplements

/// A node of a predicate with known operands, so that code can visit the operands of every kind of node.
protocol PredicateNode: PredicateExpression {
  /// The nodes right below this one.
  var operands: [any PredicateExpression] { get }

  /// Adds the features of the node that change its SQL to `shape`, in the order in which a store translates the operands.
  func describe(to shape: inout PredicateShape)
}

extension PredicateNode {
  func describe(to shape: inout PredicateShape) {
    for operand in operands { shape.read(operand) }
  }
}

/// The maximum depth to which the nodes of a predicate are visited. It is far deeper than a statement of a database can be,
/// and needs far less than a thread's stack.
let predicateDepthLimit = 400

extension PredicateExpressions.Value: PredicateNode {
  var operands: [any PredicateExpression] { [] }

  func describe(to shape: inout PredicateShape) {
    shape.add(captured: value)
  }
}

extension PredicateExpressions.NilLiteral: PredicateNode {
  var operands: [any PredicateExpression] { [] }
}

extension PredicateExpressions.Variable: PredicateNode {
  var operands: [any PredicateExpression] { [] }

  func describe(to shape: inout PredicateShape) {
    shape.add(key)
  }
}

extension PredicateExpressions.KeyPath: PredicateNode {
  var operands: [any PredicateExpression] { [root] }

  func describe(to shape: inout PredicateShape) {
    shape.add(keyPath)
    shape.read(root)
  }
}

extension PredicateExpressions.Equal: PredicateNode {
  var operands: [any PredicateExpression] { [lhs, rhs] }
}

extension PredicateExpressions.NotEqual: PredicateNode {
  var operands: [any PredicateExpression] { [lhs, rhs] }
}

extension PredicateExpressions.Comparison: PredicateNode {
  var operands: [any PredicateExpression] { [lhs, rhs] }

  func describe(to shape: inout PredicateShape) {
    switch op {
    case .lessThan: shape.add(operation: 0)
    case .lessThanOrEqual: shape.add(operation: 1)
    case .greaterThan: shape.add(operation: 2)
    case .greaterThanOrEqual: shape.add(operation: 3)
    @unknown default: shape.leaveOpen()
    }
    shape.read(lhs)
    shape.read(rhs)
  }
}

extension PredicateExpressions.Conjunction: PredicateNode {
  var operands: [any PredicateExpression] { [lhs, rhs] }
}

extension PredicateExpressions.Disjunction: PredicateNode {
  var operands: [any PredicateExpression] { [lhs, rhs] }
}

extension PredicateExpressions.Negation: PredicateNode {
  var operands: [any PredicateExpression] { [wrapped] }
}

extension PredicateExpressions.Conditional: PredicateNode {
  var operands: [any PredicateExpression] { [test, trueBranch, falseBranch] }
}

extension PredicateExpressions.OptionalFlatMap: PredicateNode {
  var operands: [any PredicateExpression] { [wrapped, transform] }

  func describe(to shape: inout PredicateShape) {
    shape.read(wrapped)
    shape.declare(variable.key)
    shape.read(transform)
  }
}

extension PredicateExpressions.ForcedUnwrap: PredicateNode {
  var operands: [any PredicateExpression] { [inner] }
}

extension PredicateExpressions.NilCoalesce: PredicateNode {
  var operands: [any PredicateExpression] { [lhs, rhs] }
}

extension PredicateExpressions.Arithmetic: PredicateNode {
  var operands: [any PredicateExpression] { [lhs, rhs] }

  func describe(to shape: inout PredicateShape) {
    switch op {
    case .add: shape.add(operation: 0)
    case .subtract: shape.add(operation: 1)
    case .multiply: shape.add(operation: 2)
    @unknown default: shape.leaveOpen()
    }
    shape.read(lhs)
    shape.read(rhs)
  }
}

extension PredicateExpressions.IntDivision: PredicateNode {
  var operands: [any PredicateExpression] { [lhs, rhs] }
}

extension PredicateExpressions.IntRemainder: PredicateNode {
  var operands: [any PredicateExpression] { [lhs, rhs] }
}

extension PredicateExpressions.FloatDivision: PredicateNode {
  var operands: [any PredicateExpression] { [lhs, rhs] }
}

extension PredicateExpressions.UnaryMinus: PredicateNode {
  var operands: [any PredicateExpression] { [wrapped] }
}

extension PredicateExpressions.ClosedRange: PredicateNode {
  var operands: [any PredicateExpression] { [lower, upper] }
}

extension PredicateExpressions.Range: PredicateNode {
  var operands: [any PredicateExpression] { [lower, upper] }
}

extension PredicateExpressions.RangeExpressionContains: PredicateNode {
  var operands: [any PredicateExpression] { [range, element] }
}

extension PredicateExpressions.CollectionIndexSubscript: PredicateNode {
  var operands: [any PredicateExpression] { [wrapped, index] }
}

extension PredicateExpressions.CollectionRangeSubscript: PredicateNode {
  var operands: [any PredicateExpression] { [wrapped, range] }
}

extension PredicateExpressions.DictionaryKeySubscript: PredicateNode {
  var operands: [any PredicateExpression] { [wrapped, key] }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: PredicateNode {
  var operands: [any PredicateExpression] { [wrapped, key, `default`] }
}

extension PredicateExpressions.SequenceContains: PredicateNode {
  var operands: [any PredicateExpression] { [sequence, element] }
}

extension PredicateExpressions.SequenceContainsWhere: PredicateNode {
  var operands: [any PredicateExpression] { [sequence, test] }

  func describe(to shape: inout PredicateShape) {
    shape.read(sequence)
    shape.declare(variable.key)
    shape.read(test)
  }
}

extension PredicateExpressions.SequenceAllSatisfy: PredicateNode {
  var operands: [any PredicateExpression] { [sequence, test] }

  func describe(to shape: inout PredicateShape) {
    shape.read(sequence)
    shape.declare(variable.key)
    shape.read(test)
  }
}

extension PredicateExpressions.Filter: PredicateNode {
  var operands: [any PredicateExpression] { [sequence, filter] }

  // A store translates the test where the members are used, which can be after later nodes.
  func describe(to shape: inout PredicateShape) {
    shape.leaveOpen()
  }
}

extension PredicateExpressions.SequenceMaximum: PredicateNode {
  var operands: [any PredicateExpression] { [elements] }
}

extension PredicateExpressions.SequenceMinimum: PredicateNode {
  var operands: [any PredicateExpression] { [elements] }
}

extension PredicateExpressions.CollectionContainsCollection: PredicateNode {
  var operands: [any PredicateExpression] { [base, other] }
}

extension PredicateExpressions.SequenceStartsWith: PredicateNode {
  var operands: [any PredicateExpression] { [base, prefix] }
}

extension PredicateExpressions.StringContainsRegex: PredicateNode {
  var operands: [any PredicateExpression] { [subject, regex] }
}

#if !canImport(Darwin)
  extension PredicateExpressions.StringLocalizedCompare: PredicateNode {
    var operands: [any PredicateExpression] { [root, other] }
  }

  extension PredicateExpressions.StringCaseInsensitiveCompare: PredicateNode {
    var operands: [any PredicateExpression] { [root, other] }
  }

  extension PredicateExpressions.StringLocalizedStandardContains: PredicateNode {
    var operands: [any PredicateExpression] { [root, other] }
  }
#endif

extension PredicateExpressions.TypeCheck: PredicateNode {
  var operands: [any PredicateExpression] { [input] }
}

extension PredicateExpressions.ConditionalCast: PredicateNode {
  var operands: [any PredicateExpression] { [input] }
}

extension PredicateExpressions.ForceCast: PredicateNode {
  var operands: [any PredicateExpression] { [input] }
}

extension PredicateExpressions.ExpressionEvaluate: PredicateNode {
  var operands: [any PredicateExpression] {
    var operands: [any PredicateExpression] = [expression]
    repeat operands.append(each input)
    return operands
  }
}

#if !canImport(Darwin)
  extension PredicateExpressions.PredicateEvaluate: PredicateNode {
    var operands: [any PredicateExpression] {
      var operands: [any PredicateExpression] = [predicate]
      repeat operands.append(each input)
      return operands
    }
  }

  extension PredicateExpressions.CapturedPredicate: PredicateNode {
    var operands: [any PredicateExpression] { [] }

    func describe(to shape: inout PredicateShape) {
      shape.leaveOpen()
    }
  }

  extension PredicateExpressions.CapturedExpression: PredicateNode {
    var operands: [any PredicateExpression] { [] }

    func describe(to shape: inout PredicateShape) {
      shape.leaveOpen()
    }
  }
#endif
