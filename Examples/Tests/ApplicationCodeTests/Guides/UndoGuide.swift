import Foundation
import SwiftData

// The code of a guide, with declarations of the names that it uses. It is compiled, and not run.

enum UndoGuide {
  @Model
  final class Trip {
    var name: String
    var days = 0

    init(name: String) { self.name = name }
  }

  @Model
  final class Entry {
    var line: String

    init(_ line: String) { self.line = line }
  }

  @ModelActor
  actor Archive {}

  @MainActor
  static func change(_ container: ModelContainer) {
    let context = container.mainContext
    context.undoManager = UndoManager()

    let trip = Trip(name: "Coast")
    context.insert(trip)
    trip.days = 3

    context.undoManager?.undo()  // the trip is not there
    context.undoManager?.redo()  // the trip is there, with three days
  }

  static func group(_ context: ModelContext, _ lines: [String]) {
    let manager = UndoManager()
    manager.groupsByEvent = false
    context.undoManager = manager

    manager.beginUndoGrouping()
    manager.setActionName("Import")
    for line in lines { context.insert(Entry(line)) }
    manager.endUndoGrouping()

    print(manager.undoMenuItemTitle)  // Undo Import

    manager.levelsOfUndo = 100
  }
}

private typealias Archive = UndoGuide.Archive

extension Archive {  // an actor with the macro ModelActor
  func move(_ items: [PersistentIdentifier], to list: PersistentIdentifier) {
    // … change the models …
    modelContext.processPendingChanges()
  }
}
