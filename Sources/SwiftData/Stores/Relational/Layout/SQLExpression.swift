import Relational

/// Foundation has an `Expression` of its own, which descriptors use.
typealias SQLExpression = Relational.Expression
