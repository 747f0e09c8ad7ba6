import Relational

extension ArithmeticFunctions {
  /// The sums and averages that SQL can call.
  static let all: [AggregateFunction] = Outcome.allCases.flatMap { outcome in
    _Arithmetic.Kind.allCases.map { arithmetic in
      AggregateFunction(name: name(outcome, arithmetic)) { makeAccumulator(outcome, arithmetic) }
    }
  }

  static func name(_ outcome: Outcome, _ arithmetic: _Arithmetic.Kind) -> String {
    let type =
      switch arithmetic {
      case .integer: "integer"
      case .unsignedInteger: "unsigned"
      case .real: "real"
      case .decimal: "decimal"
      }
    return "swiftdata_\(outcome.rawValue)_\(type)"
  }
}
