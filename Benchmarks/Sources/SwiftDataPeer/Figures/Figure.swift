package import Timing
package import Workload

/// The measurements of this library without peers. Each runs in its own process.
package enum Figure: String, CaseIterable, Codable, Sendable {
  case openingFew = "cold open of a container with 5 entities"
  case openingMany = "cold open of a container with 100 entities"
  case newPredicate = "predicate translation, cold"
  case knownPredicate = "predicate translation, warm"
  case heldMemory = "memory of a held object"
  case savingUnregistered = "save of one insert, nothing registered"
  case savingBesideSome = "save of one insert, 10 k registered"
  case savingBesideMany = "save of one insert, 100 k registered"
  case transaction = "what a transaction adds to a save of one change"
  case textIndex = "#Index on a text, for each inserted row"
  case firstObject = "first object of a fetch with limit 1 in 100 k"
  case growth = "growth exponent of fetch all, 10 k to 1 M"
  case appendGrowth = "growth exponent of appending members one by one, 1 k to 10 k"
  case enumeratedMemory = "more memory for 1 M rows enumerated than for 100 k"
  case merging = "a commit of one change seen by ten contexts with 10 k objects each, beyond reading the row"
  case fewMembers = "a to-many of ten that gains one by another context's save"
  case manyMembers = "a to-many of a million that gains one by another context's save"
  case busyMemory = "more memory after 200 k saves than after 20 k, main context idle"
  case addingColumn = "migration: a property with a default value, 1 M rows"
  case renamingColumn = "migration: a renamed property, 1 M rows"
  case rebuildingTable = "migration: a property that becomes optional, 1 M rows, beside SQL by hand"
  case mappingModels = "migration: a stage through the models of 1 M rows, beside SQL by hand"
  case mappingRows = "migration: a stage through the models of 1 M rows, beside C row by row"
  case lastTransaction = "history: last transaction of a million"

  package var unit: Unit {
    switch self {
    case .openingFew, .openingMany, .addingColumn, .renamingColumn: .milliseconds
    case .newPredicate, .knownPredicate, .savingUnregistered, .savingBesideSome, .savingBesideMany, .transaction,
      .textIndex, .firstObject, .lastTransaction, .merging, .fewMembers, .manyMembers:
      .microseconds
    case .heldMemory: .bytes
    case .enumeratedMemory, .busyMemory: .megabytes
    case .growth, .appendGrowth, .rebuildingTable, .mappingModels, .mappingRows: .none
    }
  }

  /// Whether it takes many seconds and has a stable result, so that one run is enough.
  package var isLong: Bool {
    self == .manyMembers || self == .busyMemory || isSeldomTaken
  }

  /// Whether a quick run skips it unless it is named.
  package var isSeldomTaken: Bool {
    [.addingColumn, .renamingColumn, .rebuildingTable, .mappingModels, .mappingRows].contains(self)
  }

  /// Whether it uses the store with a million items.
  package var needsManyItems: Bool {
    self == .growth || self == .enumeratedMemory
  }

  /// Whether it uses the store with a history of a million transactions.
  package var needsManyTransactions: Bool {
    self == .lastTransaction
  }

  /// Measures the figure once, in its unit.
  package func measure(in folder: StoreFolder) throws -> Double {
    switch self {
    case .openingFew: try ColdOpen.few.measure(in: folder) * 1e3
    case .openingMany: try ColdOpen.many.measure(in: folder) * 1e3
    case .newPredicate: try PredicateCost(folder).measureFirst() * 1e6
    case .knownPredicate: try PredicateCost(folder).measureLater() * 1e6
    case .heldMemory: try HeldMemory(folder).measure()
    case .savingUnregistered: try SaveCost(folder, registered: 0).measure() * 1e6
    case .savingBesideSome: try SaveCost(folder, registered: 10_000).measure() * 1e6
    case .savingBesideMany: try SaveCost(folder, registered: 100_000).measure() * 1e6
    case .transaction: try TransactionCost(folder).measure() * 1e6
    case .textIndex: try TextIndexCost(folder).measure() * 1e6
    case .firstObject: try FirstObject(folder).measure() * 1e6
    case .growth: try Growth(folder).measure()
    case .appendGrowth: try AppendGrowth(folder).measure()
    case .enumeratedMemory: try EnumeratedMemory(folder).measure()
    case .merging: try MergeCost(folder).measure() * 1e6
    case .fewMembers: try ListGain(folder, memberCount: 10).measure() * 1e6
    case .manyMembers: try ListGain(folder, memberCount: 1_000_000).measure() * 1e6
    case .busyMemory: try MainActor.assumeIsolated { try BusyMemory(folder).measure() }
    case .addingColumn: try MigrationCost(folder: folder, change: .addition).measureLibrary() * 1e3
    case .renamingColumn: try MigrationCost(folder: folder, change: .renaming).measureLibrary() * 1e3
    case .rebuildingTable: try MigrationCost(folder: folder, change: .rebuilding).measureBesideSQL()
    case .mappingModels: try MigrationCost(folder: folder, change: .mapping).measureBesideSQL()
    case .mappingRows: try MigrationCost(folder: folder, change: .mapping).measureBesideRows()
    case .lastTransaction: try LastTransaction(folder).measure() * 1e6
    }
  }
}
