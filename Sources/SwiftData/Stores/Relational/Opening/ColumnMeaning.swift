import Relational

extension TableDefinition.Column {
  /// Whether what somebody wrote to the column can be read by who knows it as another one.
  func means(_ other: Self) -> Bool {
    type == other.type && meaning == other.meaning && !contradicts(other)
  }

  /// Whether the types of the values say that those of one are none of the other: texts are no numbers, say.
  ///
  /// The names of types that an application has declared tell nothing, as they change with the source. What does not fit
  /// is an error when it is read, then, and stays as it is.
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

  /// What values of Swift's own types are in JSON.
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
