import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Classes that gain or lose a superclass")
struct ModelMoveTests {
  private let store: MigratingStore

  private static let apart: [any PersistentModel.Type] = [
    ApartPets.Animal.self, ApartPets.Cat.self, ApartPets.Keeper.self, ApartPets.Toy.self,
  ]
  private static let joined: [any PersistentModel.Type] = [
    JoinedPets.Animal.self, JoinedPets.Cat.self, JoinedPets.Keeper.self, JoinedPets.Toy.self,
  ]

  init() throws {
    store = try MigratingStore()
  }

  /// Two animals and three cats with equal keys.
  private func writeApart() throws {
    let context = try store.open(Self.apart).freshContext()
    for name in ["Newt", "Ox"] {
      let animal = ApartPets.Animal(name)
      animal.tag = name.lowercased()
      context.insert(animal)
    }
    let cats = [("Ada", 9), ("Bob", 7), ("Cleo", 1)].map { ApartPets.Cat($0.0, lives: $0.1) }
    for cat in cats { context.insert(cat) }
    try context.save()
    cats[0].home = Coordinate(latitude: 1, longitude: 2)
    cats[1].photo = Data(repeating: 5, count: 300_000)
    cats[2].mother = cats[0]
    let keeper = ApartPets.Keeper("Kim")
    context.insert(keeper)
    keeper.cats = [cats[2], cats[0]]
    keeper.favourite = cats[1]
    let toys = ["ball", "mouse"].map(ApartPets.Toy.init)
    for toy in toys { context.insert(toy) }
    cats[0].toys = [toys[1], toys[0]]
    cats[1].toys = [toys[0]]
    try context.save()
  }

  private func expectSound(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let left = """
      SELECT name FROM sqlite_schema WHERE name LIKE 'swiftdata_moved%' OR name LIKE 'swiftdata_rebuilt%'
      """
    #expect(try store.texts(left) == [], sourceLocation: sourceLocation)
    #expect(try store.texts("PRAGMA foreign_key_check") == [], sourceLocation: sourceLocation)
    #expect(try store.texts("PRAGMA integrity_check") == ["ok"], sourceLocation: sourceLocation)
  }

  private func expectJoined(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let context = try store.open(Self.joined).freshContext()
    let animals = try context.all(JoinedPets.Animal.self, by: \.name)
    #expect(animals.map(\.name) == ["Ada", "Bob", "Cleo", "Newt", "Ox"], sourceLocation: sourceLocation)
    #expect(animals.map { $0 is JoinedPets.Cat } == [true, true, true, false, false], sourceLocation: sourceLocation)
    #expect(animals.map(\.tag) == [nil, nil, nil, "newt", "ox"], sourceLocation: sourceLocation)
    #expect(animals.map(\.legs) == [4, 4, 4, 4, 4], sourceLocation: sourceLocation)
    let cats = try context.all(JoinedPets.Cat.self, by: \.name)
    #expect(cats.map(\.lives) == [9, 7, 1], sourceLocation: sourceLocation)
    #expect(cats.map { $0.home?.longitude } == [2, nil, nil], sourceLocation: sourceLocation)
    #expect(cats.map { $0.photo?.count } == [nil, 300_000, nil], sourceLocation: sourceLocation)
    #expect(cats.map { $0.keeper?.name } == ["Kim", nil, "Kim"], sourceLocation: sourceLocation)
    #expect(cats.map { $0.toys.map(\.name) } == [["mouse", "ball"], ["ball"], []], sourceLocation: sourceLocation)
    #expect(cats.map { $0.mother?.name } == [nil, nil, "Ada"], sourceLocation: sourceLocation)
    let keeper = try context.only(JoinedPets.Keeper.self)
    #expect(keeper.cats.map(\.name) == ["Cleo", "Ada"], sourceLocation: sourceLocation)
    #expect(keeper.favourite?.name == "Bob", sourceLocation: sourceLocation)
    let toys = try context.all(JoinedPets.Toy.self, by: \.name)
    #expect(toys.map { Set($0.cats.map(\.name)) } == [["Ada", "Bob"], ["Ada"]], sourceLocation: sourceLocation)
  }

