import Foundation
import SwiftData

// Models for the tests of history: a trip with relationships of every shape, and vehicles that inherit.

@Model
final class LoggedTrip {
  @Attribute(.preserveValueOnDeletion) var name: String
  var destination = ""
  var days = 1
  @Attribute(.externalStorage) var picture: Data?
  var lodging: LoggedLodging?
  @Relationship(deleteRule: .cascade, inverse: \LoggedStage.trip) var stages: [LoggedStage] = []
  @Relationship(inverse: \LoggedLabel.trips) var labels: [LoggedLabel] = []
  @Relationship(inverse: \LoggedVehicle.trips) var vehicle: LoggedVehicle?
  @Relationship(inverse: nil) var guide: LoggedGuide?
  @Relationship(inverse: nil) var sights: [LoggedSight] = []

  init(_ name: String, days: Int = 1) {
    self.name = name
    self.days = days
  }
}

extension LoggedTrip {
  /// Changes the days of the only trip of a store, as another process does.
  static func lengthen(at path: String) throws {
    let container = try ModelContainer(
      for: LoggedTrip.self, configurations: ModelConfiguration(url: URL(fileURLWithPath: path)))
    let context = ModelContext(container)
    try context.only(LoggedTrip.self).days = 9
    try context.save()
  }
}

@Model
final class LoggedLodging {
  @Attribute(.preserveValueOnDeletion) var address: String
  @Relationship(inverse: \LoggedTrip.lodging) var trip: LoggedTrip?

  init(_ address: String) {
    self.address = address
  }
}

@Model
final class LoggedStage {
  var name: String
  var length = 0
  var trip: LoggedTrip?

  init(_ name: String, of trip: LoggedTrip? = nil) {
    self.name = name
    self.trip = trip
  }
}

@Model
final class LoggedLabel {
  @Attribute(.unique) var word: String
  var colour: String
  var trips: [LoggedTrip] = []

  init(_ word: String, colour: String = "grey") {
    self.word = word
    self.colour = colour
  }
}

/// Has no inverse.
@Model
final class LoggedGuide {
  var name: String

  init(_ name: String) {
    self.name = name
  }
}

/// Has no inverse.
@Model
final class LoggedSight {
  var name: String

  init(_ name: String) {
    self.name = name
  }
}

@Model
class LoggedVehicle {
  @Attribute(.preserveValueOnDeletion) var plate: String
  var wheels = 4
  var trips: [LoggedTrip] = []

  init(plate: String) {
    self.plate = plate
  }
}

@Model
final class LoggedTruck: LoggedVehicle {
  @Attribute(.preserveValueOnDeletion) var load: Int
  var colour = "red"

  init(plate: String, load: Int) {
    self.load = load
    super.init(plate: plate)
  }
}

/// A store of the models above, in a folder of its own, and a context.
struct LoggedStore {
  static let models: [any PersistentModel.Type] = [
    LoggedTrip.self, LoggedLodging.self, LoggedStage.self, LoggedLabel.self, LoggedGuide.self, LoggedSight.self,
    LoggedVehicle.self, LoggedTruck.self,
  ]

  let folder: TemporaryFolder
  let container: ModelContainer
  let context: ModelContext

  var url: URL { folder.file() }

  init(isStoredInMemoryOnly: Bool = false, options: ModelConfiguration.StoreOptions = .init()) throws {
    folder = try TemporaryFolder()
    if isStoredInMemoryOnly {
      container = try ModelContainer(
        for: Schema(Self.models), configurations: ModelConfiguration(isStoredInMemoryOnly: true, options: options))
    } else {
      container = try Self.open(folder.file(), options: options)
    }
    context = ModelContext(container)
  }

  static func open(_ url: URL, options: ModelConfiguration.StoreOptions = .init()) throws -> ModelContainer {
    try ModelContainer(for: Schema(models), configurations: ModelConfiguration(url: url, options: options))
  }

  /// Another container of the same file.
  func reopen(options: ModelConfiguration.StoreOptions = .init()) throws -> ModelContainer {
    try Self.open(url, options: options)
  }

  func insert(_ models: any PersistentModel...) {
    for model in models { context.insertLogged(model) }
  }

  /// The transactions that `work` adds to the history.
  func transactions(by work: () throws -> Void) throws -> [DefaultHistoryTransaction] {
    let last = try container.logged().last?.token
    try work()
    return try container.logged(after: last)
  }

  /// The only transaction that `work`, and a save after it, add to the history.
  func transaction(by work: () throws -> Void) throws -> DefaultHistoryTransaction {
    try transaction(of: context, by: work)
  }

  /// The same for another context.
  func transaction(of context: ModelContext, by work: () throws -> Void) throws -> DefaultHistoryTransaction {
    let found = try transactions {
      try work()
      try context.save()
    }
    guard found.count == 1, let transaction = found.first else { throw NotOne(count: found.count) }
    return transaction
  }
}

extension ModelContext {
  func insertLogged(_ model: some PersistentModel) {
    insert(model)
  }

  /// The transactions after a token; all of them without one.
  func logged(after token: DefaultHistoryToken? = nil) throws -> [DefaultHistoryTransaction] {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    if let token { descriptor.predicate = #Predicate { $0.token > token } }
    return try fetchHistory(descriptor)
  }
}

extension ModelContainer {
  /// The transactions after a token; all of them without one.
  func logged(after token: DefaultHistoryToken? = nil) throws -> [DefaultHistoryTransaction] {
    try ModelContext(self).logged(after: token)
  }
}
