/// The reason why a store leaves a part of a predicate, or a sort order, to the evaluation in memory.
struct Untranslatable: Error {
  var reason: String
  /// The name of the key path that has no translation, if it is a key path.
  var keyPath: String?
  /// The part of the predicate, without the values that it captures.
  var part = ""

  init(_ reason: String) {
    self.reason = reason
  }
}
