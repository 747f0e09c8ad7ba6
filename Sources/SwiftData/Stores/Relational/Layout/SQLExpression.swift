import Relational

// Foundation has another `Expression`, which descriptors use.
typealias SQLExpression = Relational.Expression
