import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Model
final class Gadget {
  @Attribute(.unique) var serial: String
  @Attribute(.ephemeral) var selected = false
  @Attribute(.ephemeral) var comment: String?
  @Attribute(hashModifier: "2") var title = ""
  @Transient var cache = 5
  @Transient var closure: (() -> Int)?
  let made: Date
  let suit: Suit
  let label: String?
  var address = Structures.plain
  var tags: [String] = []

  init(serial: String, made: Date = Date(timeIntervalSinceReferenceDate: 0.5), label: String? = nil) {
    self.serial = serial
    self.made = made
    self.suit = .clubs
    self.label = label
  }
}

@Suite("Attribute options")
struct AttributeOptionTests {
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Gadget.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
    context.autosaveEnabled = false
  }

  private func stored() throws -> Gadget {
    try #require(try ModelContext(container).fetch(FetchDescriptor<Gadget>()).first)
  }

  private func insert(_ gadget: Gadget) throws -> Gadget {
    context.insert(gadget)
    try context.save()
    return gadget
  }

  @Test("A change of an ephemeral value is tracked, kept in memory and not stored")
  func ephemeralValueTracked() throws {
    let gadget = try insert(Gadget(serial: "1"))
    gadget.selected = true
    gadget.comment = "here"
    #expect(context.hasChanges)
    #expect(gadget.hasChanges)
    try context.save()
    #expect(gadget.selected)
    #expect(gadget.comment == "here")
    #expect(try !stored().selected)
    #expect(try stored().comment == nil)
  }

  @Test("Rollback restores an ephemeral value")
  func rollbackEphemeral() throws {
    let gadget = try insert(Gadget(serial: "1"))
    gadget.selected = true
    context.rollback()
    #expect(!gadget.selected)
  }

  @Test("A transient value is neither tracked nor stored")
  func transientValue() throws {
    let gadget = try insert(Gadget(serial: "1"))
    gadget.cache = 9
    gadget.closure = { 3 }
    #expect(!context.hasChanges)
    gadget.title = "x"
    try context.save()
    #expect(gadget.cache == 9)
    #expect(gadget.closure?() == 3)
    #expect(try stored().cache == 5)
    #expect(try stored().closure == nil)
  }

  @Test("A constant is stored and read again", arguments: [nil, "label"])
  func constantIsReadAgain(label: String?) throws {
    let made = Date(timeIntervalSinceReferenceDate: 123.456)
    _ = try insert(Gadget(serial: "1", made: made, label: label))
    #expect(try stored().made == made)
    #expect(try stored().suit == .clubs)
    #expect(try stored().label == label)
  }

  @Test("A repeated unique value updates the row that has it")
  func repeatedUniqueValue() throws {
    let first = try insert(Gadget(serial: "1"))
    let second = Gadget(serial: "1")
    second.title = "second"
    context.insert(second)
    #expect(try context.fetchCount(FetchDescriptor<Gadget>()) == 2)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Gadget>()) == 1)
    #expect(first.title == "second")
    #expect(try stored().title == "second")
  }

  @Test("A change inside a struct marks its model changed")
  func changeInsideStruct() throws {
    let gadget = try insert(Gadget(serial: "1"))
    gadget.address.street = "Elm"
    #expect(context.hasChanges)
    #expect(context.changedModelsArray.map(\.persistentModelID) == [gadget.persistentModelID])
    try context.save()
    gadget.address.place.latitude = 3
    gadget.tags.append("new")
    try context.save()
    #expect(try stored().address.street == "Elm")
    #expect(try stored().address.place.latitude == 3)
    #expect(try stored().tags == ["new"])
    gadget.address.notes.append(nil)
    context.rollback()
    #expect(gadget.address.notes == [])
  }

  @Test("A struct whose encoding its decoding does not accept fails the save, and the error names the property")
  func structWrittenOtherwise() throws {
    let container = try ModelContainer(
      for: Crooked.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(Crooked())
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
    #expect(error?.details?.property == "value")
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Crooked>()) == 0)
  }
}

/// Decodes keys, but encodes one text.
struct Lopsided: Codable {
  var name = ""

  enum CodingKeys: CodingKey {
    case name
  }

  init() {}

  init(from decoder: any Decoder) throws {
    name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

@Model
final class Crooked {
  var value = Lopsided()

  init() {}
}
