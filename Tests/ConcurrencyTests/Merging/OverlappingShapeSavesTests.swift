import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

// Relationship shapes that the library of books lacks: one-to-one, one-way, and within one class.

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
  var port: Haven?

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
  @Relationship(inverse: \Ship.port) var moored: [Ship] = []

  init(_ name: String) {
    self.name = name
  }
}

/// The random program of the books' tests, with other shapes of relationships, policies, transactions, rollbacks and batch
/// updates.
@Suite("Random overlapping saves of all relationship shapes")
struct OverlappingShapeSavesTests {
  private final class Writer: RandomWriter, @unchecked Sendable {
    override class var types: [any PersistentModel.Type] {
      [Sailor.self, Officer.self, Ship.self, Bunk.self, Haven.self]
    }

    override class func fill(_ context: ModelContext) {
      for number in 0..<6 {
        let ship = Ship("\(number)")
        context.insert(ship)
        ship.crew = [Sailor(number * 10), Officer(officer: number * 10 + 1), Sailor(number * 10 + 2)]
        let haven = Haven("\(number)")
        context.insert(haven)
        ship.havens = [haven]
        ship.home = haven
        ship.port = haven
        let bunk = Bunk(number)
        context.insert(bunk)
        bunk.sailor = ship.crew.first
      }
    }

    override func change() throws {
      let kind = draw(18)
      log.add(name, "changes in way \(kind)")
      switch kind {
      case 0: try insert()
      case 1: try insertTwin()
      case 2, 3: try randomModel(Sailor.self)?.ship = randomModelOrNil(Ship.self)
      case 4: try changeCrew()
      case 5, 6: try changeFriends()
      case 7: try randomModel(Sailor.self)?.bunk = randomModelOrNil(Bunk.self)
      case 8: try randomModel(Bunk.self)?.sailor = randomModelOrNil(Sailor.self)
      case 9: try changeHavens()
      case 10:
        if draw(2) == 0 {
          try randomModel(Ship.self)?.home = randomModelOrNil(Haven.self)
        } else {
          try randomModel(Ship.self)?.port = randomModelOrNil(Haven.self)
        }
      case 11: try randomModel(Officer.self)?.flagship = randomModelOrNil(Ship.self)
      case 12: try deleteOne(Sailor.self)
      case 13: try deleteOne(Ship.self)
      case 14: if draw(2) == 0 { try deleteOne(Haven.self) } else { try deleteOne(Bunk.self) }
      case 15: try randomModel(Sailor.self)?.rank += 1
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
        let number = drawNew()
        let sailor: Sailor = draw(3) == 0 ? Officer(officer: number) : Sailor(number)
        context.insert(sailor)
        sailor.ship = try randomModelOrNil(Ship.self)
      }
    }

    /// Inserts a model that updates an existing row.
    private func insertTwin() throws {
      guard let number = try randomModel(Sailor.self)?.number else { return }
      let twin = Sailor(number)
      twin.rank = draw(10)
      context.insert(twin)
      twin.ship = try randomModelOrNil(Ship.self)
    }

    private func changeCrew() throws {
      guard let ship = try randomModel(Ship.self) else { return }
      switch draw(3) {
      case 0: ship.crew.reverse()
      case 1: if !ship.crew.isEmpty { ship.crew.removeLast() }
      default:
        guard let sailor = try randomModel(Sailor.self), !ship.crew.contains(where: { $0 === sailor }) else { return }
        ship.crew.append(sailor)
      }
    }

    private func changeFriends() throws {
      guard let sailor = try randomModel(Sailor.self), let friend = try randomModel(Sailor.self), friend !== sailor
      else { return }
      if let place = sailor.friends.firstIndex(where: { $0 === friend }) {
        sailor.friends.remove(at: place)
      } else if draw(2) == 0 {
        sailor.friends.append(friend)
      } else {
        friend.followers.append(sailor)
      }
    }

    private func changeHavens() throws {
      guard let ship = try randomModel(Ship.self), let haven = try randomModel(Haven.self) else { return }
      if draw(4) == 0 {
        ship.havens.reverse()
      } else if let place = ship.havens.firstIndex(where: { $0 === haven }) {
        ship.havens.remove(at: place)
      } else {
        ship.havens.append(haven)
      }
    }

    private func changeMany() throws {
      let rank = draw(10)
      if draw(3) == 0 {
        try context.delete(model: Sailor.self, where: #Predicate { $0.rank == rank })
      } else {
        try context.update(Sailor.self, where: #Predicate { $0.rank > rank }) { $0.set(\.rank, to: rank) }
      }
    }

    override func readSomething() throws {
      let kind = draw(6)
      log.add(name, "reads in way \(kind)")
      switch kind {
      case 0: context.processPendingChanges()
      case 1: _ = try context.fetch(FetchDescriptor<Sailor>())
      case 2: _ = try randomModel(Sailor.self).map(Self.summary)
      case 3: _ = try randomModel(Ship.self).map(Self.summary)
      case 4: _ = try randomModel(Bunk.self).map(Self.summary)
      default: _ = try randomModel(Sailor.self)?.rank
      }
    }

    override class func summary(of model: any PersistentModel) -> String {
      switch model {
      case let sailor as Sailor:
        let flagship = (sailor as? Officer)?.flagship
        let targets: [(any PersistentModel)?] = [sailor.ship, sailor.bunk, flagship]
        let toOnes = targets.map { $0.map(Self.shortIdentifier) }
        let friends = sailor.friends.map(Self.shortIdentifier)
        return "\(sailor.rank) \(toOnes) \(friends) \(sailor.followers.map(Self.shortIdentifier))"
      case let ship as Ship:
        let home = ship.home.map(Self.shortIdentifier) ?? "nowhere"
        let port = ship.port.map(Self.shortIdentifier) ?? "at sea"
        return "\(ship.crew.map(Self.shortIdentifier)) \(ship.havens.map(Self.shortIdentifier)) \(home) \(port)"
      case let bunk as Bunk: return bunk.sailor.map(Self.shortIdentifier) ?? ""
      case let haven as Haven: return "\(haven.name) \(haven.moored.map(Self.shortIdentifier))"
      default: return ""
      }
    }
  }

  @Test("Each context's sailors and ships equal the store", arguments: 0..<TestOptions.programs)
  func program(number: Int) throws {
    let policies: [MergePolicy] =
      number % 2 == 0 ? [.lastWriterWins, .storeWins, .throwOnConflict] : [.lastWriterWins, .contextWins, .storeWins]
    try OverlappingSaveProgram<Writer>(
      number: number, policies: policies, insertsAgain: number % 3 == 1, refreshes: number % 5 > 2
    ).run()
  }
}
