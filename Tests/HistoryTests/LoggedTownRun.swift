import Foundation

@testable import SwiftData
@testable import TestSupport

/// Changes a town at random. Subclasses follow the changes.
class LoggedTownRun {
  /// The actions so far.
  private(set) var log: [String] = []
  /// The container of the changed store.
  private(set) var container: ModelContainer

  private let url: URL
  private var context: ModelContext
  private var dice: SeededGenerator
  private var number: Int
  // The models in the context's memory, which may not be all stored ones.
  private var cities: [LoggedCity] = []
  private var houses: [LoggedHouse] = []
  private var people: [LoggedPerson] = []

  /// - Parameter number: The first number for the names of models.
  init(seed: UInt64, at url: URL, number: Int = 0) throws {
    self.url = url
    self.number = number
    dice = SeededGenerator(seed: seed)
    container = try Self.open(url)
    context = ModelContext(container)
    try look(atAll: true)
  }

  static func open(_ url: URL) throws -> ModelContainer {
    try ModelContainer(
      for: LoggedCity.self, LoggedHouse.self, LoggedPerson.self, configurations: ModelConfiguration(url: url))
  }

  // MARK: Hooks of subclasses

  func note(_ event: String) {
    log.append(event)
  }

  /// Runs work that commits.
  func commit(_ work: () throws -> Void) throws {
    try work()
  }

  /// Called when all changes are committed.
  func follow() throws {}

  /// Deletes history that is not needed any more.
  func trim() throws {}

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

  /// Changes a list of members: reorders, adds or removes.
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

  func save() throws {
    note("save")
    context.author = chance(2) ? nil : "run"
    do {
      try commit { try context.save() }
    } catch let error as SwiftDataError {
      // Another context has deleted a changed model.
      note("refused: \(error.details?.message ?? "\(error)")")
      context.rollback()
    }
    // Sometimes the follower falls behind.
    if !chance(5) { try follow() }
    if chance(3) {
      note("another context")
      context = ModelContext(container)
      try look(atAll: chance(2))
    } else {
      try look(atAll: true)
    }
  }

