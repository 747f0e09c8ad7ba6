#if !canImport(Darwin)
  public import Foundation

  extension Predicate {
    /// Makes a predicate that is true when all of `subpredicates` are true.
    ///
    /// Without subpredicates it is always true. As with `&&`, evaluation stops at the first subpredicate that is false.
    /// A predicate that was made from others cannot be encoded.
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

    /// Makes a predicate that is true when at least one of `subpredicates` is true.
    ///
    /// Without subpredicates it is always false. As with `||`, evaluation stops at the first subpredicate that is true.
    /// A predicate that was made from others cannot be encoded.
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
