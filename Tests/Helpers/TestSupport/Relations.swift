import Foundation
import Support
import SwiftData
import Testing

// Models for relationship shapes that the library of books lacks.

@Model
final class Citizen {
  var name: String
  @Relationship(inverse: \Passport.holder) var passport: Passport?
  @Relationship(inverse: \Letter.sender) var sent: [Letter] = []
  @Relationship(inverse: \Letter.recipient) var received: [Letter] = []

  init(_ name: String, passport: Passport? = nil) {
    self.name = name
    self.passport = passport
  }
}

@Model
final class Passport {
  var number: Int
  var holder: Citizen?

  init(_ number: Int) {
    self.number = number
  }
}

@Model
final class Letter {
  var text: String
  var sender: Citizen?
  var recipient: Citizen?

  init(_ text: String, from sender: Citizen? = nil, to recipient: Citizen? = nil) {
    self.text = text
    self.sender = sender
    self.recipient = recipient
  }
}

@Model
final class Node {
  var name: String
  var parent: Node?
  @Relationship(deleteRule: .cascade, inverse: \Node.parent) var children: [Node] = []

  init(_ name: String, parent: Node? = nil, children: [Node] = []) {
    self.name = name
    self.parent = parent
    self.children = children
  }
}

@Model
final class Track {
  var title: String

  init(_ title: String) {
    self.title = title
  }
}

/// References its tracks, without an inverse.
@Model
final class Playlist {
  var name: String
  @Relationship(inverse: nil) var tracks: [Track] = []
  @Relationship(inverse: nil) var favourite: Track?

  init(_ name: String) {
    self.name = name
  }
}

func makeContainer(_ types: any PersistentModel.Type...) throws -> ModelContainer {
  try ModelContainer(for: Schema(types), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
}

func makeRelations() throws -> ModelContainer {
  try makeContainer(Citizen.self, Passport.self, Letter.self, Node.self, Track.self, Playlist.self)
}

extension ModelContext {
  /// All models of a type, in the order of a key path.
  func all<Model: PersistentModel, Value: Comparable & Sendable>(
    _ type: Model.Type, by keyPath: any KeyPath<Model, Value> & Sendable
  ) throws -> [Model] {
    try fetch(FetchDescriptor<Model>(sortBy: [SortDescriptor(keyPath)]))
  }

  /// The only model of a type.
  func only<Model: PersistentModel>(_ type: Model.Type) throws -> Model {
    let models = try fetch(FetchDescriptor<Model>())
    guard models.count == 1, let model = models.first else { throw NotOne(count: models.count) }
    return model
  }
}

extension ModelContainer {
  /// A new context. It is retained, because models do not retain theirs: a relationship can only be read while its context
  /// exists. On a server, where tests run one after the other, it is released when a later test makes one: every container has
  /// connections, and looks for changes each second.
  func freshContext() -> ModelContext {
    let context = ModelContext(self)
    let test = PostgresTests.areOn ? Test.current?.id : nil
    let released = RetainedContexts.contexts.withLock { contexts in
      let previous = contexts.filter { $0.test != test }
      contexts.removeAll { $0.test != test }
      contexts.append(RetainedContexts(context: context, test: test))
      return previous
    }
    withExtendedLifetime(released) {}
    return context
  }
}

// Only retains contexts: no test reaches one through this list, hence the unchecked conformance.
private struct RetainedContexts: @unchecked Sendable {
  static let contexts = Mutex<[RetainedContexts]>([])
  let context: ModelContext
  let test: Test.ID?
}

struct NotOne: Error {
  let count: Int
}
