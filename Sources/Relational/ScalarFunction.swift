/// A pure function that a database calls from SQL, once for each row it looks at. What it throws ends the statement.
package struct ScalarFunction: Sendable {
  package var name: String
  package var argumentCount: Int
  package var evaluate: @Sendable ([Value]) throws -> Value

  package init(name: String, argumentCount: Int, evaluate: @escaping @Sendable ([Value]) throws -> Value) {
    self.name = name
    self.argumentCount = argumentCount
    self.evaluate = evaluate
  }
}