  @Test("A class that becomes a subclass keeps values, files and relationships, under new keys")
  func toSubclass() throws {
    try writeApart()
    for _ in 0..<2 { try expectJoined() }
    try expectSound()
    #expect(try store.texts("SELECT count(*) FROM sqlite_schema WHERE name = 'Cat'") == ["0"])
    let keys = try store.texts("SELECT _id FROM Animal WHERE _type = 'Cat'").compactMap(Int.init)
    #expect(keys.count == 3 && keys.allSatisfy { $0 > 3 })
    #expect(try store.texts("SELECT name FROM Animal WHERE _type = 'Animal' ORDER BY _id") == ["Newt", "Ox"])
    // New models get their own keys, and come last.
    let context = try store.open(Self.joined).freshContext()
    let cat = JoinedPets.Cat("Dot", lives: 2)
    context.insert(cat)
    try context.only(JoinedPets.Keeper.self).cats.append(cat)
    try context.save()
    let later = try store.open(Self.joined).freshContext()
    #expect(try later.only(JoinedPets.Keeper.self).cats.map(\.name) == ["Cleo", "Ada", "Dot"])
    #expect(try later.fetchCount(FetchDescriptor<JoinedPets.Animal>()) == 6)
  }

  @Test("A subclass that becomes independent keeps what it declares, its keys and links, and archives the rest")
  func toOwnTable() throws {
    try writeApart()
    do {
      let context = try store.open(Self.joined).freshContext()
      try context.all(JoinedPets.Cat.self, by: \.name)[0].tag = "ada"
      try context.save()
    }
    let keys = try store.texts("SELECT _id FROM Animal WHERE _type = 'Cat' ORDER BY _id")
    for _ in 0..<2 {
      let context = try store.open(Self.apart).freshContext()
      let animals = try context.all(ApartPets.Animal.self, by: \.name)
      #expect(animals.map(\.name) == ["Newt", "Ox"])
      #expect(animals.map(\.tag) == ["newt", "ox"])
      let cats = try context.all(ApartPets.Cat.self, by: \.name)
      #expect(cats.map(\.name) == ["Ada", "Bob", "Cleo"])
      #expect(cats.map(\.lives) == [9, 7, 1])
      #expect(cats.map { $0.home?.latitude } == [1, nil, nil])
      #expect(cats.map { $0.photo?.count } == [nil, 300_000, nil])
      #expect(cats.map { $0.toys.map(\.name) } == [["mouse", "ball"], ["ball"], []])
      #expect(cats.map { $0.mother?.name } == [nil, nil, "Ada"])
      let keeper = try context.only(ApartPets.Keeper.self)
      #expect(keeper.cats.map(\.name) == ["Cleo", "Ada"])
      #expect(keeper.favourite?.name == "Bob")
    }
    try expectSound()
    #expect(try store.texts("SELECT _id FROM Cat ORDER BY _id") == keys)
    #expect(try store.texts("SELECT tag FROM swiftdata_kept_Cat_tag") == ["ada"])
    // No key of a cat is given to an animal later.
    let context = try store.open(Self.apart).freshContext()
    context.insert(ApartPets.Animal("Yak"))
    try context.save()
    let last = try #require(keys.last)
    #expect(try store.texts("SELECT name FROM Animal WHERE _id > \(last)") == ["Yak"])
  }

