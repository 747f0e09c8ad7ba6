package import Relational

extension SQLiteDialect {
  package func write(_ idiom: Expression.Idiom, to writer: inout SQLWriter<SQLiteDialect>) {
    switch idiom {
    case .isTrue(let condition):
      writer.write(.function(.coalesce, [condition, .value(.integer(0))]))
    // A condition and a stored truth value are the same number.
    case .truth(let inner), .holds(let inner):
      writer.write(inner)
    // SQLite has no NaN, and a column of any type can hold text.
    case .isNaN(let real):
      writer.write(.binary(.equal, Self.storage(of: real), .value(.text("text"))))
    case .isNotNaN(let real):
      writer.write(.binary(.notEqual, Self.storage(of: real), .value(.text("text"))))
    case .isFileName(let blob):
      writer.write(Self.storage(of: blob))
      writer.write(" = 'text'")
    case .jsonMember(let json, let name):
      writer.write(.function(.custom("json_extract"), [json, .value(.text("$.\"\(name)\""))]))
    case .jsonText(let value, let json, let key):
      let whole = Expression.function(.custom(JSONText.function.name), [json, key])
      writer.write(.conditional(condition: JSONText.hasZeroByte(json), then: whole, otherwise: value))
    case .isFound(let text, let search, let key):
      writeSearch(of: text, in: search, key, to: &writer)
    }
  }

  package func writeElements(of json: Expression, as alias: String, to writer: inout SQLWriter<SQLiteDialect>) {
    writer.write("\(JSONTable.function.name)(")
    writer.write(json)
    writer.write(") AS ")
    writer.write(identifier: alias)
  }

  private static func storage(of value: Expression) -> Expression {
    .function(.custom("typeof"), [value])
  }
}
