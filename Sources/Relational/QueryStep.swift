/// A step of how a database runs a query.
package struct QueryStep: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Reads all rows of a table, in the order of `index` if there is one.
    case scan
    /// Goes to the rows of a table by their key or by an index.
    case search
    /// Sorts rows, or collects them to find equal ones.
    case sort
    case other
  }

  package var kind: Kind
  /// How many steps the step is a part of.
  package var depth: Int
  /// The step in the database's own words.
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
