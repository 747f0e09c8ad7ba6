/// The values of a row of the table that live queries select from.
package struct LiveSeed: Sendable {
  /// How far positions are apart, so that a row can be moved between two others.
  package static let distance = 1_000

  package let number: Int
  package var owner: Int
  /// No two rows have the same: the order of results is unambiguous.
  package var position: Int
  /// Contains the label of one word.
  package var text: String

  /// Makes the values of the row with `number`, the same ones every time.
  package init(number: Int, ownerCount: Int, rowCount: Int) {
    self.number = number
    owner = number % ownerCount
    position = Self.position(number: number, rowCount: rowCount)
    text = Self.text(word: number % LiveQuery.wordCount)
  }

  /// The position of a row, which differs in each turn.
  package static func position(number: Int, rowCount: Int, turn: Int = 0) -> Int {
    (number * 7_919 + turn * 3_571) % rowCount * distance
  }

  /// A text that contains the label of a word.
  package static func text(word: Int) -> String {
    "A text of some length with the word \(label(ofWord: word)) in it, and others."
  }

  /// What no text contains that has another word.
  package static func label(ofWord word: Int) -> String {
    ItemSeed.label(word, digits: 4)
  }
}
