#if !canImport(Darwin)
  public import Foundation

  extension Predicate {
    /// A predicate that is true where all of several are; true everywhere when there are none.
    ///
    /// As in `&&`, no predicate is evaluated after one that is false.
    public init(all subpredicates: some BidirectionalCollection<Predicate<repeat each Input>>) {
      self.init { (variable: repeat PredicateExpressions.Variable<each Input>) in
        var nodes: [any StandardPredicateExpression<Bool>] = []
        for predicate in subpredicates {
          nodes.append(
            PredicateExpressions.build_evaluate(PredicateExpressions.CapturedPredicate(predicate), repeat each variable)
          )
        }
        return Combination.conjunction(of: nodes[...])
      }
    }

    /// A predicate that is true where any of several is; false everywhere when there are none.
    ///
    /// As in `||`, no predicate is evaluated after one that is true.
    public init(any subpredicates: some BidirectionalCollection<Predicate<repeat each Input>>) {
      self.init { (variable: repeat PredicateExpressions.Variable<each Input>) in
        var nodes: [any StandardPredicateExpression<Bool>] = []
        for predicate in subpredicates {
          nodes.append(
            PredicateExpressions.build_evaluate(PredicateExpressions.CapturedPredicate(predicate), repeat each variable)
          )
        }
        return Combination.disjunction(of: nodes[...])
      }
    }
  }

  /// Combines halves, so that neither the tree of nodes nor its type grows deep.
  private enum Combination {
    typealias Node = any StandardPredicateExpression<Bool>

    static func conjunction(of nodes: ArraySlice<Node>) -> Node {
      func combine(
        _ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>
      ) -> Node {
        PredicateExpressions.build_Conjunction(lhs: left, rhs: right)
      }
      guard nodes.count > 1 else { return nodes.first ?? PredicateExpressions.Value(true) }
      let middle = nodes.startIndex + nodes.count / 2
      return combine(conjunction(of: nodes[..<middle]), conjunction(of: nodes[middle...]))
    }

    static func disjunction(of nodes: ArraySlice<Node>) -> Node {
      func combine(
        _ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>
      ) -> Node {
        PredicateExpressions.build_Disjunction(lhs: left, rhs: right)
      }
      guard nodes.count > 1 else { return nodes.first ?? PredicateExpressions.Value(false) }
      let middle = nodes.startIndex + nodes.count / 2
      return combine(disjunction(of: nodes[..<middle]), disjunction(of: nodes[middle...]))
    }
  }
#endif
