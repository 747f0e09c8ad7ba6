import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Opening a store with another schema")
struct SchemaGrowthTests {
  private let folder: TemporaryFolder
  private var configuration: ModelConfiguration { ModelConfiguration(url: folder.file()) }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func writeFirst(titles: [String] = ["a", "b"]) throws {
    let context = ModelContext(try ModelContainer(for: First.Item.self, configurations: configuration))
    for (count, title) in titles.enumerated() {
      let item = First.Item(title: title)
      item.count = count
      context.insert(item)
    }
    try context.save()
  }

  private func grown() throws -> ModelContext {
    ModelContext(try ModelContainer(for: Grown.Item.self, configurations: configuration))
  }

  @Test("Changing a delete rule migrates the store, and a read-only container needs no migration")
  func anotherDeleteRule() throws {
    let lenient = ModelContext(try ModelContainer(for: LenientStalls.Stall.self, configurations: configuration))
    let stall = LenientStalls.Stall("s")
    for number in 1...3 { lenient.insert(LenientStalls.Sale(number, stall)) }
    try lenient.save()
    let reader = ModelContext(
      try ModelContainer(
        for: StrictStalls.Stall.self, configurations: ModelConfiguration(url: folder.file(), allowsSave: false)))
    #expect(try reader.only(StrictStalls.Stall.self).sales.count == 3)

    let first = ModelContext(try ModelContainer(for: StrictStalls.Stall.self, configurations: configuration))
    let second = ModelContext(try ModelContainer(for: StrictStalls.Stall.self, configurations: configuration))
    #expect(try first.only(StrictStalls.Stall.self).sales.count == 3)
    try first.delete(model: StrictStalls.Sale.self)
    try first.save()
    let empty = try first.only(StrictStalls.Stall.self)
    #expect(empty.sales.isEmpty)
    second.insert(StrictStalls.Sale(4, try second.only(StrictStalls.Stall.self)))
    try second.save()
    first.delete(empty)
    #expect(throws: SwiftDataError.self) { try first.save() }
  }

  @Test("Adding properties, entities and indexes migrates the store automatically")
  func additions() throws {
    try writeFirst()
    let context = try grown()
    let items = try context.fetch(FetchDescriptor<Grown.Item>()).sorted { $0.title < $1.title }
    #expect(items.map(\.title) == ["a", "b"])
    #expect(items.map(\.count) == [0, 1])
    for item in items {
      #expect(item.note == nil)
      #expect(item.rating == 3)
      #expect(item.place == Coordinate(latitude: 1, longitude: 2))
      #expect(item.tags == ["new"])
      #expect(item.suit == .clubs)
      #expect(item.price == 5)
      #expect(abs(item.made.timeIntervalSinceNow) < 3600)
      #expect(item.owner == nil)
      #expect(item.fans.isEmpty)
    }
    let owner = Grown.Owner(name: "o")
    items[0].owner = owner
    items[1].fans = [owner]
    try context.save()
    let other = try grown()
    let found = try #require(try other.fetch(FetchDescriptor<Grown.Owner>()).first)
    #expect(found.items.map(\.title) == ["a"])
    #expect(found.favourites.map(\.title) == ["b"])
    let indexes = try StoreFiles.texts(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND name = 'Item_title'", at: folder.file())
    #expect(indexes == ["Item_title"])
  }

  @Test("A migration keeps the store's identifier and its models' identifiers")
  func storeKeepsIdentifier() throws {
    try writeFirst()
    let before = try ModelContainer(for: First.Item.self, configurations: configuration)
    let keys = try ModelContext(before).fetchIdentifiers(FetchDescriptor<First.Item>())
    let after = try grown()
    #expect(try after.fetchIdentifiers(FetchDescriptor<Grown.Item>()) == keys)
    #expect(after.container.storeIdentifier(forConfigurationNamed: "test") != nil)
  }

  @Test("Removing properties and relationships migrates the store automatically")
  func removals() throws {
    let old = try grown()
    let owner = Grown.Owner(name: "o")
    for title in ["a", "b"] {
      let item = Grown.Item(title: title)
      item.owner = owner
      item.fans = [owner]
      old.insert(item)
    }
    try old.save()
    let places = "SELECT name FROM swiftdata_sequences WHERE name IN ('Item_fans', 'Owner_favourites')"
    #expect(try StoreFiles.texts(places, at: folder.file()).count == 1)
    let shrunk = ModelContext(
      try ModelContainer(for: Shrunk.Item.self, Shrunk.Owner.self, configurations: configuration))
    #expect(try shrunk.fetch(FetchDescriptor<Shrunk.Item>()).map(\.title).sorted() == ["a", "b"])
    #expect(try shrunk.fetch(FetchDescriptor<Shrunk.Owner>()).map(\.name) == ["o"])
    #expect(try StoreFiles.texts(places, at: folder.file()) == [])
    shrunk.insert(Shrunk.Item(title: "c"))
    try shrunk.save()
    #expect(try grown().fetchCount(FetchDescriptor<Grown.Item>()) == 3)
    #expect(try StoreFiles.texts("PRAGMA foreign_key_check", at: folder.file()) == [])
    let functions = TextSorting.current.functions
    #expect(try StoreFiles.texts("PRAGMA integrity_check", at: folder.file(), sortKeys: functions) == ["ok"])
  }

  @Test("Making a property optional migrates the store automatically")
  func propertyBecameOptional() throws {
    try writeFirst()
    let context = ModelContext(try ModelContainer(for: OptionalTitle.Item.self, configurations: configuration))
    context.insert(OptionalTitle.Item(title: nil))
    try context.save()
    #expect(
      try context.fetch(FetchDescriptor<OptionalTitle.Item>()).map { $0.title ?? "-" }.sorted() == ["-", "a", "b"])
  }

