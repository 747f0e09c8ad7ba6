/// A pure function that a database calls from SQL, once for each row. An error that it throws ends the statement.
package struct ScalarFunction: Sendable {
  package var name: String
  package var argumentCount: Int
  package var evaluate: @Sendable ([Value]) throws -> Value
  /// Creates a test for a pattern, if the function only tests texts. A database calls this once for a pattern that is the same
  /// for all rows, and passes the bytes of each text to the test, valid during the call: UTF-8, unless another program stored
  /// something else. One thread at a time uses a test.
  package var makeTest: (@Sendable (_ pattern: String) -> (UnsafeRawBufferPointer) -> Bool)?

  package init(name: String, argumentCount: Int, evaluate: @escaping @Sendable ([Value]) throws -> Value) {
    self.name = name
    self.argumentCount = argumentCount
    self.evaluate = evaluate
  }

  /// Tests its first argument, a text, with its second, a pattern; the result is null when one of them is not a text.
  package init(name: String, test: @escaping @Sendable (_ pattern: String) -> (UnsafeRawBufferPointer) -> Bool) {
    self.init(name: name, argumentCount: 2) { arguments in
      guard case .text(var text) = arguments[0], case .text(let pattern) = arguments[1] else { return .null }
      let passes = text.withUTF8 { test(pattern)(UnsafeRawBufferPointer($0)) }
      return .integer(passes ? 1 : 0)
    }
    makeTest = test
  }
}
