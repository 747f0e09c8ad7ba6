/// An aggregate function of one argument that a database calls from SQL: with the argument of each row of a group, and at the
/// end for the result.
package struct AggregateFunction: Sendable {
  package var name: String
  package var makeAccumulator: @Sendable () -> any Accumulator

  package init(name: String, makeAccumulator: @escaping @Sendable () -> any Accumulator) {
    self.name = name
    self.makeAccumulator = makeAccumulator
  }
}

/// Combines the values of one group, in any order, into one.
package protocol Accumulator: AnyObject {
  func add(_ value: Value)

  /// The result for the values so far.
  ///
  /// - Throws: An error that fails the statement; its description is the statement's error message.
  func result() throws -> Value
}
