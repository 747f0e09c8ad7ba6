import Relational

extension TableDefinition.Column {
  /// Whether values of the column can be read as values of another one.
  func means(_ other: Self) -> Bool {
    type == other.type && meaning == other.meaning && !contradicts(other)
  }

  /// Whether the types of the values exclude each other: texts are no numbers, for example.
  ///
  /// The names of an application's own types say nothing, as they change with the source. A value that does not fit causes
  /// an error when it is read, and stays unchanged.
  private func contradicts(_ other: Self) -> Bool {
    guard let property, let others = other.property, property.type != others.type else { return false }
    // The fields of a structure have columns of their own.
    if property.type.contains("(") || others.type.contains("(") { return false }
    let (words, otherWords) = (Self.words(of: property.type), Self.words(of: others.type))
    return words.count == otherWords.count
      && zip(words, otherWords).contains { word, other in
        guard let form = Form(word), let otherForm = Form(other) else { return false }
        return form != otherForm
      }
  }

  private static func words(of type: String) -> [Substring] {
    type.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." }
  }

  /// The form of values of Swift's own types in JSON.
  private enum Form {
    case text, number, truth

    init?(_ typeName: Substring) {
      switch typeName {
      case "String", "Character", "UUID", "URL", "Data": self = .text
      case "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
        "Decimal", "Date":
        self = .number
      case "Bool": self = .truth
      default: return nil
      }
    }
  }
}