  private func reopen() throws {
    note("reopen")
    context.rollback()
    container = try Self.open(url)
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
      note("rollback")
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
      note("city \(number) with mayor \(city.mayor?.name ?? "-")")
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
      note("house \(number) of \(house.city?.code ?? -1)")
    case 2 where people.count < 10:
      let person = LoggedPerson("p\(number)")
      context.insert(person)
      people.append(person)
      if let house = pickHouse(), chance(2) { person.houses = [house] }
      if let city = pickCity(), chance(2) { person.favourites = [city] }
      note("person \(number)")
    default: delete()
    }
  }

  private func edit() {
    switch Int.random(in: 0..<3, using: &dice) {
    case 0:
      guard let city = pickCity() else { return }
      note("city \(city.code) edited")
      city.count += 1
      if chance(2) { city.name = "n\(number)" }
    case 1:
      guard let house = pickHouse() else { return }
      note("house \(house.number) edited")
      house.rooms = Int.random(in: 0..<3, using: &dice)
    default:
      guard let person = pickPerson() else { return }
      note("person \(person.name) edited")
      person.age = chance(3) ? nil : number
      if chance(4) { person.name = "q\(number)" }
    }
  }

  private func delete() {
    switch Int.random(in: 0..<4, using: &dice) {
    case 0:
      guard let city = pickCity() else { return }
      note("delete city \(city.code)")
      context.delete(city)
    case 1:
      guard let person = pickPerson() else { return }
      note("delete person \(person.name)")
      context.delete(person)
    default:
      guard let house = pickHouse() else { return }
      note("delete house \(house.number)")
      context.delete(house)
    }
  }

  private func link() {
    switch Int.random(in: 0..<9, using: &dice) {
    case 0, 1:
      guard let house = pickHouse() else { return }
      house.city = chance(3) ? nil : pickCity()
      note("house \(house.number).city = \(house.city?.code ?? -1)")
    case 2:
      guard let city = pickCity() else { return }
      city.houses = changed(city.houses, with: pickHouse())
      note("city \(city.code).houses = \(city.houses.map(\.number))")
    case 3:
      guard let house = pickHouse() else { return }
      house.tenants = changed(house.tenants, with: pickPerson())
      note("house \(house.number).tenants = \(house.tenants.map(\.name))")
    case 4:
      guard let person = pickPerson() else { return }
      person.houses = changed(person.houses, with: pickHouse())
      note("person \(person.name).houses = \(person.houses.map(\.number))")
    case 5:
      guard let city = pickCity() else { return }
      city.mayor = chance(4) ? nil : pickPerson()
      note("city \(city.code).mayor = \(city.mayor?.name ?? "-")")
    case 6:
      guard let person = pickPerson() else { return }
      person.mayorOf = chance(4) ? nil : pickCity()
      note("person \(person.name).mayorOf = \(person.mayorOf?.code ?? -1)")
    case 7:
      guard let house = pickHouse() else { return }
      let neighbour = chance(3) ? nil : pickHouse()
      house.neighbour = neighbour
      note("house \(house.number).neighbour = \(neighbour?.number ?? -1)")
    default:
      guard let person = pickPerson() else { return }
      let there = person.favourites.filter { $0.modelContext != nil && !$0.isDeleted }
      let favourites = changed(there, with: pickCity())
      person.favourites = favourites
      note("person \(person.name).favourites = \(favourites.map(\.code))")
    }
  }

  /// Inserts a city with the code of another one.
  private func upsert() {
    guard let known = pickCity() else { return }
    let city = LoggedCity(known.code)
    context.insert(city)
    city.name = "again \(number)"
    if chance(2) { city.mayor = pickPerson() }
    if chance(2), let house = pickHouse() { city.houses = [house] }
    note("city \(city.code) again, mayor \(city.mayor?.name ?? "-"), houses \(city.houses.map(\.number))")
  }

  private func deleteRows() throws {
    let limit = Int.random(in: 0..<3, using: &dice)
    switch Int.random(in: 0..<3, using: &dice) {
    case 0:
      note("delete houses with \(limit) rooms")
      try context.delete(model: LoggedHouse.self, where: #Predicate { $0.rooms == limit })
    case 1:
      note("delete people without age")
      try context.delete(model: LoggedPerson.self, where: #Predicate { $0.age == nil })
    default:
      note("delete cities that were never edited")
      try context.delete(model: LoggedCity.self, where: #Predicate { $0.count == 0 })
    }
  }

  private func updateRows() throws {
    let (limit, value) = (Int.random(in: 0..<3, using: &dice), number)
    note("update of rows \(limit)")
    if chance(2) {
      try commit {
        try context.update(LoggedHouse.self, where: #Predicate { $0.rooms >= limit }) { $0.set(\.number, to: value) }
      }
    } else {
      try commit {
        try context.update(LoggedPerson.self, where: #Predicate { $0.age != nil }) {
          $0.set(\.age, to: nil)
          $0.set(\.name, to: "u\(value)")
        }
      }
    }
    try follow()
  }

  /// Saves a change in another context, of this container or of another one.
  private func saveElsewhere() throws {
    if context.hasChanges { try save() }
    let other = ModelContext(chance(2) ? container : try Self.open(url))
    let houses = try other.fetch(FetchDescriptor<LoggedHouse>())
    guard let house = houses.randomElement(using: &dice) else { return }
    note("elsewhere house \(house.number) changes")
    house.rooms += 1
    if chance(2) { house.city = try other.fetch(FetchDescriptor<LoggedCity>()).randomElement(using: &dice) }
    if chance(2) { house.tenants.reverse() }
    if chance(3) { other.delete(house) }
    try commit { try other.save() }
    context = ModelContext(container)
    try look(atAll: true)
    try follow()
  }
}
