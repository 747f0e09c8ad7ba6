/// A step of a query plan.
package struct QueryStep: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Reads all rows of a table, in the order of `index` if there is one.
    case scan
    /// Looks up rows of a table by their key or by an index.
    case search
    /// Sorts rows, or collects them to find equal ones.
    case sort
    case other
  }

  package var kind: Kind
  /// The number of enclosing steps.
  package var depth: Int
  /// The step as the database describes it.
  package var text: String
  /// The name of the index that the step uses.
  package var index: String?

  package init(_ kind: Kind, depth: Int, text: String, index: String? = nil) {
    self.kind = kind
    self.depth = depth
    self.text = text
    self.index = index
  }
}
