import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

// The pairs below differ in how their classes reference each other; the names of the enumerations say how.

enum OneToMany {
  @Model final class School {
    var students: [Student] = []
    init() {}
  }
  @Model final class Student {
    var school: School?
    init() {}
  }
}

enum RequiredOwner {
  @Model final class Album {
    var photos: [Photo] = []
    init() {}
  }
  @Model final class Photo {
    var album: Album
    init(album: Album) { self.album = album }
  }
}

enum OneToOne {
  @Model final class Country {
    var capital: Capital?
    init() {}
  }
  @Model final class Capital {
    var country: Country?
    init() {}
  }
}

enum BothRequired {
  @Model final class Key {
    var lock: Lock
    init(lock: Lock) { self.lock = lock }
  }
  @Model final class Lock {
    var key: Key
    init(key: Key) { self.key = key }
  }
}

enum ManyToMany {
  @Model final class Actor {
    var films: [Film] = []
    init() {}
  }
  @Model final class Film {
    var actors: [Actor] = []
    init() {}
  }
}

enum WrittenManyToMany {
  @Model final class Actor {
    @Relationship(deleteRule: .nullify, inverse: \Film.actors) var films: [Film]?
    init() {}
  }
  @Model final class Film {
    var actors: [Actor]?
    init() {}
  }
}

enum OneWay {
  @Model final class Order {
    @Relationship(inverse: nil) var items: [Item] = []
    @Relationship(.unique, deleteRule: .deny, originalName: "old", inverse: nil, hashModifier: "1") var gift: Item?
    init() {}
  }
  @Model final class Item {
    var order: Order?
    init() {}
  }
}

enum Ambiguous {
  @Model final class Airport {
    var flights: [Flight] = []
    init() {}
  }
  @Model final class Flight {
    var origin: Airport?
    var destination: Airport?
    init() {}
  }
}

enum Disambiguated {
  @Model final class Airport {
    @Relationship(inverse: \Flight.origin) var flights: [Flight] = []
    init() {}
  }
  @Model final class Flight {
    var origin: Airport?
    var destination: Airport?
    init() {}
  }
}

enum RequiredTwice {
  @Model final class Team {
    var games: [Game] = []
    init() {}
  }
  @Model final class Game {
    var home: Team
    var away: Team
    init(home: Team, away: Team) {
      self.home = home
      self.away = away
    }
  }
}

enum RequiredAndOptional {
  @Model final class Author {
    var books: [Book] = []
    init() {}
  }
  @Model final class Book {
    var author: Author?
    var editor: Author
    init(editor: Author) { self.editor = editor }
  }
}

enum Selves {
  @Model final class Node {
    var parent: Node?
    var children: [Node] = []
    init() {}
  }
  @Model final class Member {
    var friends: [Member] = []
    init() {}
  }
  @Model final class Child {
    var mother: Child?
    var father: Child?
    init() {}
  }
}

enum WrongInverse {
  @Model final class Shelf {
    @Relationship(inverse: \Book.title) var books: [Book] = []
    @Relationship(inverse: \Book.reader) var loans: [Book] = []
    @Relationship(inverse: \Book.lonely) var others: [Book] = []
    init() {}
  }
  @Model final class Book {
    var title = ""
    var reader: Reader?
    @Relationship(inverse: nil) var lonely: Shelf?
    init() {}
  }
  @Model final class Reader {
    init() {}
  }
}

enum Subclassed {
  @Model class Animal {
    var owner: Owner?
    init() {}
  }
  @Model final class Dog: Animal {
    override init() { super.init() }
  }
  @Model final class Owner {
    var dogs: [Dog] = []
    init() {}
  }
}

@Suite("Inference of inverse relationships")
struct InverseInferenceTests {
  private func inverse(_ property: String, of type: any PersistentModel.Type) throws -> String? {
    let entity = try #require(Schema([type]).entity(forType: type))
    return try #require(entity.relationshipsByName[property]).inverseName
  }

  private func issues(_ types: any PersistentModel.Type...) -> [SwiftDataError.Issue] {
    let schema = Schema(types)
    let error = #expect(throws: SwiftDataError.self) { try schema.validate() }
    #expect(error == .loadIssueModelContainer)
    return error?.details?.issues ?? []
  }

  @Test("A to-many and a to-one that reference each other's class are inverses")
  func manyLeadEach() throws {
    #expect(try inverse("students", of: OneToMany.School.self) == "school")
    #expect(try inverse("school", of: OneToMany.Student.self) == "students")
    #expect(try inverse("photos", of: RequiredOwner.Album.self) == "album")
  }

  @Test("Two optional to-ones that reference each other's class are inverses, two required ones are not")
  func twoOptionalOnes() throws {
    #expect(try inverse("capital", of: OneToOne.Country.self) == "country")
    #expect(try inverse("lock", of: BothRequired.Key.self) == nil)
    try Schema([BothRequired.Key.self]).validate()
  }

  @Test("Two to-manys are inverses only when one declares it")
  func twoToManys() throws {
    #expect(try inverse("films", of: ManyToMany.Actor.self) == nil)
    #expect(try inverse("films", of: WrittenManyToMany.Actor.self) == "actors")
    #expect(try inverse("actors", of: WrittenManyToMany.Film.self) == "films")
  }

