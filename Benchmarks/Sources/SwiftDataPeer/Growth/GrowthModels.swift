import SwiftData

@Model
final class GrowthShelf {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \GrowthBook.shelf) var books: [GrowthBook] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class GrowthBook {
  var number: Int
  var title = ""
  var shelf: GrowthShelf?
  var labels: [GrowthLabel] = []

  init(_ number: Int) {
    self.number = number
  }
}

@Model
final class GrowthLabel {
  var word: String
  @Relationship(inverse: \GrowthBook.labels) var books: [GrowthBook] = []

  init(_ word: String) {
    self.word = word
  }
}
