import FaultyDriver
import Foundation
import Relational
import Support
import Testing

@testable import SwiftData

// Shapes of relationships that the library of books has not: one-to-one, one way, and among the models of one class.

@Model
class Sailor {
  @Attribute(.unique) var number: Int
  var rank = 0
  var ship: Ship?
  @Relationship(inverse: \Bunk.sailor) var bunk: Bunk?
  var friends: [Sailor] = []
  @Relationship(inverse: \Sailor.friends) var followers: [Sailor] = []

  init(_ number: Int) {
    self.number = number
  }
}

@Model
final class Officer: Sailor {
  @Relationship(inverse: nil) var flagship: Ship?

  init(officer number: Int) {
    super.init(number)
  }
}

@Model
final class Ship {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \Sailor.ship) var crew: [Sailor] = []
  @Relationship(inverse: nil) var havens: [Haven] = []
  @Relationship(inverse: nil) var home: Haven?

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Bunk {
  var number: Int
  var sailor: Sailor?

  init(_ number: Int) {
    self.number = number
  }
}

@Model
final class Haven {
  var name: String

  init(_ name: String) {
    self.name = name
  }
}

/// As the random programs that change books, with the other shapes of relationships, and with policies, transactions,
/// rollbacks and calls that change many rows. `OSD_OVERTAKINGS` says how many such programs run.
@Suite("Random saves of all shapes that overtake one another")
struct OvertakenShapeTests {
  private static let count = ProcessInfo.processInfo.environment["OSD_OVERTAKINGS"].flatMap { Int($0) } ?? 24

  private final class Log: @unchecked Sendable {
    private(set) var lines: [String] = []

    func add(_ name: String, _ line: String) { lines.append("\(name) \(line)") }
  }

  /// A context, and what it has in memory.
  ///
  /// `@unchecked Sendable` because all is done on the thread of the test.
  private final class Side: @unchecked Sendable {
    let name: String
    let context: ModelContext
    let log: Log
    private var random: SeededGenerator
    /// In the order in which it came to know of them.
    private var held: [any PersistentModel] = []
    /// Those of them that were saved when somebody asked last.
    private var saved: [(model: any PersistentModel, identifier: String)] = []

    init(_ name: String, _ container: ModelContainer, _ random: SeededGenerator, _ log: Log) {
      self.name = name
      self.random = random
      self.log = log
      context = ModelContext(container)
    }