  @Test("Renamed properties keep their values")
  func renamedPropertiesKeep() throws {
    try writeFirst()
    let container = try ModelContainer(for: RenamedParts.Item.self, configurations: configuration)
    let items = try ModelContext(container).fetch(FetchDescriptor<RenamedParts.Item>())
    #expect(items.map(\.name).sorted() == ["a", "b"])
    #expect(items.map(\.total).sorted() == [0, 1])
  }

  @Test("Renamed optional structs keep their values, including nil in all fields")
  func renamedOptionalStructs() throws {
    let old = ModelContext(try ModelContainer(for: OptionalParts.Trip.self, configurations: configuration))
    let trip = OptionalParts.Trip()
    trip.hints = Hints()
    trip.place = Coordinate(latitude: 1, longitude: 2)
    old.insert(trip)
    try old.save()
    let new = ModelContext(try ModelContainer(for: RenamedOptionalParts.Trip.self, configurations: configuration))
    let found = try #require(try new.fetch(FetchDescriptor<RenamedOptionalParts.Trip>()).first)
    #expect(found.advice == Hints())
    #expect(found.target == Coordinate(latitude: 1, longitude: 2))
  }

  @Test("Renamed relationships keep their links and their order")
  func renamedRelationshipsKeep() throws {
    let old = ModelContext(
      try ModelContainer(for: Linked.Song.self, Linked.Label.self, configurations: configuration))
    let (first, second) = (Linked.Song(title: "1"), Linked.Song(title: "2"))
    let labels = ["c", "a", "b"].map(Linked.Label.init)
    first.labels = labels
    first.owner = labels[0]
    first.answers = [second]
    old.insert(first)
    try old.save()
    second.labels = [labels[2]]
    try old.save()
    let new = ModelContext(
      try ModelContainer(for: RenamedLinks.Song.self, RenamedLinks.Label.self, configurations: configuration))
    let songs = try new.fetch(
      FetchDescriptor<RenamedLinks.Song>(sortBy: [SortDescriptor(\.title, comparator: .lexical)]))
    #expect(songs.map { $0.tags.map(\.word) } == [["c", "a", "b"], ["b"]])
    #expect(songs.map { $0.replies.map(\.title) } == [["2"], []])
    #expect(songs.map { $0.origins.map(\.title) } == [[], ["1"]])
    #expect(songs.map { $0.holder?.word } == ["c", nil])
    let label = try #require(songs.first?.tags.last)
    #expect(label.tunes.map(\.title) == ["1", "2"])
    songs[0].tags.append(RenamedLinks.Label(word: "d"))
    try new.save()
    let later = new.container.freshContext()
    let song = try #require(try later.all(RenamedLinks.Song.self, by: \.title).first)
    #expect(song.tags.map(\.word) == ["c", "a", "b", "d"])
  }

  private func writeCar() throws {
    let context = ModelContext(
      try ModelContainer(for: OneSubclass.Vehicle.self, OneSubclass.Car.self, configurations: configuration))
    let car = OneSubclass.Car()
    car.note = "red"
    context.insert(car)
    try context.save()
  }

  @Test("A new subclass may have a property with the name of another subclass's")
  func sameNameInSubclasses() throws {
    try writeCar()
    let context = ModelContext(
      try ModelContainer(
        for: LaterSubclass.Vehicle.self, LaterSubclass.Car.self, LaterSubclass.Van.self, configurations: configuration))
    let van = LaterSubclass.Van()
    van.note = "blue"
    context.insert(van)
    try context.save()
    let found = ModelContext(context.container)
    #expect(try found.fetch(FetchDescriptor<LaterSubclass.Car>()).map(\.note) == ["red"])
    #expect(try found.fetch(FetchDescriptor<LaterSubclass.Van>()).map(\.note) == ["blue"])
  }

