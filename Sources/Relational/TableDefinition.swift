/// A table as a schema wants it.
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
    /// What rows that exist already get when the column is added.
    package var defaultValue: Value?
    package var references: Reference?
    /// What the values mean beyond their type: a column whose meaning changed cannot be read as before.
    package var meaning = ""
    /// The name of the column before a renaming; empty when it had no other.
    package var originalName = ""
    /// The columns that have values only where this one is not null, if there are such.
    package var presents: [String]?
    /// Whether the rows whose values they are have to have one, where others that share the table have none.
    package var isRequired: Bool?
    /// Whose values they are, in a table that several kinds of rows share; nil when they are those of all.
    package var owner: String?
    /// Whether a text in the column can stand for a file that has the value; nil where none ever can, and where a store
    /// does not say.
    package var namesFiles: Bool?
    /// Whether texts that are equal have one form in the column, so that they are the same bytes; nil where they are as
    /// they were written, and where a store does not say.
    package var isNormalized: Bool?
    /// What the columns of one property have in common; nil where a store does not say.
    package var property: Property?

    package struct Property: Codable, Hashable, Sendable {
      package var name: String
      /// Equal to `name` when it had no other.
      package var originalName: String
      /// The type of the values, in words that change when old values may not be of the new type any more.
      package var type: String
      /// Which part of the property's value the column has, with "." between the names; empty for what is all of it, or
      /// says whether there is any. References and positions have names that no part can have.
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
    /// Of each column, the name of the function of its values that is indexed in their place; nil where no column has
    /// one.
    package var functions: [String?]?

    package init(name: String, columns: [String], isUnique: Bool) {
      self.name = name
      self.columns = columns
      self.isUnique = isUnique
    }
  }

  /// An index in which the texts of a column are looked up by parts of them.
  package struct Search: Codable, Hashable, Sendable {
    package var name: String
    package var column: String
    /// The name of the function of the texts that is indexed in their place.
    package var function: String

    /// How many scalars a text has to have, once it is folded, to be looked up.
    package static let shortestPart = 3

    package init(name: String, column: String, function: String) {
      self.name = name
      self.column = column
      self.function = function
    }
  }

  package var name: String
  /// The name of the table before a renaming; nil when it had no other.
  package var originalName: String?
  /// The name of the table when the links that it holds are told from their other side.
  package var otherName: String?
  /// The kinds of rows that share the table; nil for a table of links, which has none.
  package var kinds: [String]?
  /// How each relationship of those kinds is kept, by "kind.relationship": links kept in one way are not found in
  /// another.
  package var relationships: [String: String]?
  /// What those of them that were renamed were called before, as "kind.relationship".
  package var relationshipOrigins: [String: String]?
  package var columns: [Column]
  /// Several columns that together are the primary key, for a table without an integer one of its own.
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