  @Test("A declared inverse applies to both sides, and both have the key path")
  func declaredInverse() throws {
    let schema = Schema([WrittenManyToMany.Film.self])
    let actors = try #require(schema.entitiesByName["Film"]?.relationshipsByName["actors"])
    #expect(actors.inverseKeyPath == \WrittenManyToMany.Actor.films)
    let films = try #require(schema.entitiesByName["Actor"]?.relationshipsByName["films"])
    #expect(films.inverseKeyPath == \WrittenManyToMany.Film.actors)
  }

  @Test("A declared inverse of nil makes a relationship one-way")
  func declaredNil() throws {
    #expect(try inverse("items", of: OneWay.Order.self) == nil)
    #expect(try inverse("order", of: OneWay.Item.self) == nil)
    try Schema([OneWay.Order.self]).validate()
  }

  @Test("A declared inverse of nil keeps the other arguments")
  func declaredNilKeepsArguments() throws {
    let order = try #require(Schema([OneWay.Order.self]).entitiesByName["Order"])
    let gift = try #require(order.relationshipsByName["gift"])
    #expect(gift.isUnique)
    #expect(gift.deleteRule == .deny)
    #expect(gift.originalName == "old")
    #expect(gift.hashModifier == "1")
    #expect(gift.isOneWay)
  }

  @Test("An omitted inverse is inferred, and a key path is used as given")
  func omittedInverse() {
    #expect(!Schema.Relationship().isOneWay)
    #expect(!Schema.Relationship(.unique, deleteRule: .cascade).isOneWay)
    #expect(Schema.Relationship(inverse: nil).isOneWay)
    #expect(Schema.Relationship(.unique, minimumModelCount: nil, inverse: nil).isOneWay)
    let keyPath: AnyKeyPath? = nil
    #expect(!Schema.Relationship(inverse: keyPath).isOneWay)
    #expect(Schema.Relationship(inverse: \OneWay.Item.order).inverseKeyPath == \OneWay.Item.order)
  }

  @Test("Several candidates are refused, and the error names them and the remedy")
  func severalCandidates() throws {
    let issues = issues(Ambiguous.Airport.self)
    let issue = try #require(issues.first)
    #expect(issues.count == 1)
    #expect(issue.entity == "Airport")
    #expect(issue.property == "flights")
    #expect(issue.message.contains("Flight.destination and Flight.origin"))
    #expect(issue.message.contains("@Relationship(inverse:)"))
  }

  @Test("A declared inverse selects one of several candidates")
  func declaredInverseSelects() throws {
    #expect(try inverse("flights", of: Disambiguated.Airport.self) == "origin")
    #expect(try inverse("destination", of: Disambiguated.Flight.self) == nil)
    try Schema([Disambiguated.Airport.self]).validate()
  }

  @Test("Required to-ones do not make a schema ambiguous, and an optional one takes precedence")
  func requiredToOnes() throws {
    #expect(try inverse("games", of: RequiredTwice.Team.self) == nil)
    try Schema([RequiredTwice.Team.self]).validate()
    #expect(try inverse("books", of: RequiredAndOptional.Author.self) == "author")
    #expect(try inverse("editor", of: RequiredAndOptional.Book.self) == nil)
  }

  @Test("A parent and children of the same type are inverses")
  func parentAndChildren() throws {
    #expect(try inverse("parent", of: Selves.Node.self) == "children")
    #expect(try inverse("children", of: Selves.Node.self) == "parent")
  }

  @Test("A to-many is its own inverse only when that is declared")
  func ownInverse() throws {
    #expect(try inverse("friends", of: Selves.Member.self) == nil)

    // The macro cannot declare it: the compiler reports a key path to the property itself as circular.
    let entity = Schema.Entity("Member")
    let keyPath = \Selves.Member.friends
    entity.modelType = Selves.Member.self
    entity.keyPaths.add(keyPath, ["friends"], fields: [])
    let friends = Schema.Relationship(Schema.Relationship(inverse: keyPath), name: "friends", keyPath: keyPath)
    entity.storedProperties = [friends]
    var inference = InverseInference(entities: [entity])
    inference.run()
    #expect(inference.issues.isEmpty)
    #expect(friends.inverseName == "friends")
  }

  @Test("Two to-ones of the same type are not inferred as inverses")
  func twoToOnes() throws {
    #expect(try inverse("mother", of: Selves.Child.self) == nil)
    #expect(try inverse("father", of: Selves.Child.self) == nil)
  }

  @Test("An inverse that is no relationship, has another destination or is one-way is refused")
  func invalidInverse() {
    let issues = issues(WrongInverse.Shelf.self)
    #expect(Set(issues.compactMap(\.property)) == ["books", "loans", "others"])
    #expect(issues.contains { $0.message.contains("is no relationship of Book") })
    #expect(issues.contains { $0.message.contains("leads to Reader") })
    #expect(issues.contains { $0.message.contains("inverse: nil") })
  }

  @Test("A relationship to a subclass is not paired with a relationship of the superclass")
  func subclassDestination() throws {
    #expect(try inverse("dogs", of: Subclassed.Owner.self) == nil)
    #expect(try inverse("owner", of: Subclassed.Animal.self) == nil)
  }
}
