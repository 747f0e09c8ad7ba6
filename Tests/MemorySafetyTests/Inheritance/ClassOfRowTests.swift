import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Models have the class of their row")
struct ClassOfRowTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer
  private let cat: PersistentIdentifier
  private let dog: PersistentIdentifier

  init() throws {
    folder = try TemporaryFolder()
    container = try Self.open(folder)
    let context = ModelContext(container)
    let (tom, rex) = (Cat("Tom"), Dog("Rex"))
    tom.kittens = [Kitten("Tim"), Kitten("Tam")]
    rex.tricks = ["sit", "roll"]
    rex.owner = "Ann"
    let keeper = Keeper("Kim")
    keeper.animals = [tom, rex]
    keeper.favourite = tom
    context.insert(keeper)
    try context.save()
    (cat, dog) = (tom.persistentModelID, rex.persistentModelID)
  }

  private static func open(_ folder: TemporaryFolder) throws -> ModelContainer {
    try ModelContainer(
      for: Animal.self, Cat.self, Dog.self, Kitten.self, Keeper.self,
      configurations: ModelConfiguration(url: folder.file()))
  }

  /// The identifier with another entity's name, as an untrusted sender could make it.
  private func claim(_ identifier: PersistentIdentifier, to be: String) throws -> PersistentIdentifier {
    let text = String(decoding: try JSONEncoder().encode(identifier), as: UTF8.self)
    let name = identifier.entityName
    return try JSONDecoder().decode(
      PersistentIdentifier.self, from: Data(text.replacingOccurrences(of: name, with: be).utf8))
  }

  @Test("A merge skips a row whose class is unknown, and merges the other changes")
  func unknownClass() throws {
    let context = ModelContext(container)
    let (tom, rex) = (try context.fetch(FetchDescriptor<Cat>())[0], try context.fetch(FetchDescriptor<Dog>())[0])
    let other = ModelContext(container)
    for animal in try other.fetch(FetchDescriptor<Animal>()) { animal.name += "!" }
    try other.save()
    try StoreFiles.execute("UPDATE Animal SET _type = 'Nothing' WHERE name = 'Tom!'", at: folder.file())
    for _ in 0..<2 { #expect(try context.fetchCount(FetchDescriptor<Keeper>()) == 1) }
    #expect(rex.name == "Rex!")
    rex.owner = "Bob"
    try context.save()
    _ = tom.name
    #expect(throws: SwiftDataError.self) { try context.save() }
  }

  @Test("An identifier with a sibling class's name finds no row, and later fetches do not return its model")
  func sibling() throws {
    let context = ModelContext(container)
    let claimed = try claim(cat, to: "Dog")
    #expect(claimed != cat)
    let stranger = context.model(for: claimed)
    #expect(stranger is Dog)
    #expect(stranger.modelContext == nil)
    #expect(stranger.persistentModelID == claimed)
    #expect((stranger as? Dog)?.tricks == [])
    #expect((stranger as? Dog)?.owner == "none")
    (stranger as? Dog)?.owner = "a thief"
    let cats = try context.fetch(FetchDescriptor<Cat>())
    #expect(cats.map(\.lives) == [9])
    #expect(cats.map(\.toy) == ["mouse"])
    #expect(cats.first?.kittens.map(\.name) == ["Tim", "Tam"])
    #expect(context.registeredModel(for: claimed) as Dog? == nil)
    #expect(context.registeredModel(for: claimed) as Animal? == nil)
    try context.save()
    #expect(try container.freshContext().fetch(FetchDescriptor<Cat>()).map(\.toy) == ["mouse"])
  }

  @Test("An identifier with the superclass's name finds the model in its own class")
  func base() throws {
    let context = ModelContext(container)
    let claimed = try claim(cat, to: "Animal")
    let model = try #require(context.model(for: claimed) as? Cat)
    #expect(model.toy == "mouse")
    #expect(model.persistentModelID == cat)
    #expect(model === context.model(for: cat))
    #expect(context.registeredModel(for: claimed) as Cat? === model)
  }

  @Test("An identifier with a subclass's name finds no row")
  func subclass() throws {
    let filling = ModelContext(container)
    let plain = Animal("Plain")
    filling.insert(plain)
    try filling.save()
    let context = ModelContext(container)
    let claimed = try claim(plain.persistentModelID, to: "Cat")
    #expect(context.model(for: claimed).modelContext == nil)
    let animals = try context.fetch(FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)]))
    #expect(animals.map { "\(type(of: $0))" } == ["Animal", "Dog", "Cat"])
  }

  @Test("An actor's subscript finds only a row of the entity that the identifier names")
  func actorLookUp() async throws {
    let registry = AnimalRegistry(modelContainer: container)
    #expect(await registry.toy(of: cat) == "mouse")
    #expect(try await registry.toy(of: claim(dog, to: "Cat")) == nil)
    #expect(try await registry.toy(of: claim(cat, to: "Dog")) == nil)
    #expect(try await registry.toy(of: claim(cat, to: "Keeper")) == nil)
    #expect(await registry.toy(of: cat) == "mouse")
  }

  @Test("A predicate compares the entity of an identifier too")
  func predicates() throws {
    let context = ModelContext(container)
    let claimed = try claim(cat, to: "Dog")
    let (true_, both) = (cat, [claimed, dog])
    let byClaim = #Predicate<Animal> { $0.persistentModelID == claimed }
    let byTruth = #Predicate<Animal> { $0.persistentModelID == true_ }
    let byList = #Predicate<Animal> { both.contains($0.persistentModelID) }
    #expect(try context.fetchCount(FetchDescriptor(predicate: byClaim)) == 0)
    #expect(try context.fetch(FetchDescriptor(predicate: byTruth)).map(\.name) == ["Tom"])
    #expect(try context.fetch(FetchDescriptor(predicate: byList)).map(\.name) == ["Rex"])
    let all = try context.fetch(FetchDescriptor<Animal>())
    for predicate in [byClaim, byTruth, byList] {
      let chosen = try all.filter { try predicate.evaluate($0) }.map(\.name)
      #expect(try context.fetch(FetchDescriptor(predicate: predicate)).map(\.name) == chosen)
    }
    let others = #Predicate<Animal> { $0.persistentModelID != claimed }
    #expect(try context.fetchCount(FetchDescriptor(predicate: others)) == 2)
  }

  @Test("A to-one declared with the superclass gives a model of the row's class")
  func toOne() throws {
    let context = ModelContext(container)
    let keeper = try context.only(Keeper.self)
    #expect((keeper.favourite as? Cat)?.toy == "mouse")
    let other = ModelContext(container)
    let copy = Keeper("Copy")
    other.insert(copy)
    // The context replaces another context's model by its own model of the same row.
    copy.favourite = keeper.favourite
    #expect(copy.favourite is Cat)
    try other.save()
    #expect((try other.fetch(FetchDescriptor<Cat>())).map(\.toy) == ["mouse"])
  }

  @Test("A model leaves its context when another program changes its row's entity")
  func changedRow() throws {
    let context = ModelContext(container)
    let tom = try #require(context.model(for: cat) as? Cat)
    let rex = try #require(try context.fetch(FetchDescriptor<Dog>()).first)
    #expect(tom.toy == "mouse")
    let column = try #require(
      try StoreFiles.texts(
        "SELECT name FROM pragma_table_info('Animal') WHERE name LIKE '%type%' OR name LIKE '%entity%'",
        at: folder.file()
      ).first)
    try StoreFiles.execute("UPDATE Animal SET \"\(column)\" = 'Dog' WHERE name = 'Tom'", at: folder.file())
    tom.lives = 8
    let dogs = try context.fetch(FetchDescriptor<Dog>(sortBy: [SortDescriptor(\.name)]))
    #expect(dogs.map(\.name) == ["Rex", "Tom"])
    #expect(dogs[0] === rex)
    #expect(tom.modelContext == nil)
    #expect(tom.toy == "mouse")
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    try context.save()
    try StoreFiles.execute("UPDATE Animal SET \"\(column)\" = 'Fox' WHERE name = 'Tom'", at: folder.file())
    let error = #expect(throws: SwiftDataError.self) { try context.fetch(FetchDescriptor<Animal>()) }
    #expect(error?.details?.entity == "Animal")
    #expect(try context.fetch(FetchDescriptor<Dog>()).map(\.name) == ["Rex"])
  }
}

@ModelActor
actor AnimalRegistry {
  func toy(of identifier: PersistentIdentifier) -> String? {
    (self[identifier, as: Animal.self] as? Cat)?.toy
  }
}
