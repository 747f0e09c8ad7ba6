import Foundation
import SwiftData
import Testing

@testable import TestSupport

/// Decodes only what it encoded itself.
enum Seal: Codable, Equatable {
  case number(String)

  struct Broken: Error {}

  init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard text.hasPrefix("seal-") else { throw Broken() }
    self = .number(String(text.dropFirst(5)))
  }

  func encode(to encoder: any Encoder) throws {
    guard case .number(let number) = self else { return }
    var container = encoder.singleValueContainer()
    try container.encode("seal-\(number)")
  }
}

/// Has values of types without a placeholder value.
@Model
final class Deed {
  let first: Seal
  var second: Seal
  @Attribute(.transformable(by: ReversingTransformer.self)) var text: Reversed

  init(_ number: Int, _ text: String) {
    first = .number("\(number)")
    second = .number("\(number)")
    self.text = Reversed(text)
  }
}

@Suite("Fallback values of types without a placeholder value, where there is no row", .serialized)
struct FallbackValueTests {
  @Test("The fallback for a missing row is a value of the same type from another row")
  func vanished() throws {
    let container = try makeContainer(Deed.self)
    let context = ModelContext(container)
    let deeds = [Deed(1, "a"), Deed(2, "b")]
    for deed in deeds { context.insert(deed) }
    try context.save()
    let identifier = deeds[0].persistentModelID
    context.delete(deeds[0])
    try context.save()
    #expect(deeds[0].second == .number("1") && deeds[0].text.text == "a")
    let ghost = try #require(ModelContext(container).model(for: identifier) as? Deed)
    // The process keeps the first values of a type, and the other test saves one too.
    let known: [Seal] = [.number("1"), .number("2"), .number("7")]
    #expect(known.contains(ghost.first) && known.contains(ghost.second))
    #expect(["a", "b", "x"].contains(ghost.text.text))
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Deed>()) == 1)
  }

  @Test("A row that exists is never read as a fallback value")
  func present() throws {
    let container = try makeContainer(Deed.self)
    let context = ModelContext(container)
    let deed = Deed(7, "x")
    context.insert(deed)
    try context.save()
    let read = try #require(ModelContext(container).model(for: deed.persistentModelID) as? Deed)
    #expect(read.first == .number("7") && read.second == .number("7") && read.text.text == "x")
  }

  @Test("Looking up an unknown entity makes no fallback values")
  func unknown() throws {
    let identifier = try PersistentIdentifier.identifier(for: "elsewhere", entityName: "Unknown", primaryKey: 1)
    let empty = try ModelContainer(for: Schema(), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    for container in [try makeContainer(Deed.self), empty] {
      let context = ModelContext(container)
      let model = context.model(for: identifier)
      #expect(model as? Deed == nil)
      #expect(model.modelContext == nil && !model.isDeleted)
      context.delete(model)
      #expect(!context.hasChanges)
    }
  }
}
