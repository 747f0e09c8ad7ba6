import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Model
final class Bookmark {
  struct Trail: Codable, Equatable {
    var name: String
    var steps: [PersistentIdentifier]
  }

  #Unique<Bookmark>([\.number])
  var number: Int
  var last: PersistentIdentifier?
  var all: [PersistentIdentifier] = []
  var trail: Trail?
  var byName: [String: PersistentIdentifier] = [:]

  init(_ number: Int) {
    self.number = number
  }
}

@Suite("Identifiers in attributes")
struct IdentifierAttributeTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    folder = try TemporaryFolder()
    container = try ModelContainer(
      for: Bookmark.self, configurations: ModelConfiguration(url: folder.file()))
    context = ModelContext(container)
    context.autosaveEnabled = false
  }

  private func saved(_ number: Int) throws -> Bookmark {
    try #require(
      try ModelContext(container).fetch(FetchDescriptor<Bookmark>(predicate: #Predicate { $0.number == number })).first)
  }

  @Test("A save replaces temporary identifiers in attributes by permanent ones")
  func savedTogether() throws {
    let (target, holder) = (Bookmark(7), Bookmark(8))
    // Taken before the models are in a context.
    holder.last = target.persistentModelID
    context.insert(holder)
    context.insert(target)
    let other = target.persistentModelID
    holder.all = [other, holder.persistentModelID]
    holder.trail = .init(name: "t", steps: [other])
    holder.byName = ["target": other]
    try context.save()
    let found = try saved(8)
    #expect(found.last == target.persistentModelID)
    #expect(found.all == [target.persistentModelID, holder.persistentModelID])
    #expect(found.trail == .init(name: "t", steps: [target.persistentModelID]))
    #expect(found.byName == ["target": target.persistentModelID])
    let last = try #require(found.last)
    #expect((ModelContext(container).model(for: last) as? Bookmark)?.number == 7)
  }

  @Test("An update replaces the temporary identifier of a model inserted in the same save")
  func updated() throws {
    let holder = Bookmark(8)
    context.insert(holder)
    try context.save()
    let target = Bookmark(7)
    context.insert(target)
    holder.last = target.persistentModelID
    try context.save()
    #expect(try saved(8).last == target.persistentModelID)
  }

  @Test("The identifier of a model that an upsert merges becomes that of the row")
  func mergedTarget() throws {
    let earlier = Bookmark(7)
    context.insert(earlier)
    try context.save()
    let other = ModelContext(container)
    let (target, holder) = (Bookmark(7), Bookmark(8))
    other.insert(target)
    other.insert(holder)
    holder.last = target.persistentModelID
    try other.save()
    #expect(try saved(8).last == earlier.persistentModelID)
  }

  @Test("After a save the models in memory have permanent identifiers, and more can be appended")
  func appended() throws {
    let holder = Bookmark(0)
    context.insert(holder)
    var targets: [Bookmark] = []
    for number in 1...3 {
      let target = Bookmark(number)
      context.insert(target)
      targets.append(target)
      holder.all.append(target.persistentModelID)
      try context.save()
      #expect(!context.hasChanges)
      #expect(holder.all == targets.map(\.persistentModelID))
      #expect(try saved(0).all == holder.all)
    }
    #expect(holder.all.compactMap { (context.model(for: $0) as? Bookmark)?.number } == [1, 2, 3])
  }

  @Test("A temporary identifier of another process is saved unchanged")
  func otherProcess() throws {
    let text = String(decoding: try JSONEncoder().encode(Bookmark(1).persistentModelID), as: UTF8.self)
    // The first half of the key identifies the process.
    let mark = try #require(text.range(of: "\"t"))
    let changed = text.replacing(text[mark.upperBound..<text.index(mark.upperBound, offsetBy: 8)], with: "00000000")
    let foreign = try JSONDecoder().decode(PersistentIdentifier.self, from: Data(changed.utf8))
    #expect(foreign.isTemporary)
    let holder = Bookmark(8)
    holder.all = [foreign]
    context.insert(holder)
    try context.save()
    #expect(try saved(8).all == [foreign])
  }

  @Test("The temporary identifier of a model that is not saved fails the save, which loses nothing")
  func others() throws {
    let stranger = ModelContext(container)
    let target = Bookmark(7)
    stranger.insert(target)
    let holder = Bookmark(8)
    context.insert(holder)
    holder.all = [target.persistentModelID]
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
    #expect(error?.details?.entity == "Bookmark")
    #expect(error?.details?.property == "all")
    #expect(context.hasChanges)
    try stranger.save()
    holder.all = [target.persistentModelID]
    try context.save()
    #expect(try saved(8).all == [target.persistentModelID])
  }
}
