import SwiftData

@testable import TestSupport

/// One context, and what it should hold.
final class GraphSide {
  struct Edit {
    let handle: Int
    let text: String?
    let number: Int?
  }

  let context: ModelContext
  var view: World
  /// Models that the test holds; others are found by their identifiers.
  var live: [Int: any Specimen] = [:]
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

  func settle() {
    edits = []
    hasGraphChanges = false
  }
}

extension ModelContext {
  func all(of kind: Kind) throws -> [any Specimen] {
    func all<Model: Specimen>(_ type: Model.Type) throws -> [any Specimen] {
      try fetch(FetchDescriptor<Model>())
    }
    return try all(kind.type)
  }

  func count(of kind: Kind) throws -> Int {
    func count<Model: Specimen>(_ type: Model.Type) throws -> Int {
      try fetchCount(FetchDescriptor<Model>())
    }
    return try count(kind.type)
  }
}
