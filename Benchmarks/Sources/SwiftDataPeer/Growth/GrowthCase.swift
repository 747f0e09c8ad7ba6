import Foundation
import SwiftData

/// Work whose time should not grow faster than its size.
package enum GrowthCase: String, CaseIterable {
  case insertFirst = "insert(_:at: 0), n times, unsaved"
  case removeFirst = "removeFirst(), n times"
  case insertFirstAndSave = "insert(_:at: 0) into a list of n and save, 100 times"
  case linkBothSides = "child.parent = p; p.children.append(child), n times"
  case findOrInsert = "a fetch by a value and an insertion, n times"
  case fetchBesideChanges = "a fetch of one beside n changes, n times"
  case transactions = "a transaction beside another context's save, n held, 100 times"
  case undoGroups = "an undo group of one append, n times"
  case undoing = "undo and redo of n groups of one append"
  case contexts = "a context with an unsaved change, n times"
  case manyToMany = "a save of 5 n many-to-many links"
  case release = "release of a context with n unsaved models in a list"

  package static let sizes = [1000, 4000, 16_000]

  /// Prepares the work and runs it.
  ///
  /// - Returns: The seconds of the work without the preparation.
  package func seconds(_ size: Int) throws -> Double {
    let container = try ModelContainer(
      for: GrowthShelf.self, GrowthBook.self, GrowthLabel.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.autosaveEnabled = false
    let shelf = GrowthShelf("")
    context.insert(shelf)
    switch self {
    case .insertFirst:
      return measured { for number in 0..<size { shelf.books.insert(GrowthBook(number), at: 0) } }
    case .removeFirst:
      shelf.books = (0..<size).map(GrowthBook.init)
      try context.save()
      return measured { for _ in 0..<size { shelf.books.removeFirst() } }
    case .insertFirstAndSave:
      shelf.books = (0..<size).map(GrowthBook.init)
      try context.save()
      return try measured {
        for number in 0..<100 {
          shelf.books.insert(GrowthBook(number), at: 0)
          try context.save()
        }
      }
    case .linkBothSides:
      return measured {
        for number in 0..<size {
          let book = GrowthBook(number)
          book.shelf = shelf
          shelf.books.append(book)
        }
      }
    case .findOrInsert:
      return try measured {
        for number in 0..<size {
          let descriptor = FetchDescriptor<GrowthBook>(predicate: #Predicate { $0.number == number })
          if try context.fetch(descriptor).isEmpty { context.insert(GrowthBook(number)) }
        }
      }
    case .fetchBesideChanges:
      for number in 0..<size { context.insert(GrowthBook(number)) }
      try context.save()
      for book in try context.fetch(FetchDescriptor<GrowthBook>()) { book.title = "changed" }
      var one = FetchDescriptor<GrowthBook>()
      one.fetchLimit = 1
      return try measured { for _ in 0..<size { _ = try context.fetch(one) } }
    case .transactions:
      for number in 0..<size { context.insert(GrowthBook(number)) }
      try context.save()
      let other = ModelContext(container)
      let (mine, others) = (
        try context.fetch(FetchDescriptor<GrowthBook>()), try other.fetch(FetchDescriptor<GrowthBook>())
      )
      return try measured {
        for number in 0..<100 {
          others[number].title = "\(number)"
          try other.save()
          try context.transaction { mine[number + 100].title = "\(number)" }
        }
      }
    case .undoGroups:
      let manager = undoManager(of: context)
      try context.save()
      return measured { append(size, to: shelf, in: manager) }
    case .undoing:
      let manager = undoManager(of: context)
      try context.save()
      append(size, to: shelf, in: manager)
      return measured {
        for _ in 0..<size { manager.undo() }
        for _ in 0..<size { manager.redo() }
      }
    case .contexts:
      return measured {
        var held: [ModelContext] = []
        for number in 0..<size {
          let context = ModelContext(container)
          context.autosaveEnabled = false
          context.insert(GrowthBook(number))
          held.append(context)
        }
        held = []
      }
    case .manyToMany:
      let labels = (0..<20).map { GrowthLabel("\($0)") }
      for label in labels { context.insert(label) }
      for number in 0..<size {
        let book = GrowthBook(number)
        context.insert(book)
        book.labels = (0..<5).map { labels[(number + $0) % 20] }
      }
      return try measured { try context.save() }
    case .release: return released(size, container)
    }
  }

  private func undoManager(of context: ModelContext) -> UndoManager {
    let manager = UndoManager()
    manager.groupsByEvent = false
    context.undoManager = manager
    return manager
  }

  /// Appends books one by one, each in its own group.
  private func append(_ count: Int, to shelf: GrowthShelf, in manager: UndoManager) {
    for number in 0..<count {
      manager.beginUndoGrouping()
      shelf.books.append(GrowthBook(number))
      shelf.modelContext?.processPendingChanges()
      manager.endUndoGrouping()
    }
  }

  private func released(_ size: Int, _ container: ModelContainer) -> Double {
    var context: ModelContext? = ModelContext(container)
    context?.autosaveEnabled = false
    var shelf: GrowthShelf? = GrowthShelf("")
    shelf.map { context?.insert($0) }
    for number in 0..<size { shelf?.books.append(GrowthBook(number)) }
    return measured {
      context = nil
      shelf = nil
    }
  }

  private func measured(_ body: () throws -> Void) rethrows -> Double {
    let duration = try ContinuousClock().measure(body)
    return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }
}
