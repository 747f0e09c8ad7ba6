import Relational

/// The type of a column.
enum ColumnForm {
  case integer, boolean, unsigned, real, decimal, text, json, uuid, bytes

  /// By the meaning of a column's values, which the store records beside their form.
  init(_ column: TableDefinition.Column) {
    let meaning = column.meaning.hasPrefix("raw ") ? String(column.meaning.dropFirst(4)) : column.meaning
    switch (column.type, meaning) {
    case (.integer, "Bool"): self = .boolean
    case (.integer, "UInt"), (.integer, "UInt64"): self = .unsigned
    case (.integer, _): self = .integer
    case (.real, _): self = .real
    case (.text, "Decimal"): self = .decimal
    case (.text, "json"): self = .json
    case (.text, _): self = .text
    case (.blob, "UUID"): self = .uuid
    case (.blob, _): self = .bytes
    }
  }

  var name: String {
    switch self {
    case .text: "text COLLATE \"C\""
    case .unsigned: "numeric(20,0)"
    default: nameOfElement
    }
  }

  /// The name without what an array's elements do not have.
  var nameOfElement: String {
    switch self {
    case .integer: "bigint"
    case .boolean: "boolean"
    case .unsigned, .decimal: "numeric"
    case .real: "double precision"
    case .text: "text"
    case .json: "jsonb"
    case .uuid: "uuid"
    case .bytes: "bytea"
    }
  }
}
