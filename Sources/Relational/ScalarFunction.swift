/// A pure function that a database calls from SQL, once for each row it looks at. What it throws ends the statement.
package struct ScalarFunction: Sendable {
  package var name: String
  package var argumentCount: Int
  package var evaluate: @Sendable ([Value]) throws -> Value
  /// Makes what tests texts for a pattern, when the function does that and nothing else. A database calls it once for a
  /// pattern that is the same for all rows, and passes the bytes that it has of each text: UTF-8, unless somebody else
  /// wrote something there, lent for the call. One test is used by one thread at a time.
  package var makeTest: (@Sendable (_ pattern: String) -> (UnsafeRawBufferPointer) -> Bool)?

  package init(name: String, argumentCount: Int, evaluate: @escaping @Sendable ([Value]) throws -> Value) {
    self.name = name
    self.argumentCount = argumentCount
    self.evaluate = evaluate
  }

  /// A test of its first argument, a text, with its second, a pattern; null when one of them is no text.
  package init(name: String, test: @escaping @Sendable (_ pattern: String) -> (UnsafeRawBufferPointer) -> Bool) {
    self.init(name: name, argumentCount: 2) { arguments in
      guard case .text(var text) = arguments[0], case .text(let pattern) = arguments[1] else { return .null }
      let passes = text.withUTF8 { test(pattern)(UnsafeRawBufferPointer($0)) }
      return .integer(passes ? 1 : 0)
    }
    makeTest = test
  }
}
