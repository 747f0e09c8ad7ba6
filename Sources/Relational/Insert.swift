/// A statement that adds rows, independent of the dialect. Without a selection it adds one row, whose values are its
/// parameters, in the order of the columns.
package struct Insert: Hashable, Sendable {
  /// The resolution, instead of an error, when a row already has the new row's values in the columns of `key`.
  package struct Conflict: Hashable, Sendable {
    package enum Resolution: Hashable, Sendable {
      case takeNew, takeLarger
    }

    /// The columns that are unique together.
    package var key: [String]
    /// The only column that changes.
    package var column: String
    package var resolution: Resolution

    package init(key: [String], column: String, resolution: Resolution) {
      self.key = key
      self.column = column
      self.resolution = resolution
    }
  }

  package var table: String
  package var columns: [String]
  /// The rows to add.
  package var selection: Select?
  package var conflict: Conflict?

  package init(into table: String, columns: [String], conflict: Conflict? = nil) {
    self.table = table
    self.columns = columns
    self.conflict = conflict
  }

  package init(into table: String, columns: [String], from selection: Select) {
    self.table = table
    self.columns = columns
    self.selection = selection
  }
}
