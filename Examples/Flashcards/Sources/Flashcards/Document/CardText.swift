/// Checks and normalizes user input, independent of HTTP and of the store.
enum CardText {
  static let sideLimit = 2000
  static let nameLimit = 100

  /// A text as it is stored: with normalized line ends, and without white space around it.
  ///
  /// Browsers change line ends and drop NUL characters, so a text with these would never equal the text of a page.
  static func normalized(_ text: String) -> String {
    var text = text
    if text.utf8.contains(where: { $0 == 13 || $0 == 0 }) {
      text = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n").replacing("\0", with: "")
    }
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[first...last])
  }

  static func side(_ text: String, field: String) throws(CardError) -> String {
    let text = normalized(text)
    if let fault = fault(in: text, side: field) { throw .invalid(field: field, fault) }
    return text
  }

  /// The problem with a normalized text of a card, if there is one.
  static func fault(in text: String, side: String) -> String? {
    if text.isEmpty { return "The \(side) must not be empty." }
    if isTooLong(text, sideLimit) { return "The \(side) must have at most 2,000 characters." }
    return nil
  }

  static func deckName(_ text: String) throws(CardError) -> String {
    let name = normalized(text).replacing("\n", with: " ")
    if name.isEmpty { throw .invalid(field: "name", "A deck needs a name.") }
    if isTooLong(name, nameLimit) { throw .invalid(field: "name", "The name must have at most 100 characters.") }
    return name
  }

  /// A character may have any number of combining marks, so bytes are limited as well.
  private static func isTooLong(_ text: String, _ limit: Int) -> Bool {
    text.utf8.count > limit && (text.count > limit || text.utf8.count > limit * 32)
  }
}