    func draw(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    // MARK: Changing

    private func any<Model: PersistentModel>(_ type: Model.Type) throws -> Model? {
      let known = held.compactMap { $0 as? Model }.filter { $0.modelContext === context && !$0.isDeleted }
      if !known.isEmpty, draw(3) > 0 { return known[draw(known.count)] }
      let identifiers = try context.fetchIdentifiers(FetchDescriptor<Model>())
      if identifiers.isEmpty { return nil }
      let model: Model?
      if draw(3) == 0 {
        // Without its row.
        model = context.model(for: identifiers[draw(identifiers.count)]) as? Model
      } else {
        var descriptor = FetchDescriptor<Model>()
        descriptor.fetchOffset = draw(identifiers.count)
        descriptor.fetchLimit = 1
        model = try context.fetch(descriptor).first
      }
      if let model, !held.contains(where: { $0 === model }) { held.append(model) }
      return model
    }

    /// Sometimes nothing.
    private func anyOrNone<Model: PersistentModel>(_ type: Model.Type) throws -> Model? {
      if draw(4) == 0 { return nil }
      return try any(type)
    }

    private func isScarce<Model: PersistentModel>(_ type: Model.Type) throws -> Bool {
      try context.fetchCount(FetchDescriptor<Model>()) < 4
    }

    func change() throws {
      let kind = draw(18)
      log.add(name, "changes in way \(kind)")
      switch kind {
      case 0: try insert()
      case 1: try insertTwin()
      case 2, 3: try any(Sailor.self)?.ship = anyOrNone(Ship.self)
      case 4: try changeCrew()
      case 5, 6: try changeFriends()
      case 7: try any(Sailor.self)?.bunk = anyOrNone(Bunk.self)
      case 8: try any(Bunk.self)?.sailor = anyOrNone(Sailor.self)
      case 9: try changeHavens()
      case 10: try any(Ship.self)?.home = anyOrNone(Haven.self)
      case 11: try any(Officer.self)?.flagship = anyOrNone(Ship.self)
      case 12: try deleteOne(Sailor.self)
      case 13: try deleteOne(Ship.self)
      case 14: if draw(2) == 0 { try deleteOne(Haven.self) } else { try deleteOne(Bunk.self) }
      case 15: try any(Sailor.self)?.rank += 1
      case 16: try changeMany()
      default: if draw(2) == 0 { context.rollback() }
      }
    }

    private func insert() throws {
      switch draw(5) {
      case 0: context.insert(Ship("\(draw(1000))"))
      case 1: context.insert(Haven("\(draw(1000))"))
      case 2: context.insert(Bunk(draw(1000)))
      default:
        let number = Int(random.next() >> 16)
        let sailor: Sailor = draw(3) == 0 ? Officer(officer: number) : Sailor(number)
        context.insert(sailor)
        sailor.ship = try anyOrNone(Ship.self)
      }
    }

    /// Inserts what becomes a row that is there.
    private func insertTwin() throws {
      guard let number = try any(Sailor.self)?.number else { return }
      let twin = Sailor(number)
      twin.rank = draw(10)
      context.insert(twin)
      twin.ship = try anyOrNone(Ship.self)
    }

    private func changeCrew() throws {
      guard let ship = try any(Ship.self) else { return }
      switch draw(3) {
      case 0: ship.crew.reverse()
      case 1: if !ship.crew.isEmpty { ship.crew.removeLast() }
      default:
        guard let sailor = try any(Sailor.self), !ship.crew.contains(where: { $0 === sailor }) else { return }
        ship.crew.append(sailor)
      }
    }

    private func changeFriends() throws {
      guard let sailor = try any(Sailor.self), let friend = try any(Sailor.self), friend !== sailor else { return }
      if let place = sailor.friends.firstIndex(where: { $0 === friend }) {
        sailor.friends.remove(at: place)
      } else if draw(2) == 0 {
        sailor.friends.append(friend)
      } else {
        friend.followers.append(sailor)
      }
    }

    private func changeHavens() throws {
      guard let ship = try any(Ship.self), let haven = try any(Haven.self) else { return }
      if draw(4) == 0 {
        ship.havens.reverse()
      } else if let place = ship.havens.firstIndex(where: { $0 === haven }) {
        ship.havens.remove(at: place)
      } else {
        ship.havens.append(haven)
      }
    }

    private func deleteOne<Model: PersistentModel>(_ type: Model.Type) throws {
      guard try !isScarce(type), let model = try any(type) else { return }
      context.delete(model)
    }

    private func changeMany() throws {
      let rank = draw(10)
      if draw(3) == 0 {
        try context.delete(model: Sailor.self, where: #Predicate { $0.rank == rank })
      } else {
        try context.update(Sailor.self, where: #Predicate { $0.rank > rank }) { $0.set(\.rank, to: rank) }
      }
    }

    // MARK: Saving

    func save() throws {
      do {
        try context.save()
        log.add(name, "has saved")
      } catch is SwiftDataError {
        log.add(name, "is refused")
        context.rollback()
      }
    }

    /// Saves in one of several ways, which a save of another context may not be under way for.
    func saveSomehow(_ policies: [MergePolicy]) throws {
      context.mergePolicy = policies[draw(policies.count)]
      defer { context.mergePolicy = .lastWriterWins }
      if draw(3) > 0 { return try save() }
      do {
        let changesMore = draw(2) == 0
        try context.transaction {
          if changesMore { try change() }
        }
        log.add(name, "has saved in a transaction")
      } catch is SwiftDataError {
        log.add(name, "is refused in a transaction")
        context.rollback()
      }
    }

    /// Looks at something.
    func look() throws {
      let kind = draw(6)
      log.add(name, "looks in way \(kind)")
      switch kind {
      case 0: context.processPendingChanges()
      case 1: _ = try context.fetch(FetchDescriptor<Sailor>())
      case 2: _ = try any(Sailor.self).map(Self.words)
      case 3: _ = try any(Ship.self).map(Self.words)
      case 4: _ = try any(Bunk.self).map(Self.words)
      default: _ = try any(Sailor.self)?.rank
      }
    }

    // MARK: Comparing

    /// What is wrong with what it has; nil when nothing is.
    ///
    /// - Parameter mayReturn: Whether a row may have gone and come back since this was asked last.
    func mistake(_ stored: [String: String], mayReturn: Bool) -> String? {
      context.processPendingChanges()
      if context.hasChanges { return "has changes" }
      if !mayReturn, let lost = saved.first(where: { $0.model.modelContext == nil && stored[$0.identifier] != nil }) {
        return "has lost \(lost.identifier)"
      }
      held.removeAll { $0.modelContext !== context || $0.isDeleted }
      for model in held {
        let words = Self.words(model)
        let truth = stored[brief(model)] ?? "nothing"
        if words != truth { return "has \(brief(model)) with \(words), stored is \(truth)" }
      }
      if held.count > 40 { held.removeFirst(20) }
      saved = held.map { ($0, brief($0)) }
      return nil
    }

    static func stored(_ container: ModelContainer) throws -> [String: String] {
      let context = ModelContext(container)
      return try withExtendedLifetime(context) {
        let people: [any PersistentModel] =
          try context.fetch(FetchDescriptor<Sailor>()) + context.fetch(FetchDescriptor<Bunk>())
        let places: [any PersistentModel] =
          try context.fetch(FetchDescriptor<Ship>()) + context.fetch(FetchDescriptor<Haven>())
        return statement(people + places)
      }
    }

    private static func statement(_ models: [any PersistentModel]) -> [String: String] {
      models.reduce(into: [:]) { $0[brief($1)] = words($1) }
    }

    private static func words(_ model: any PersistentModel) -> String {
      switch model {
      case let sailor as Sailor:
        let flagship = (sailor as? Officer)?.flagship
        let places = [sailor.ship.map(brief), sailor.bunk.map(brief), flagship.map(brief)]
        return "\(sailor.rank) \(places) \(sailor.friends.map(brief)) \(sailor.followers.map(brief))"
      case let ship as Ship: return "\(ship.crew.map(brief)) \(ship.havens.map(brief)) \(ship.home.map(brief) ?? "")"
      case let bunk as Bunk: return bunk.sailor.map(brief) ?? ""
      case let haven as Haven: return haven.name
      default: return ""
      }
    }
  }

  private static func fill(_ container: ModelContainer) throws {
    let context = ModelContext(container)
    for number in 0..<6 {
      let ship = Ship("\(number)")
      context.insert(ship)
      ship.crew = [Sailor(number * 10), Officer(officer: number * 10 + 1), Sailor(number * 10 + 2)]
      let haven = Haven("\(number)")
      context.insert(haven)
      ship.havens = [haven]
      ship.home = haven
      let bunk = Bunk(number)
      context.insert(bunk)
      bunk.sailor = ship.crew.first
    }
    try context.save()
  }

  @Test("What each has of sailors and ships is what is stored", arguments: 0..<count)
  func program(number: Int) throws {
    let folder = try TemporaryFolder()
    let event = OvertakenDatabase.Event()
    let wrap: @Sendable (any Database) -> any Database = { OvertakenDatabase($0, event) }
    let container = try DatabaseInterception.$wrap.withValue(wrap) {
      try ModelContainer(
        for: Sailor.self, Officer.self, Ship.self, Bunk.self, Haven.self,
        configurations: ModelConfiguration(url: folder.file()))
    }
    try Self.fill(container)
    // Where a context wins, rows that others have deleted come back.
    let mayReturn = number % 2 == 1
    let policies: [MergePolicy] =
      mayReturn ? [.lastWriterWins, .contextWins, .storeWins] : [.lastWriterWins, .storeWins, .error]
    let log = Log()
    let sides = (0..<3).map { side in
      Side("\(side)", container, SeededGenerator(seed: UInt64(number * 10 + side)), log)
    }
    for step in 0..<120 {
      let other = step / 3 % 2
      let (first, second, third) = (sides[step % 3], sides[(step + 1 + other) % 3], sides[(step + 2 - other) % 3])
      try first.change()
      if first.draw(2) == 0 { try first.change() }
      try second.change()
      let goesFirst = first.draw(3) == 0
      let observer = NotificationCenter.default.addObserver(
        forName: ModelContext.willSave, object: first.context, queue: nil
      ) { _ in
        log.add(first.name, "begins to save")
        if goesFirst { #expect(throws: Never.self) { try second.saveSomehow(policies) } }
      }
      event.set {
        log.add(goesFirst ? second.name : first.name, "has committed")
        if goesFirst { return }
        if third.draw(3) == 0 { try third.look() }
        try second.saveSomehow(policies)
        for _ in 0..<third.draw(3) { try third.look() }
        if first.draw(2) == 0 { try second.look() }
      }
      // With another policy it would have the lock when it has committed, which keeps the second one from it.
      if goesFirst { first.context.mergePolicy = policies[first.draw(policies.count)] }
      try first.save()
      first.context.mergePolicy = .lastWriterWins
      NotificationCenter.default.removeObserver(observer)
      // Where the first one had nothing to save.
      log.add("-", "\(second.name) saves what is left")
      event.set {}
      try second.save()
      let stored = try Side.stored(container)
      for side in sides {
        guard let mistake = side.mistake(stored, mayReturn: mayReturn) else { continue }
        Issue.record(
          """
          \(number), step \(step): \(side.name) \(mistake)
          \(log.lines.suffix(30).joined(separator: "\n"))
          """)
        return
      }
    }
  }
}

private func brief(_ model: any PersistentModel) -> String {
  "\(model.persistentModelID)".replacingOccurrences(of: "PersistentIdentifier", with: "")
}