  @Test("A new subclass whose property takes another's column name does not take its values")
  func takenColumnName() throws {
    try writeCar()
    let context = ModelContext(
      try ModelContainer(
        for: EarlierSubclass.Vehicle.self, EarlierSubclass.Boat.self, EarlierSubclass.Car.self,
        configurations: configuration))
    let boat = EarlierSubclass.Boat()
    boat.note = "blue"
    context.insert(boat)
    try context.save()
    let found = ModelContext(context.container)
    #expect(try found.fetch(FetchDescriptor<EarlierSubclass.Car>()).map(\.note) == ["red"])
    #expect(try found.fetch(FetchDescriptor<EarlierSubclass.Boat>()).map(\.note) == ["blue"])
  }

  @Test("Removing a subclass with models is refused")
  func removedSubclassWithModels() throws {
    try writeCar()
    let error = try expectRefusal(in: folder) {
      try ModelContainer(for: OneSubclass.Vehicle.self, configurations: configuration)
    }
    #expect(error?.details?.issues.first?.entity == "Car")
  }

  @Test("A subclass without models can be removed and added again")
  func removedSubclassWithoutModels() throws {
    let both = ModelContext(
      try ModelContainer(for: OneSubclass.Vehicle.self, OneSubclass.Car.self, configurations: configuration))
    both.insert(OneSubclass.Vehicle())
    try both.save()
    for _ in 0..<2 {
      let context = ModelContext(try ModelContainer(for: OneSubclass.Vehicle.self, configurations: configuration))
      #expect(try context.only(OneSubclass.Vehicle.self).wheels == 4)
    }
    #expect(
      try StoreFiles.texts("SELECT name FROM sqlite_schema WHERE name LIKE 'swiftdata_kept%type'", at: folder.file())
        == [])
    try writeCar()
    let context = ModelContext(
      try ModelContainer(for: OneSubclass.Vehicle.self, OneSubclass.Car.self, configurations: configuration))
    #expect(try context.fetchCount(FetchDescriptor<OneSubclass.Vehicle>()) == 2)
    #expect(try context.only(OneSubclass.Car.self).note == "red")
  }

  @Test("A store without models can be migrated to any schema")
  func noModels() throws {
    _ = try ModelContainer(for: First.Item.self, configurations: configuration)
    let required = ModelContext(try ModelContainer(for: RequiredExtra.Item.self, configurations: configuration))
    required.insert(RequiredExtra.Item(title: "a"))
    try required.save()
    #expect(try required.container.freshContext().only(RequiredExtra.Item.self).extra == "")
    try required.delete(model: RequiredExtra.Item.self)
    try required.save()
    let number = ModelContext(try ModelContainer(for: OtherType.Item.self, configurations: configuration))
    number.insert(OtherType.Item(title: 7))
    try number.save()
    #expect(try number.container.freshContext().only(OtherType.Item.self).title == 7)
    try number.delete(model: OtherType.Item.self)
    try number.save()
    _ = try ModelContainer(for: Gone.Other.self, configurations: configuration)
    #expect(try StoreFiles.texts("SELECT name FROM sqlite_schema WHERE name = 'Item'", at: folder.file()) == [])
  }

  @Test("The error for repeated values lists ten of them and names the migration stage that merges them")
  func repeatedValues() throws {
    try writeFirst(titles: (0..<12).flatMap { ["t\($0)", "t\($0)"] })
    let error = try expectRefusal(in: folder) {
      try ModelContainer(for: UniqueTitle.Item.self, configurations: configuration)
    }
    let message = error?.details?.issues.first?.message ?? ""
    #expect(message.components(separatedBy: "(2 models)").count == 11)
    #expect(message.contains(", and others. A stage of a migration plan merges them: .mergeDuplicates("))
    #expect(message.contains("of: Item.self"))
  }

  @Test("A one-to-many that becomes a many-to-many keeps its links")
  func oneToManyBecomesManyToMany() throws {
    let old = ModelContext(try ModelContainer(for: OwnedBoxes.Box.self, configurations: configuration))
    let box = OwnedBoxes.Box(name: "a")
    old.insert(box)
    box.owner = OwnedBoxes.Keeper()
    old.insert(OwnedBoxes.Box(name: "b"))
    try old.save()
    for _ in 0..<2 {
      let context = try ModelContainer(for: SharedBoxes.Box.self, configurations: configuration).freshContext()
      #expect(try context.only(SharedBoxes.Keeper.self).boxes.map(\.name) == ["a"])
      #expect(try context.all(SharedBoxes.Box.self, by: \.name).map(\.owners.count) == [1, 0])
    }
  }

  @Test("Removing the external storage option keeps the values")
  func removedExternalStorage() throws {
    let pixels = Data(repeating: 7, count: 500_000)
    let old = ModelContext(try ModelContainer(for: FiledPhotos.Photo.self, configurations: configuration))
    old.insert(FiledPhotos.Photo(pixels: pixels))
    try old.save()
    for _ in 0..<2 {
      let new = ModelContext(try ModelContainer(for: InlinePhotos.Photo.self, configurations: configuration))
      #expect(try new.fetch(FetchDescriptor<InlinePhotos.Photo>()).map(\.pixels) == [pixels])
    }
    let new = ModelContext(try ModelContainer(for: InlinePhotos.Photo.self, configurations: configuration))
    try new.fetch(FetchDescriptor<InlinePhotos.Photo>()).first?.pixels = pixels + pixels
    try new.save()
    let last = ModelContext(try ModelContainer(for: InlinePhotos.Photo.self, configurations: configuration))
    #expect(try last.fetch(FetchDescriptor<InlinePhotos.Photo>()).map(\.pixels) == [pixels + pixels])
  }

  @Test("A property can become unique when its values are")
  func addedUniqueness() throws {
    try writeFirst()
    let context = ModelContext(try ModelContainer(for: UniqueTitle.Item.self, configurations: configuration))
    context.insert(UniqueTitle.Item(title: "a"))
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<UniqueTitle.Item>()) == 2)
  }

  @Test("A property with repeated values cannot become unique")
  func addedUniquenessWithRepeatedValues() throws {
    try writeFirst(titles: ["a", "a"])
    let error = try expectRefusal(in: folder) {
      try ModelContainer(for: UniqueTitle.Item.self, configurations: configuration)
    }
    #expect(error?.details?.issues.map(\.property) == ["title"])
    #expect(error?.description.contains(#"have the same title, which has to be unique now: "a" (2 models)."#) == true)
  }

  enum Refused: CaseIterable {
    case newRequired, otherType, otherMeaning, removedEntity, noLongerOptional

    func open(_ configuration: ModelConfiguration) throws -> ModelContainer {
      switch self {
      case .newRequired: try ModelContainer(for: RequiredExtra.Item.self, configurations: configuration)
      case .otherType: try ModelContainer(for: OtherType.Item.self, configurations: configuration)
      case .otherMeaning: try ModelContainer(for: OtherMeaning.Item.self, configurations: configuration)
      case .removedEntity: try ModelContainer(for: Gone.Other.self, configurations: configuration)
      case .noLongerOptional: try ModelContainer(for: First.Item.self, configurations: configuration)
      }
    }
  }

  @Test("Any other difference throws and leaves the file unchanged", arguments: Refused.allCases)
  func anyOtherDifference(change: Refused) throws {
    if change == .noLongerOptional {
      let context = ModelContext(try ModelContainer(for: OptionalTitle.Item.self, configurations: configuration))
      context.insert(OptionalTitle.Item(title: nil))
      try context.save()
    } else {
      try writeFirst()
    }
    let error = try expectRefusal(in: folder) { try change.open(configuration) }
    #expect(error?.details?.issues.first?.entity == "Item")
    #expect(error?.details?.issues.isEmpty == false)
  }

  @Test("Opening again with the same schema writes nothing")
  func openingAgain() throws {
    _ = try grown()
    let statements = Statements()
    let observer: @Sendable (String) -> Void = { statements.add($0) }
    let container = try StatementObservation.$observer.withValue(observer) { try grown().container }
    #expect(container.stores.count == 1)
    let writes = statements.all.filter { sql in
      ["INSERT", "UPDATE", "DELETE", "CREATE", "ALTER", "DROP"].contains { sql.hasPrefix($0) }
    }
    #expect(writes == [])
  }

  @Test("The order of the listed models is no difference of schemas")
  func orderOfModels() throws {
    _ = try ModelContainer(for: Shrunk.Item.self, Shrunk.Owner.self, configurations: configuration)
    let readOnly = ModelConfiguration(url: folder.file(), allowsSave: false)
    #expect(throws: Never.self) {
      try ModelContainer(for: Shrunk.Owner.self, Shrunk.Item.self, configurations: readOnly)
    }
  }

  @Test("Links are kept when the models are listed in another order")
  func linksAreKeptInOtherOrder() throws {
    let first = ModelContext(
      try ModelContainer(for: Book.self, Author.self, Tag.self, configurations: configuration))
    let book = Book(isbn: "1", title: "t")
    book.tags = [Tag("b"), Tag("a")]
    first.insert(book)
    try first.save()
    let second = ModelContext(
      try ModelContainer(for: Tag.self, Author.self, Book.self, configurations: configuration))
    #expect(try second.fetch(FetchDescriptor<Book>()).first?.tags.map(\.word) == ["b", "a"])
  }
}
