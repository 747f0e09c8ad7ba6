/// A table as a schema defines it.
package struct TableDefinition: Codable, Hashable, Sendable {
  package struct Column: Codable, Hashable, Sendable {
    package enum ColumnType: String, Codable, Hashable, Sendable {
      case integer, real, text, blob
    }

    package struct Reference: Codable, Hashable, Sendable {
      package enum DeleteAction: Codable, Hashable, Sendable {
        case restrict, setNull, cascade
      }

      package var table: String
      package var column: String
      package var onDelete: DeleteAction

      package init(table: String, column: String, onDelete: DeleteAction) {
        self.table = table
        self.column = column
        self.onDelete = onDelete
      }
    }

    package var name: String
    package var type: ColumnType
    package var isNullable: Bool
    package var isPrimaryKey: Bool
    /// The value for existing rows when the column is added.
    package var defaultValue: Value?
    package var references: Reference?
    /// The meaning of the values beyond their type: values from before a change of meaning cannot be read.
    package var meaning = ""
    /// The name of the column before a renaming; empty when it was not renamed.
    package var originalName = ""
    /// The columns that have values only where this one is not null, if there are any.
    package var presents: [String]?
    /// Whether the rows of the column's kinds must have a value, where the table also has rows of other kinds.
    package var isRequired: Bool?
    /// The kind of rows that has the column, in a table that several kinds share; nil for all kinds.
    package var owner: String?
    /// Whether a text in the column can name a file that has the value; nil where it cannot, and in stores that do not record
    /// it.
    package var namesFiles: Bool?
    /// Whether texts in the column are normalized, so that equal texts have equal bytes; nil where they are stored as written,
    /// and in stores that do not record it.
    package var isNormalized: Bool?
    /// The property that the columns belong to; nil in stores that do not record it.
    package var property: Property?

    package struct Property: Codable, Hashable, Sendable {
      package var name: String
      /// Equal to `name` when the property was not renamed.
      package var originalName: String
      /// A description of the value type, which changes when old values may not be of the new type.
      package var type: String
      /// The part of the property's value that the column has, with "." between the names; empty for the whole value, and for a
      /// column that says whether there is a value. References and positions have names that no part can have.
      package var part: String

      package static let target = "@target"
      package static let position = "@position"

      package init(name: String, originalName: String? = nil, type: String, part: String = "") {
        self.name = name
        self.originalName = originalName ?? name
        self.type = type
        self.part = part
      }
    }

    package init(
      name: String, type: ColumnType, isNullable: Bool, isPrimaryKey: Bool = false, defaultValue: Value? = nil,
      references: Reference? = nil
    ) {
      self.name = name
      self.type = type
      self.isNullable = isNullable
      self.isPrimaryKey = isPrimaryKey
      self.defaultValue = defaultValue
      self.references = references
    }
  }

  package struct Index: Codable, Hashable, Sendable {
    package var name: String
    package var columns: [String]
    package var isUnique: Bool
    /// For each column, the name of the function whose results are indexed instead of the values; nil where no column has one.
    package var functions: [String?]?

    package init(name: String, columns: [String], isUnique: Bool) {
      self.name = name
      self.columns = columns
      self.isUnique = isUnique
    }
  }

  /// A search index, which finds the texts of a column by their parts.
  package struct Search: Codable, Hashable, Sendable {
    package var name: String
    package var column: String
    /// The name of the function whose results are indexed instead of the texts.
    package var function: String

    /// The smallest number of scalars in a folded text that can be looked up.
    package static let shortestPart = 3

    package init(name: String, column: String, function: String) {
      self.name = name
      self.column = column
      self.function = function
    }
  }

  package var name: String
  /// The name of the table before a renaming; nil when it was not renamed.
  package var originalName: String?
  /// The name of a join table as seen from the inverse relationship.
  package var otherName: String?
  /// The kinds of rows that share the table; nil for a join table.
  package var kinds: [String]?
  /// How each relationship of those kinds is stored, by "kind.relationship". When it changes, existing links must be migrated.
  package var relationships: [String: String]?
  /// The original names of the renamed relationships, as "kind.relationship".
  package var relationshipOrigins: [String: String]?
  package var columns: [Column]
  /// The columns of a composite primary key, for a table without an integer primary key.
  package var compositePrimaryKey: [String]
  package var indexes: [Index]
  /// Nil when there are none.
  package var searches: [Search]?

  package init(name: String, columns: [Column], compositePrimaryKey: [String] = [], indexes: [Index] = []) {
    self.name = name
    self.columns = columns
    self.compositePrimaryKey = compositePrimaryKey
    self.indexes = indexes
  }
}
