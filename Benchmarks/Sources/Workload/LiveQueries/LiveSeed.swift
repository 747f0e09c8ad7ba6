/// The values of a row of the table that live queries select from.
package struct LiveSeed: Sendable {
  /// The distance between positions, so that a row can be moved between two others.
  package static let distance = 1_000

  package let number: Int
  package var owner: Int
  /// Unique, so that the order of results is unambiguous.
  package var position: Int
  /// Contains the label of one word.
  package var text: String

  /// Makes the values of the row with `number`, always the same ones.
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

  /// A label that occurs only in texts with this word.
  package static func label(ofWord word: Int) -> String {
    ItemSeed.label(word, digits: 4)
  }
}