  @Test("The history names the same models afterwards")
  func history() throws {
    try writeApart()
    do {
      let context = try store.open(Self.apart).freshContext()
      let cats = try context.all(ApartPets.Cat.self, by: \.name)
      context.delete(cats[2])
      try context.save()
    }
    let container = try store.open(Self.joined)
    let context = container.freshContext()
    let identifiers = Set(try context.all(JoinedPets.Cat.self, by: \.name).map(\.persistentModelID))
    var inserted: Set<PersistentIdentifier> = []
    var deleted: [(identifier: PersistentIdentifier, name: String?)] = []
    for transaction in try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()) {
      for change in transaction.changes where change.changedPersistentIdentifier.entityName == "Cat" {
        switch change {
        case .insert(let insert): inserted.insert(insert.changedPersistentIdentifier)
        case .delete(let deletion as DefaultHistoryDelete<JoinedPets.Cat>):
          deleted.append((deletion.changedPersistentIdentifier, deletion.tombstone[\.name] as? String))
        default: break
        }
      }
    }
    #expect(identifiers.count == 2)
    #expect(deleted.map(\.name) == ["Cleo"])
    #expect(inserted == identifiers.union(deleted.map(\.identifier)))
  }

  @Test("Moving classes to a superclass and back loses nothing, whatever the relationships are", arguments: 1...6)
  func roundTrip(seed: Int) throws {
    // A pseudorandom sequence that is the same each time.
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
    do {
      let context = try store.open(Self.apart).freshContext()
      context.autosaveEnabled = false
      for number in 0..<next(9) { context.insert(ApartPets.Animal("animal \(number)")) }
      let cats = (0..<(1 + next(9))).map { ApartPets.Cat("cat \($0)", lives: next(9)) }
      let toys = (0..<3).map { ApartPets.Toy("toy \($0)") }
      let keepers = (0..<2).map { ApartPets.Keeper("keeper \($0)") }
      for cat in cats { context.insert(cat) }
      for toy in toys { context.insert(toy) }
      for keeper in keepers { context.insert(keeper) }
      for cat in cats {
        if next(2) == 0 { cat.mother = cats[next(cats.count)] }
        if next(2) == 0 { keepers[next(2)].cats.append(cat) }
        for toy in toys.shuffled(by: next) where next(2) == 0 { cat.toys.append(toy) }
      }
      keepers[0].favourite = cats[next(cats.count)]
      if cats.count > 2 { context.delete(cats[next(cats.count)]) }
      try context.save()
    }
    let (before, animals) = try (apartWords(), store.texts("SELECT _id || name FROM Animal ORDER BY _id"))
    for _ in 0..<3 {
      #expect(try joinedWords() == before)
      try expectSound()
      #expect(try apartWords() == before)
      try expectSound()
    }
    #expect(try store.texts("SELECT _id || name FROM Animal ORDER BY _id") == animals)
  }

  private func apartWords() throws -> [String] {
    let context = try store.open(Self.apart).freshContext()
    let cats = try context.all(ApartPets.Cat.self, by: \.name).map { cat in
      "\(cat.name) \(cat.lives) \(cat.mother?.name ?? "-") \(cat.keeper?.name ?? "-") \(cat.toys.map(\.name))"
    }
    let keepers = try context.all(ApartPets.Keeper.self, by: \.name).map { keeper in
      "\(keeper.name) \(keeper.cats.map(\.name)) \(keeper.favourite?.name ?? "-")"
    }
    return cats + keepers
  }

  private func joinedWords() throws -> [String] {
    let context = try store.open(Self.joined).freshContext()
    let cats = try context.all(JoinedPets.Cat.self, by: \.name).map { cat in
      "\(cat.name) \(cat.lives) \(cat.mother?.name ?? "-") \(cat.keeper?.name ?? "-") \(cat.toys.map(\.name))"
    }
    let keepers = try context.all(JoinedPets.Keeper.self, by: \.name).map { keeper in
      "\(keeper.name) \(keeper.cats.map(\.name)) \(keeper.favourite?.name ?? "-")"
    }
    return cats + keepers
  }

  // MARK: Other shapes

  private static let split: [any PersistentModel.Type] = [
    SplitMedia.Film.self, SplitMedia.Song.self, SplitMedia.Label.self,
  ]
  private static let based: [any PersistentModel.Type] = [
    BasedMedia.Medium.self, BasedMedia.Film.self, BasedMedia.Song.self, BasedMedia.Label.self,
  ]

  @Test("Classes gain a new superclass with their common properties, and lose it again")
  func commonBase() throws {
    do {
      let context = try store.open(Self.split).freshContext()
      let (film, song) = (SplitMedia.Film("Heat", year: 1995), SplitMedia.Song("Help", seconds: 139.5))
      context.insert(film)
      context.insert(song)
      film.rating = 5
      let labels = ["loud", "old"].map(SplitMedia.Label.init)
      film.labels = [labels[1], labels[0]]
      song.labels = [labels[1]]
      try context.save()
    }
    for _ in 0..<2 {
      let context = try store.open(Self.based).freshContext()
      let media = try context.all(BasedMedia.Medium.self, by: \.title)
      #expect(media.map(\.title) == ["Heat", "Help"])
      #expect(media.map { "\(type(of: $0))" } == ["Film", "Song"])
      // A song had no rating, and gets the default value of the new property.
      #expect(media.map(\.rating) == [5, 3])
      #expect(media.map { $0.labels.map(\.text) } == [["old", "loud"], ["old"]])
      #expect((media[0] as? BasedMedia.Film)?.year == 1995)
      #expect((media[1] as? BasedMedia.Song)?.seconds == 139.5)
    }
    try expectSound()
    #expect(try store.texts("SELECT name FROM sqlite_schema WHERE name IN ('Film', 'Song')") == [])
    // The first class by name, films, keeps its keys.
    #expect(try store.texts("SELECT _id FROM Medium WHERE _type = 'Film'") == ["1"])
    let context = try store.open(Self.split).freshContext()
    #expect(try context.only(SplitMedia.Film.self).labels.map(\.text) == ["old", "loud"])
    #expect(try context.only(SplitMedia.Film.self).rating == 5)
    #expect(try context.only(SplitMedia.Song.self).labels.map(\.text) == ["old"])
    #expect(try context.only(SplitMedia.Song.self).seconds == 139.5)
    #expect(try store.texts("SELECT name FROM sqlite_schema WHERE name LIKE 'Medium%'") == [])
    #expect(try store.texts("SELECT rating FROM swiftdata_kept_Song_rating") == ["3"])
    try expectSound()
  }

  @Test("A class moves together with its subclasses")
  func nested() throws {
    let apart: [any PersistentModel.Type] = [ApartCars.Vehicle.self, ApartCars.Car.self, ApartCars.SportsCar.self]
    let joined: [any PersistentModel.Type] = [JoinedCars.Vehicle.self, JoinedCars.Car.self, JoinedCars.SportsCar.self]
    do {
      let context = try store.open(apart).freshContext()
      context.insert(ApartCars.Vehicle("a"))
      context.insert(ApartCars.Car("b", doors: 4))
      context.insert(ApartCars.SportsCar("c", speed: 300))
      try context.save()
    }
    for _ in 0..<2 {
      let context = try store.open(joined).freshContext()
      let vehicles = try context.all(JoinedCars.Vehicle.self, by: \.maker)
      #expect(vehicles.map { "\(type(of: $0)) \($0.maker)" } == ["Vehicle a", "Car b", "SportsCar c"])
      #expect(vehicles.map { ($0 as? JoinedCars.Car)?.doors } == [nil, 4, 2])
      #expect(vehicles.map { ($0 as? JoinedCars.SportsCar)?.speed } == [nil, nil, 300])
    }
    let context = try store.open(apart).freshContext()
    let cars = try context.all(ApartCars.Car.self, by: \.maker)
    #expect(cars.map { "\(type(of: $0)) \($0.maker) \($0.doors)" } == ["Car b 4", "SportsCar c 2"])
    #expect(try context.only(ApartCars.SportsCar.self).speed == 300)
    #expect(try context.only(ApartCars.Vehicle.self).maker == "a")
    try expectSound()
  }

  @Test("Links stay, whichever side gave their table its name")
  func linksOfOtherSide() throws {
    let split: [any PersistentModel.Type] = [KnownSplit.Film.self, KnownSplit.Song.self, KnownSplit.Label.self]
    let based: [any PersistentModel.Type] = [
      KnownBased.Medium.self, KnownBased.Film.self, KnownBased.Song.self, KnownBased.Label.self,
    ]
    do {
      let context = try store.open(split).freshContext()
      let (film, song) = (KnownSplit.Film("Heat"), KnownSplit.Song("Help"))
      let labels = ["loud", "old"].map(KnownSplit.Label.init)
      context.insert(film)
      context.insert(song)
      for label in labels { context.insert(label) }
      film.labels = [labels[1], labels[0]]
      song.labels = [labels[1], labels[0]]
      try context.save()
    }
    let links = try store.texts(
      """
      SELECT name FROM sqlite_schema
      WHERE name IN ('Film_labels', 'Label_films', 'Label_songs', 'Song_labels') ORDER BY name
      """)
    #expect(links == ["Film_labels", "Label_songs"])
    for _ in 0..<2 {
      do {
        let context = try store.open(based).freshContext()
        let media = try context.all(KnownBased.Medium.self, by: \.title)
        #expect(media.map(\.title) == ["Heat", "Help"])
        #expect(media.map { $0.labels.map(\.text) } == [["old", "loud"], ["old", "loud"]])
        let labels = try context.all(KnownBased.Label.self, by: \.text)
        #expect(labels.map { Set($0.media.map(\.title)) } == [["Heat", "Help"], ["Heat", "Help"]])
      }
      try expectSound()
      let context = try store.open(split).freshContext()
      #expect(try context.only(KnownSplit.Film.self).labels.map(\.text) == ["old", "loud"])
      #expect(try context.only(KnownSplit.Song.self).labels.map(\.text) == ["old", "loud"])
      let labels = try context.all(KnownSplit.Label.self, by: \.text)
      #expect(labels.map { $0.films.map(\.title) } == [["Heat"], ["Heat"]])
      #expect(labels.map { $0.songs.map(\.title) } == [["Help"], ["Help"]])
      try expectSound()
    }
  }

  private static let playBare: [any PersistentModel.Type] = [
    PlayBare.Animal.self, PlayBare.Cat.self, PlayBare.Toy.self,
  ]
  private static let playApart: [any PersistentModel.Type] = [
    PlayApart.Animal.self, PlayApart.Cat.self, PlayApart.Toy.self,
  ]

  @Test("Links archived while their models move are restored under their column's present name")
  func archivedLinks() throws {
    do {
      let context = try store.open(Self.playApart).freshContext()
      context.insert(PlayApart.Animal("Ox"))
      let cat = PlayApart.Cat("Ada")
      context.insert(cat)
      cat.toys = ["mouse", "ball"].map(PlayApart.Toy.init)
      try context.save()
    }
    _ = try store.open(Self.playBare)
    try expectSound()
    #expect(try store.texts("SELECT count(*) FROM swiftdata_kept_Cat_toys") == ["2"])
    let models: [any PersistentModel.Type] = [PlayPets.Animal.self, PlayPets.Cat.self, PlayPets.Toy.self]
    let context = try store.open(models).freshContext()
    #expect(try context.only(PlayPets.Cat.self).toys.map(\.name) == ["mouse", "ball"])
    try expectSound()
  }

  @Test("Keys of models that are all deleted are not given to other models of the class")
  func deletedModels() throws {
    let apart: [any PersistentModel.Type] = [NamesApart.Animal.self, NamesApart.Cat.self]
    let gone: PersistentIdentifier
    do {
      let context = try store.open(apart).freshContext()
      context.insert(NamesApart.Animal("Ox"))
      let cats = ["Ada", "Bob"].map { NamesApart.Cat($0, lives: 3) }
      for cat in cats { context.insert(cat) }
      try context.save()
      gone = cats[1].persistentModelID
      for cat in cats { context.delete(cat) }
      try context.save()
    }
    do {
      let context = try store.open([StrictPets.Animal.self, StrictPets.Cat.self]).freshContext()
      let cat = StrictPets.Cat("Cleo", lives: 1)
      context.insert(cat)
      try context.save()
      #expect(cat.persistentModelID != gone)
      #expect(try store.texts("SELECT _id FROM Animal WHERE _type = 'Cat'") == ["3"])
      context.delete(cat)
      try context.save()
    }
    let context = try store.open(apart).freshContext()
    context.insert(NamesApart.Cat("Dot", lives: 2))
    try context.save()
    #expect(try store.texts("SELECT _id FROM Cat") == ["4"])
  }

  @Test("A deleted model's history is converted and renamed when its class moves at the same time")
  func convertedHistory() throws {
    do {
      let context = try store.open([AgedApart.Animal.self, AgedApart.Cat.self]).freshContext()
      let cats = [3, 4].map(AgedApart.Cat.init)
      for cat in cats { context.insert(cat) }
      try context.save()
      context.delete(cats[0])
      try context.save()
    }
    let context = try store.open([AgedPets.Animal.self, AgedPets.Cat.self]).freshContext()
    #expect(try context.only(AgedPets.Cat.self).years == "4")
    let changes = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).flatMap(\.changes)
    let years = changes.compactMap { change -> String? in
      guard case .delete(let deletion as DefaultHistoryDelete<AgedPets.Cat>) = change else { return nil }
      return deletion.tombstone[\.years] as? String
    }
    #expect(years == ["3"])
  }

  @Test("A damaged search index of another class is rebuilt, and does not prevent the move")
  func damagedSearch() throws {
    typealias Note = SearchedVersions.Indexed.Note
    do {
      let context = try store.open([NamesApart.Animal.self, NamesApart.Cat.self, Note.self]).freshContext()
      context.insert(NamesApart.Cat("Ada", lives: 3))
      context.insert(Note("Tram"))
      try context.save()
      try context.container.close()
    }
    try StoreFiles.execute("DROP TABLE swiftdata_search_Note_text", at: store.url, foldings: [.current])
    let context = try store.open([StrictPets.Animal.self, StrictPets.Cat.self, Note.self]).freshContext()
    #expect(try context.only(StrictPets.Cat.self).lives == 3)
    #expect(try context.only(Note.self).text == "Tram")
    #expect(try store.texts("SELECT count(*) FROM sqlite_schema WHERE name = 'swiftdata_search_Note_text'") == ["1"])
  }

  // MARK: Refusals

  @Test("Archived links of models that leave the class prevent the move until they are dropped")
  func archivedLinksOfOthers() throws {
    do {
      let models: [any PersistentModel.Type] = [PlayAll.Animal.self, PlayAll.Cat.self, PlayAll.Toy.self]
      let context = try store.open(models).freshContext()
      let (ox, cat, toy) = (PlayAll.Animal("Ox"), PlayAll.Cat("Ada"), PlayAll.Toy("ball"))
      context.insert(ox)
      context.insert(cat)
      context.insert(toy)
      ox.toys = [toy]
      cat.toys = [toy]
      try context.save()
      try context.container.close()
    }
    try store.open(Self.playBare).close()
    let error = try expectRefusal(in: store.folder) { try store.open(Self.playApart) }
    #expect(error?.details?.issues.count == 1)
    let message = error?.details?.issues.first?.message ?? ""
    #expect(message.contains("in the table swiftdata_kept_Animal_toys"), "\(message)")
    #expect(message.contains("models of Cat any more"), "\(message)")
    #expect(message.contains("1 row of the store"), "\(message)")
    try StoreFiles.execute("DROP TABLE swiftdata_kept_Animal_toys", at: store.url)
    let context = try store.open(Self.playApart).freshContext()
    #expect(try context.only(PlayApart.Cat.self).name == "Ada")
    #expect(try context.only(PlayApart.Animal.self).name == "Ox")
    try expectSound()
  }

  @Test("A row of an unknown class is reported once, and nothing is changed")
  func unknownClass() throws {
    do {
      let context = try store.open([StrictPets.Animal.self, StrictPets.Cat.self]).freshContext()
      context.insert(StrictPets.Cat("Ada", lives: 3))
      try context.save()
      try context.container.close()
    }
    try StoreFiles.execute("INSERT INTO Animal (_type, name) VALUES ('Ghost', 'Boo')", at: store.url)
    let error = try expectRefusal(in: store.folder) { try store.open([NamesApart.Animal.self, NamesApart.Cat.self]) }
    #expect(error?.details?.issues.count == 1)
    let message = error?.details?.issues.first?.message ?? ""
    #expect(message.contains("a class that the store does not know, in 1 row of the store"), "\(message)")
  }

  @Test("A name of both an animal and a cat is reported when it becomes unique, and nothing is changed")
  func uniqueness() throws {
    do {
      let context = try store.open([NamesApart.Animal.self, NamesApart.Cat.self]).freshContext()
      context.insert(NamesApart.Animal("Ada"))
      for name in ["Ada", "Bob"] { context.insert(NamesApart.Cat(name, lives: 3)) }
      try context.save()
      try context.container.close()
    }
    let error = try expectRefusal(in: store.folder) {
      try store.open([StrictPets.Animal.self, StrictPets.Cat.self])
    }
    #expect(error?.details?.issues.map(\.property) == ["name"])
    #expect(error?.details?.issues.first?.message.contains(#""Ada" (2 models)"#) == true)
    try StoreFiles.execute("UPDATE Cat SET name = 'Cleo' WHERE name = 'Ada'", at: store.url)
    let context = try store.open([StrictPets.Animal.self, StrictPets.Cat.self]).freshContext()
    #expect(try context.all(StrictPets.Cat.self, by: \.name).map(\.name) == ["Bob", "Cleo"])
    #expect(try context.all(StrictPets.Cat.self, by: \.name).map(\.lives) == [3, 3])
  }

  @Test("Properties with one name and two types cannot be merged, and nothing is changed")
  func otherTypes() throws {
    do {
      let context = try store.open([NumberedCats.Animal.self, NumberedCats.Cat.self]).freshContext()
      context.insert(NumberedCats.Animal("Ox"))
      context.insert(NumberedCats.Cat(7))
      try context.save()
      try context.container.close()
    }
    let error = try expectRefusal(in: store.folder) { try store.open([NamedCats.Animal.self, NamedCats.Cat.self]) }
    #expect(error?.details?.issues.map(\.property) == ["name"])
    let message = error?.details?.issues.first?.message ?? ""
    #expect(message.contains("that of Animal is String, and that of Cat is Int"), "\(message)")
    let context = try store.open([NumberedCats.Animal.self, NumberedCats.Cat.self]).freshContext()
    #expect(try context.only(NumberedCats.Cat.self).name == 7)
  }

  @Test("A required property of the superclass needs a default value for models that lack it")
  func requiredValue() throws {
    do {
      let context = try store.open([ChippedApart.Animal.self, ChippedApart.Cat.self]).freshContext()
      context.insert(ChippedApart.Animal("Ox", chip: 1))
      context.insert(ChippedApart.Cat("Ada"))
      try context.save()
      try context.container.close()
    }
    let models: [any PersistentModel.Type] = [ChippedPets.Animal.self, ChippedPets.Cat.self]
    let error = try expectRefusal(in: store.folder) { try store.open(models) }
    #expect(error?.details?.issues.map(\.property) == ["chip"])
    let message = error?.details?.issues.first?.message ?? ""
    #expect(message.contains("1 model of the store has no value of it"), "\(message)")
    try StoreFiles.execute("DELETE FROM Cat", at: store.url)
    #expect(try store.open(models).freshContext().only(ChippedPets.Animal.self).chip == 1)
  }

  @Test(
    "A reference to a model that leaves the target class is refused, and nothing is changed", arguments: [false, true])
  func linksToOthers(isToMany: Bool) throws {
    let joined: [any PersistentModel.Type] = [LeaderPets.Animal.self, LeaderPets.Cat.self, LeaderPets.Zoo.self]
    let apart: [any PersistentModel.Type] = [LeaderApart.Animal.self, LeaderApart.Cat.self, LeaderApart.Zoo.self]
    do {
      let context = try store.open(joined).freshContext()
      let (cat, ox, zoo) = (LeaderPets.Cat("Ada"), LeaderPets.Animal("Ox"), LeaderPets.Zoo("Bonn"))
      for model in [cat, ox] { context.insert(model) }
      context.insert(zoo)
      zoo.star = isToMany ? ox : cat
      zoo.animals = isToMany ? [ox, cat] : [ox]
      try context.save()
      try context.container.close()
    }
    let error = try expectRefusal(in: store.folder) { try store.open(apart) }
    #expect(error?.details?.issues.map(\.property) == [isToMany ? "animals" : "star"])
    let message = error?.details?.issues.first?.message ?? ""
    #expect(message.contains("Cat is no Animal any more"), "\(message)")
    #expect(message.contains("1 row of the store"), "\(message)")
    do {
      let context = try store.open(joined).freshContext()
      let zoo = try context.only(LeaderPets.Zoo.self)
      #expect(zoo.animals.map(\.name) == (isToMany ? ["Ox", "Ada"] : ["Ox"]))
      zoo.star = nil
      zoo.animals.removeAll { $0 is LeaderPets.Cat }
      try context.save()
    }
    let context = try store.open(apart).freshContext()
    #expect(try context.only(LeaderApart.Zoo.self).animals.map(\.name) == ["Ox"])
    #expect(try context.only(LeaderApart.Cat.self).name == "Ada")
    try expectSound()
  }

  // MARK: Previews and stages

  @Test("A preview lists moved models, with SQL and rows, and changes nothing")
  func preview() throws {
    try writeApart()
    let before = try StoreFiles.contents(of: store.folder.url)
    let preview = try MigrationInspector(
      for: Schema(Self.joined), configurations: ModelConfiguration("pets", url: store.url)
    ).preview()
    #expect(preview.issues == [])
    let first = try #require(preview.steps.first?.changes["pets"]?.first)
    #expect(first.summary == "moves Cat to another table")
    #expect(first.rowCount == 3)
    #expect(first.copiesTable)
    #expect(first.sql.contains { $0.hasPrefix("INSERT INTO") })
    #expect(try StoreFiles.contents(of: store.folder.url) == before)
  }

  @Test("A stage moves models, and its code finds them by their values")
  func stage() throws {
    do {
      let context = try store.open([NamesApart.Animal.self, NamesApart.Cat.self]).freshContext()
      context.insert(NamesApart.Animal("Ox"))
      for name in ["Ada", "Bob"] { context.insert(NamesApart.Cat(name, lives: 3)) }
      try context.save()
      try context.container.close()
    }
    let container = try ModelContainer(
      for: Schema(versionedSchema: StrictPets.self), migrationPlan: PetPlan.self,
      configurations: ModelConfiguration(url: store.url))
    let cats = try container.freshContext().all(StrictPets.Cat.self, by: \.name)
    #expect(cats.map { "\($0.name) \($0.lives)" } == ["Ada 30", "Bob 30"])
  }

  @Test("A mapping throws instead of skipping models whose identifiers have changed")
  func mapping() throws {
    do {
      let context = try store.open([NamesApart.Animal.self, NamesApart.Cat.self]).freshContext()
      context.insert(NamesApart.Animal("Ox"))
      context.insert(NamesApart.Cat("Ada", lives: 3))
      try context.save()
      try context.container.close()
    }
    let error = try expectRefusal(in: store.folder) {
      try ModelContainer(
        for: Schema(versionedSchema: StrictPets.self), migrationPlan: MappingPetPlan.self,
        configurations: ModelConfiguration(url: store.url))
    }
    let reason = error?.details?.underlyingError as? SwiftDataError
    #expect(reason?.details?.entity == "Cat")
    #expect(reason?.details?.message?.contains("other identifiers") == true)
  }

  @Test("A mapping does not confuse a model with another one that has its identifier now")
  func mappingOfTakenKeys() throws {
    do {
      let container = try ModelContainer(
        for: Schema(versionedSchema: KittensApart.self), configurations: ModelConfiguration(url: store.url))
      let context = container.freshContext()
      let pets: [any PersistentModel] = [
        KittensApart.Animal("Ox"), KittensApart.Kitten("Tib"), KittensApart.Cat("Ada"), KittensApart.Cat("Bob"),
      ]
      for pet in pets {
        context.insert(pet)
        try context.save()
      }
      try container.close()
    }
    let error = try expectRefusal(in: store.folder) {
      try ModelContainer(
        for: Schema(versionedSchema: KittensJoined.self), migrationPlan: KittenPlan.self,
        configurations: ModelConfiguration(url: store.url))
    }
    let reason = error?.details?.underlyingError as? SwiftDataError
    #expect(reason?.details?.entity == "Cat")
    #expect(reason?.details?.message?.contains("other identifiers") == true)
  }
}

