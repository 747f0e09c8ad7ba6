import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

enum OrderedCars {
  @Model
  final class Wagon {
    var number: Int
    var train: Train?

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Train {
    var name: String
    @Relationship(inverse: \Wagon.train) var wagons: [Wagon] = []

    init(_ name: String) {
      self.name = name
    }
  }
}

enum ToOneCars {
  @Model
  final class Wagon {
    var number: Int
    var train: Train?

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Train {
    var name: String

    init(_ name: String) {
      self.name = name
    }
  }
}

enum UnlinkedCars {
  @Model
  final class Wagon {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  typealias Train = ToOneCars.Train
}

@Suite("The order of a removed and restored to-many")
struct ArchivedOrderTests {
  enum Step: CaseIterable {
    case toOne, unlinked

    fileprivate var models: [any PersistentModel.Type] {
      switch self {
      case .toOne: [ToOneCars.Wagon.self, ToOneCars.Train.self]
      case .unlinked: [UnlinkedCars.Wagon.self, UnlinkedCars.Train.self]
      }
    }
  }

  @Test(
    "Members are restored in their order",
    arguments: Step.allCases)
  func restoredOrder(step: Step) throws {
    let store = try MigratingStore()
    let models: [any PersistentModel.Type] = [OrderedCars.Wagon.self, OrderedCars.Train.self]
    let context = try store.open(models).freshContext()
    context.autosaveEnabled = false
    let wagons = (1...3).map { OrderedCars.Wagon($0) }
    for wagon in wagons {
      context.insert(wagon)
      try context.save()
    }
    let train = OrderedCars.Train("t")
    context.insert(train)
    train.wagons = [wagons[2], wagons[0], wagons[1]]
    try context.save()
    _ = try store.open(step.models)
    let back = try store.open(models).freshContext()
    #expect(try back.only(OrderedCars.Train.self).wagons.map(\.number) == [3, 1, 2])
    #expect(try store.texts("SELECT name FROM sqlite_schema WHERE name LIKE 'swiftdata\\_kept%' ESCAPE '\\'") == [])
  }
}
