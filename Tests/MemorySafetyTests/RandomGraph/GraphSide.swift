import SwiftData

@testable import TestSupport

/// A context and its expected contents.
final class GraphSide {
  struct Edit {
    let handle: Int
    let text: String?
    let number: Int?
  }

  let context: ModelContext
  var view: World
  /// Models that the test retains; others are found by their identifiers.
  var live: [Int: any GraphModel] = [:]
  /// The attributes that were set since the last save.
  var edits: [Edit] = []
  /// Whether more than attributes changed since the last save.
  var hasGraphChanges = false

  init(_ container: ModelContainer, _ view: World) {
    context = ModelContext(container)
    self.view = view
  }

  var isClean: Bool {
    !view.hasChanges && view.perhapsChanged.isEmpty
  }

  func clearEdits() {
    edits = []
    hasGraphChanges = false
  }
}

extension ModelContext {
  func all(of kind: Kind) throws -> [any GraphModel] {
    func all<Model: GraphModel>(_ type: Model.Type) throws -> [any GraphModel] {
      try fetch(FetchDescriptor<Model>())
    }
    return try all(kind.type)
  }

  func count(of kind: Kind) throws -> Int {
    func count<Model: GraphModel>(_ type: Model.Type) throws -> Int {
      try fetchCount(FetchDescriptor<Model>())
    }
    return try count(kind.type)
  }
}
