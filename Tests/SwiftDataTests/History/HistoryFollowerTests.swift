import Foundation
import Testing

@testable import SwiftData

/// Random changes beside a follower that learns of them by the history alone, and reads nothing but what it names.
///
/// `OSD_SEED` says where the random numbers begin, `OSD_RANDOM_OPERATIONS` how many operations there are.
@Suite("Following a store by its history", .serialized)
struct HistoryFollowerTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let seed = environment["OSD_SEED"].flatMap(UInt64.init) ?? .random(in: 1...999_999_999)
  private static let operations = environment["OSD_RANDOM_OPERATIONS"].flatMap { Int($0) } ?? 20_000
  /// A store that lives long grows; so the operations are done in several runs.
  private static let runLength = 500

  @Test("Readers know all properties")
  func readers() {
    func names<Model: LoggedRow>(_ type: Model.Type) -> (Set<String>, Set<String>) {
      (Set(ModelRuntime.of(type).properties.map(\.name)), Set(type.readers.keys))
    }
    for (all, known) in [names(LoggedCity.self), names(LoggedHouse.self), names(LoggedPerson.self)] {
      #expect(all == known)
    }
  }

  @Test("A follower in the same container has the rows of the store after every save")
  func sameContainer() throws {
    try follow(operations: Self.operations / 2, from: .sameContainer)
  }

  @Test("A follower with a container of its own has the rows of the store after every save")
  func otherContainer() throws {
    try follow(operations: Self.operations / 2, from: .otherContainer)
  }

  private func follow(operations count: Int, from place: LoggedTownRun.Place) throws {
    for run in 0..<((count + Self.runLength - 1) / Self.runLength) {
      let seed = Self.seed &+ UInt64(run) &* 1000 &+ (place == .sameContainer ? 0 : 1)
      let town = try LoggedTownRun(seed: seed, place)
      do {
        for _ in 0..<min(count, Self.runLength) { try town.step() }
        try town.save()
        try town.finish()
      } catch {
        let message = (error as? LoggedMismatch)?.message ?? "\(error)"
        Issue.record(
          "OSD_SEED=\(Self.seed), run \(run): \(message)\n  \(town.log.suffix(40).joined(separator: "\n  "))")
        return
      }
    }
  }
}

/// Changes a town at random.
private final class LoggedTownRun {
  enum Place {
    case sameContainer, otherContainer
  }

  private(set) var log: [String] = []

  private let folder: TemporaryFolder
  private let place: Place
  private var container: ModelContainer
  private var followed: ModelContainer
  private var context: ModelContext
  private var follower = LoggedFollower()
  private var dice: SeededGenerator
  private var number = 0
  // What the context has in memory, and perhaps not all that is stored.
  private var cities: [LoggedCity] = []
  private var houses: [LoggedHouse] = []
  private var people: [LoggedPerson] = []

  init(seed: UInt64, _ place: Place) throws {
    folder = try TemporaryFolder()
    dice = SeededGenerator(seed: seed)
    self.place = place
    container = try Self.open(folder)
    followed = place == .sameContainer ? container : try Self.open(folder)
    context = ModelContext(container)
  }

  private static func open(_ folder: TemporaryFolder) throws -> ModelContainer {
    try ModelContainer(
      for: LoggedCity.self, LoggedHouse.self, LoggedPerson.self, configurations: ModelConfiguration(url: folder.file()))
  }

  // MARK: Picking

