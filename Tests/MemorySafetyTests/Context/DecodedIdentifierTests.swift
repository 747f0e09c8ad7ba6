import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Identifiers decoded before their container was made")
struct DecodedIdentifierTests {
  private static func encode(_ identifier: PersistentIdentifier) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(identifier), as: UTF8.self)
  }

  private static func decode(_ text: String) throws -> PersistentIdentifier {
    try JSONDecoder().decode(PersistentIdentifier.self, from: Data(text.utf8))
  }

  /// Expects that two identifiers are equal, have equal hash values and descriptions, and encode alike.
  private static func expectSame(_ left: PersistentIdentifier, _ right: PersistentIdentifier) throws {
    #expect(left == right && right == left)
    #expect(left.id == right.id)
    #expect(left.hashValue == right.hashValue)
    #expect(Set([left, right]).count == 1)
    #expect([left: 1][right] == 1 && [right: 1][left] == 1)
    #expect(!(left < right) && !(right < left))
    #expect(left.entityName == right.entityName)
    #expect(left.storeIdentifier == right.storeIdentifier)
    #expect(left.isTemporary == right.isTemporary)
    #expect(left.debugDescription == right.debugDescription)
    #expect(try encode(left) == encode(right))
  }

  @Test("A decoded identifier keeps its key for unsaved models unchanged, whatever the key is")
  func temporaryKeys() {
    for key in [-2, -5, .min + 1] as [Int64] {
      #expect(TemporaryKey.key(forText: TemporaryKey.text(for: key)) == key)
    }
    #expect(TemporaryKey.key(forText: TemporaryKey.text(for: .min)) == nil)
  }

  @Test("A decoded identifier equals the container's identifier and finds the same model")
  func equality() async throws {
    let folder = try TemporaryFolder()
    let filling = ModelContext(try ModelContainer(for: Tag.self, configurations: .init(url: folder.file())))
    let tags = ["a", "b", "c"].map { Tag($0) }
    for tag in tags { filling.insert(tag) }
    try filling.save()
    let texts = try tags.map { try DecodedIdentifierTests.encode($0.persistentModelID) }
    await #expect(processExitsWith: .success) { [path = folder.file().path as String, texts = texts as [String]] in
      let decoded = try texts.map { try DecodedIdentifierTests.decode($0) }
      #expect(decoded.allSatisfy { $0.id.parts != nil })
      let early = Set(decoded)
      let container = try ModelContainer(
        for: Author.self, Book.self, Tag.self, configurations: .init(url: URL(fileURLWithPath: path)))
      let context = ModelContext(container)
      #expect((context.model(for: decoded[1]) as? Tag)?.word == "b")
      let tags = try context.fetch(FetchDescriptor<Tag>(sortBy: [SortDescriptor(\.word)]))
      for (tag, identifier) in zip(tags, decoded) {
        try DecodedIdentifierTests.expectSame(identifier, tag.persistentModelID)
        let again = try DecodedIdentifierTests.decode(DecodedIdentifierTests.encode(identifier))
        try DecodedIdentifierTests.expectSame(identifier, again)
        #expect(early.contains(tag.persistentModelID))
        #expect(context.registeredModel(for: identifier) as Tag? === tag)
        #expect(context.model(for: identifier) === tag)
        let isIt = #Predicate<Tag> { $0.persistentModelID == identifier }
        #expect(try context.fetch(FetchDescriptor(predicate: isIt)).first === tag)
        #expect(try isIt.evaluate(tag))
      }
      let given = tags.map(\.persistentModelID)
      for left in decoded {
        for right in given { #expect((left < right) == (right > left)) }
      }
      #expect([decoded[2], given[0], decoded[1]].sorted() == given)
      let (list, set) = (Array(decoded[1...]), Set(decoded[..<2]))
      let isInList = #Predicate<Tag> { list.contains($0.persistentModelID) }
      let isInSet = #Predicate<Tag> { set.contains($0.persistentModelID) }
      #expect(try context.fetchCount(FetchDescriptor(predicate: isInList)) == 2)
      #expect(try context.fetchCount(FetchDescriptor(predicate: isInSet)) == 2)
      let actor = TagActor(modelContainer: container)
      #expect(await actor.word(of: decoded[2]) == "c")
    }
  }

  @Test(
    "A decoded identifier finds the model of a custom store, whatever the store's keys are",
    arguments: UnreliableConfiguration.Keys.allCases)
  func customStores(keys: UnreliableConfiguration.Keys) async {
    await #expect(processExitsWith: .success) { [keys = keys as UnreliableConfiguration.Keys] in
      let key = keys == .numbers ? "p1" : "row 1"
      let decoded = try DecodedIdentifierTests.decode(
        #"{"implementation":{"primaryKey":"\#(key)","entityName":"Tag","storeIdentifier":"unreliable"}}"#)
      let container = try ModelContainer(
        for: Author.self, Book.self, Tag.self, configurations: UnreliableConfiguration(keys: keys))
      let filling = ModelContext(container)
      let tag = Tag("a")
      filling.insert(tag)
      try filling.save()
      try DecodedIdentifierTests.expectSame(decoded, tag.persistentModelID)
      #expect(filling.model(for: decoded) === tag)
      let context = ModelContext(container)
      #expect((context.model(for: decoded) as? Tag)?.word == "a")
    }
  }
}