extension Array {
  /// In an order that follows from numbers below a limit.
  fileprivate func shuffled(by next: (Int) -> Int) -> Self {
    var rest = self
    var shuffled: Self = []
    while !rest.isEmpty { shuffled.append(rest.remove(at: next(rest.count))) }
    return shuffled
  }
}

enum NamesApart: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Animal.self, Cat.self] }

  @Model
  final class Animal {
    var name: String

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Cat {
    var name: String
    var lives: Int

    init(_ name: String, lives: Int) {
      self.name = name
      self.lives = lives
    }
  }
}

extension StrictPets: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Animal.self, Cat.self] }
}

enum PetPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [NamesApart.self, StrictPets.self] }
  static var stages: [MigrationStage] {
    [
      .useBothVersions(
        fromVersion: NamesApart.self, toVersion: StrictPets.self,
        migrate: { old, new in
          let former = try old.fetch(FetchDescriptor<NamesApart.Cat>())
          let cats = try new.fetch(FetchDescriptor<StrictPets.Cat>())
          for cat in cats {
            cat.lives = 10 * (former.first { $0.name == cat.name }?.lives ?? 0)
          }
          try new.save()
        })
    ]
  }
}

enum MappingPetPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [NamesApart.self, StrictPets.self] }
  static var stages: [MigrationStage] {
    [
      .mapModels(
        fromVersion: NamesApart.self, toVersion: StrictPets.self, of: NamesApart.Cat.self, to: StrictPets.Cat.self
      ) { old, new in new.lives = old.lives + 1 }
    ]
  }
}

enum KittensApart: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Animal.self, Cat.self, Kitten.self] }

  typealias Animal = NamesApart.Animal

  @Model
  class Cat {
    var name: String
    var lives = 9

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Kitten: Cat {
    var weeks = 1

    override init(_ name: String) {
      super.init(name)
    }
  }
}

enum KittensJoined: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Animal.self, Cat.self, Kitten.self] }

  @Model
  class Animal {
    var name: String

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  class Cat: Animal {
    var lives = 9

    override init(_ name: String) {
      super.init(name)
    }
  }

  @Model
  final class Kitten: Cat {
    var weeks = 1

    override init(_ name: String) {
      super.init(name)
    }
  }
}

enum KittenPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [KittensApart.self, KittensJoined.self] }
  static var stages: [MigrationStage] {
    [
      .mapModels(
        fromVersion: KittensApart.self, toVersion: KittensJoined.self, of: KittensApart.Cat.self,
        to: KittensJoined.Cat.self
      ) { old, new in
        #expect(old.name == new.name)
      }
    ]
  }
}