  private func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &dice) == 0 }

  private func pick<Model: PersistentModel>(_ models: [Model]) -> Model? {
    guard let model = models.randomElement(using: &dice), model.modelContext != nil, !model.isDeleted else {
      return nil
    }
    return model
  }

  private func pickCity() -> LoggedCity? { pick(cities) }
  private func pickHouse() -> LoggedHouse? { pick(houses) }
  private func pickPerson() -> LoggedPerson? { pick(people) }

  /// Changes a list of members: another order, one more, one less.
  private func changed<Model: PersistentModel>(_ members: [Model], with new: Model?) -> [Model] {
    var members = members
    switch Int.random(in: 0..<5, using: &dice) {
    case 0: members.shuffle(using: &dice)
    case 1: if !members.isEmpty { members.remove(at: Int.random(in: 0..<members.count, using: &dice)) }
    case 2: members = []
    default: break
    }
    if let new, !members.contains(where: { $0 === new }) {
      members.insert(new, at: Int.random(in: 0...members.count, using: &dice))
    }
    return members
  }

  /// Reads some of the models, or all of them.
  private func look(atAll: Bool) throws {
    cities = atAll || !chance(3) ? try context.fetch(FetchDescriptor<LoggedCity>()) : []
    houses = atAll || !chance(3) ? try context.fetch(FetchDescriptor<LoggedHouse>()) : []
    people = atAll || !chance(3) ? try context.fetch(FetchDescriptor<LoggedPerson>()) : []
  }

  // MARK: Saving

  private func follow() throws {
    try follower.follow(followed)
    try follower.check(followed)
  }

  func finish() throws {
    try follow()
  }

  func save() throws {
    log.append("save")
    context.author = chance(2) ? nil : "run"
    do {
      try context.save()
    } catch let error as SwiftDataError {
      // Another context has deleted what was changed here.
      log.append("refused: \(error.details?.message ?? "\(error)")")
      context.rollback()
    }
    // Sometimes the follower comes late.
    if !chance(5) { try follow() }
    if chance(3) {
      log.append("another context")
      context = ModelContext(container)
      try look(atAll: chance(2))
    } else {
      try look(atAll: true)
    }
  }

  private func reopen() throws {
    log.append("reopen")
    context.rollback()
    container = try Self.open(folder)
    if place == .sameContainer { followed = container }
    context = ModelContext(container)
    try look(atAll: chance(2))
    try follow()
  }

  // MARK: Operations

  func step() throws {
    number += 1
    switch Int.random(in: 0..<40, using: &dice) {
    case 0...5: insert()
    case 6...10: edit()
    case 11...12: delete()
    case 13...24: link()
    case 25...26: upsert()
    case 27: try deleteRows()
    case 28: try updateRows()
    case 29: try saveElsewhere()
    case 30:
      if !chance(3) { return }
      log.append("rollback")
      context.rollback()
      try look(atAll: true)
      try follow()
    case 31: if chance(4) { try reopen() }
    case 32: if chance(4) { try trim() }
    case 33...35: try save()
    default: edit()
    }
  }

  private func insert() {
    switch Int.random(in: 0..<3, using: &dice) {
    case 0 where cities.count < 6:
      let city = LoggedCity(number)
      context.insert(city)
      cities.append(city)
      if chance(2) { city.mayor = pickPerson() }
      log.append("city \(number) with mayor \(city.mayor?.name ?? "-")")
    case 1 where houses.count < 14:
      let house = LoggedHouse(number)
      if chance(2) { context.insert(house) }
      if let city = pickCity(), chance(2) {
        if chance(2) { house.city = city } else { city.houses.insert(house, at: 0) }
      }
      context.insert(house)
      houses.append(house)
      if let person = pickPerson(), chance(2) { house.tenants = [person] }
      if chance(3) { house.neighbour = pickHouse() }
      log.append("house \(number) of \(house.city?.code ?? -1)")
    case 2 where people.count < 10:
      let person = LoggedPerson("p\(number)")
      context.insert(person)
      people.append(person)
      if let house = pickHouse(), chance(2) { person.houses = [house] }
      if let city = pickCity(), chance(2) { person.favourites = [city] }
      log.append("person \(number)")
    default: delete()
    }
  }

  private func edit() {
    switch Int.random(in: 0..<3, using: &dice) {
    case 0:
      guard let city = pickCity() else { return }
      log.append("city \(city.code) edited")
      city.count += 1
      if chance(2) { city.name = "n\(number)" }
    case 1:
      guard let house = pickHouse() else { return }
      log.append("house \(house.number) edited")
      house.rooms = Int.random(in: 0..<3, using: &dice)
    default:
      guard let person = pickPerson() else { return }
      log.append("person \(person.name) edited")
      person.age = chance(3) ? nil : number
      if chance(4) { person.name = "q\(number)" }
    }
  }

  private func delete() {
    switch Int.random(in: 0..<4, using: &dice) {
    case 0:
      guard let city = pickCity() else { return }
      log.append("delete city \(city.code)")
      context.delete(city)
    case 1:
      guard let person = pickPerson() else { return }
      log.append("delete person \(person.name)")
      context.delete(person)
    default:
      guard let house = pickHouse() else { return }
      log.append("delete house \(house.number)")
      context.delete(house)
    }
  }

  private func link() {
    switch Int.random(in: 0..<9, using: &dice) {
    case 0, 1:
      guard let house = pickHouse() else { return }
      house.city = chance(3) ? nil : pickCity()
      log.append("house \(house.number).city = \(house.city?.code ?? -1)")
    case 2:
      guard let city = pickCity() else { return }
      city.houses = changed(city.houses, with: pickHouse())
      log.append("city \(city.code).houses = \(city.houses.map(\.number))")
    case 3:
      guard let house = pickHouse() else { return }
      house.tenants = changed(house.tenants, with: pickPerson())
      log.append("house \(house.number).tenants = \(house.tenants.map(\.name))")
    case 4:
      guard let person = pickPerson() else { return }
      person.houses = changed(person.houses, with: pickHouse())
      log.append("person \(person.name).houses = \(person.houses.map(\.number))")
    case 5:
      guard let city = pickCity() else { return }
      city.mayor = chance(4) ? nil : pickPerson()
      log.append("city \(city.code).mayor = \(city.mayor?.name ?? "-")")
    case 6:
      guard let person = pickPerson() else { return }
      person.mayorOf = chance(4) ? nil : pickCity()
      log.append("person \(person.name).mayorOf = \(person.mayorOf?.code ?? -1)")
    case 7:
      guard let house = pickHouse() else { return }
      let neighbour = chance(3) ? nil : pickHouse()
      house.neighbour = neighbour
      log.append("house \(house.number).neighbour = \(neighbour?.number ?? -1)")
    default:
      guard let person = pickPerson() else { return }
      let there = person.favourites.filter { $0.modelContext != nil && !$0.isDeleted }
      let favourites = changed(there, with: pickCity())
      person.favourites = favourites
      log.append("person \(person.name).favourites = \(favourites.map(\.code))")
    }
  }

  /// Inserts a city whose code another one has.
  private func upsert() {
    guard let known = pickCity() else { return }
    let city = LoggedCity(known.code)
    context.insert(city)
    city.name = "again \(number)"
    if chance(2) { city.mayor = pickPerson() }
    if chance(2), let house = pickHouse() { city.houses = [house] }
    log.append("city \(city.code) again, mayor \(city.mayor?.name ?? "-"), houses \(city.houses.map(\.number))")
  }

  private func deleteRows() throws {
    let limit = Int.random(in: 0..<3, using: &dice)
    switch Int.random(in: 0..<3, using: &dice) {
    case 0:
      log.append("delete houses with \(limit) rooms")
      try context.delete(model: LoggedHouse.self, where: #Predicate { $0.rooms == limit })
    case 1:
      log.append("delete people without age")
      try context.delete(model: LoggedPerson.self, where: #Predicate { $0.age == nil })
    default:
      log.append("delete cities that were never edited")
      try context.delete(model: LoggedCity.self, where: #Predicate { $0.count == 0 })
    }
  }

  private func updateRows() throws {
    let (limit, value) = (Int.random(in: 0..<3, using: &dice), number)
    log.append("update of rows \(limit)")
    if chance(2) {
      try context.update(LoggedHouse.self, where: #Predicate { $0.rooms >= limit }) { $0.set(\.number, to: value) }
    } else {
      try context.update(LoggedPerson.self, where: #Predicate { $0.age != nil }) {
        $0.set(\.age, to: nil)
        $0.set(\.name, to: "u\(value)")
      }
    }
    try follow()
  }

  /// Somebody else changes something, in this container or in another one.
  private func saveElsewhere() throws {
    if context.hasChanges { try save() }
    let other = ModelContext(chance(2) ? container : try Self.open(folder))
    let houses = try other.fetch(FetchDescriptor<LoggedHouse>())
    guard let house = houses.randomElement(using: &dice) else { return }
    log.append("elsewhere house \(house.number) changes")
    house.rooms += 1
    if chance(2) { house.city = try other.fetch(FetchDescriptor<LoggedCity>()).randomElement(using: &dice) }
    if chance(2) { house.tenants.reverse() }
    if chance(3) { other.delete(house) }
    try other.save()
    context = ModelContext(container)
    try look(atAll: true)
    try follow()
  }

  /// Deletes what the follower has seen.
  private func trim() throws {
    try follow()
    guard let token = follower.token else { return }
    log.append("trim")
    try ModelContext(container).deleteHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token <= token }))
    try follow()
  }
}
