import Foundation
import SwiftData

@Model final class Author {
  @Attribute(.unique) var name: String
  @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: [Book] = []
  init(name: String) { self.name = name }
}

@Model final class Book {
  var title: String
  var author: Author?
  init(title: String) { self.title = title }
}

let container = try ModelContainer(for: Author.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
let leGuin = Author(name: "Ursula K. Le Guin")
leGuin.books = [Book(title: "The Left Hand of Darkness"), Book(title: "The Dispossessed")]
container.mainContext.insert(leGuin)
try container.mainContext.save()

let hands = FetchDescriptor<Book>(predicate: #Predicate { $0.title.localizedStandardContains("HAND") })
for book in try container.mainContext.fetch(hands) {
  print(book.title, "by", book.author?.name ?? "an unknown author")
}
