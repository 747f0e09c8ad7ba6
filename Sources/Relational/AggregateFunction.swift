/// A function of one argument that a database calls from SQL: with the argument of each row of a group, and at the end
/// for the result.
package struct AggregateFunction: Sendable {
  package var name: String
  package var makeAccumulator: @Sendable () -> any Accumulator

  package init(name: String, makeAccumulator: @escaping @Sendable () -> any Accumulator) {
    self.name = name
    self.makeAccumulator = makeAccumulator
  }
}

/// Takes the values of one group, in any order, and makes one of them.
package protocol Accumulator: AnyObject {
  func add(_ value: Value)

  /// What becomes of the values so far.
  ///
  /// - Throws: What makes the statement fail, in the words of the error's description.
  func result() throws -> Value
}
