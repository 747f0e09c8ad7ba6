/// SQL text under construction, and the values bound to it so far.
package struct SQLWriter<Syntax: SQLDialect> {
  package let dialect: Syntax
  package private(set) var sql = ""
  package private(set) var parameters: [Value] = []
  /// The ranges of the parameters in the text, in UTF-8.
  private(set) var places: [Range<Int>] = []
  /// The number of nested expressions that are being written.
  var depth = 0
  /// The largest `depth` so far.
  var greatestDepth = 0

  package init(dialect: Syntax) {
    self.dialect = dialect
  }

  package var statement: RenderedStatement {
    RenderedStatement(sql: sql, parameters: parameters, depth: greatestDepth)
  }

  package mutating func write(_ text: String) {
    sql += text
  }

  /// Writes a name in quotes.
  package mutating func write(identifier: String) {
    sql += dialect.quoted(identifier)
  }

  /// Writes the name of a function or type, unquoted if it is a plain word.
  package mutating func write(word: String) {
    let isWord =
      !word.isEmpty
      && word.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default:
          false
        }
      }
    sql += isWord ? word : dialect.quoted(word)
  }

  /// Writes a parameter that `value` is bound to.
  ///
  /// - Parameter isTyped: Whether the type of the value has to be written, because it does not follow from its place.
  package mutating func bind(_ value: Value, isTyped: Bool = false) {
    parameters.append(value)
    let start = sql.utf8.count
    let placeholder = dialect.placeholder(at: parameters.count)
    sql += isTyped ? dialect.typed(placeholder, for: value) : placeholder
    places.append(start..<start + placeholder.utf8.count)
  }

  /// Writes elements with `separator` between them.
  package mutating func write<Elements: Sequence>(
    _ elements: Elements, separator: String = ", ", _ body: (inout Self, Elements.Element) -> Void
  ) {
    var isFirst = true
    for element in elements {
      if !isFirst { sql += separator }
      isFirst = false
      body(&self, element)
    }
  }
}
