import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// A value whose decoding a test can observe.
struct Postmark: Codable {
  var number = 0
  var place = ""

  /// Called with each decoder after it was used.
  @TaskLocal static var decoded: @Sendable (any Decoder) -> Void = { _ in }

  enum CodingKeys: CodingKey {
    case number, place
  }

  init(number: Int, place: String) {
    self.number = number
    self.place = place
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    number = try values.decode(Int.self, forKey: .number)
    place = try values.decode(String.self, forKey: .place)
    Self.decoded(decoder)
  }
}

@Model
final class Packet {
  var label = ""
  var mark = Postmark(number: 0, place: "")

  init(_ label: String, _ mark: Postmark) {
    self.label = label
    self.mark = mark
  }
}

/// Values that a sendable closure collects for its test, on the same thread.
private final class Gathered<Value>: @unchecked Sendable {
  var values: [Value] = []
}

@Suite("Looking up models one by one")
struct LookUpTests {
  private let log = StatementLog()
  private let container: ModelContainer
  private let identifiers: [PersistentIdentifier]

  init() throws {
    container = try log.observe {
      try ModelContainer(for: Packet.self, configurations: .init(isStoredInMemoryOnly: true))
    }
    let context = ModelContext(container)
    let packets = (0..<4).map { Packet("packet \($0)", Postmark(number: $0, place: "place \($0)")) }
    for packet in packets { context.insert(packet) }
    try context.save()
    identifiers = packets.map(\.persistentModelID)
  }

  private func packet(_ index: Int, in context: ModelContext) throws -> Packet {
    try #require(context.model(for: identifiers[index]) as? Packet)
  }

  @Test("Decoding a row may look up other rows of the same entity, and each keeps its values")
  func nested() throws {
    let context = ModelContext(container)
    let met = Gathered<String>()
    let others = try (1..<4).map { try packet($0, in: context) }
    let waiting = Gathered<Packet>()
    waiting.values = others
    let readNext: @Sendable (any Decoder) -> Void = { _ in
      // Each look-up decodes the next one.
      if let next = waiting.values.popLast() { met.values.append("\(next.label) \(next.mark.number)") }
    }
    try Postmark.$decoded.withValue(readNext) {
      let outer = try packet(0, in: context)
      #expect(outer.label == "packet 0")
      #expect(outer.mark.number == 0)
      #expect(outer.mark.place == "place 0")
    }
    #expect(met.values == ["packet 1 1", "packet 2 2", "packet 3 3"])
    #expect(others.map(\.mark.place) == ["place 1", "place 2", "place 3"])
  }

  @Test("Decoding a row may look up the same row, and gets the registered object", arguments: [true, false])
  func itself(isFetched: Bool) throws {
    let context = ModelContext(container)
    let twins = Gathered<Packet>()
    let identifier = identifiers[0]
    let waiting = Gathered<ModelContext>()
    waiting.values = [context]
    let look: @Sendable (any Decoder) -> Void = { _ in
      if let twin = waiting.values.popLast()?.model(for: identifier) as? Packet { twins.values.append(twin) }
    }
    let first = try Postmark.$decoded.withValue(look) {
      isFetched
        ? try context.fetch(FetchDescriptor<Packet>(sortBy: [SortDescriptor(\.label)]))[0] : try packet(0, in: context)
    }
    #expect(first.mark.place == "place 0")
    if !isFetched { _ = Postmark.$decoded.withValue(look) { first.mark } }
    #expect(twins.values.allSatisfy { $0 === first })
    for twin in twins.values { twin.label = "twin" }
    first.mark.number = 100
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Packet>()) == 4)
    let stored = try #require(ModelContext(container).model(for: identifier) as? Packet)
    #expect(stored.mark.number == 100)
    #expect(stored.label == (twins.values.isEmpty ? "packet 0" : "twin"))
    expectSound(context)
  }

  @Test("A decoder that is used after its row was read throws", arguments: [true, false])
  func keptDecoder(isLookedUp: Bool) throws {
    let context = ModelContext(container)
    let kept = Gathered<any Decoder>()
    let keep: @Sendable (any Decoder) -> Void = { kept.values.append($0) }
    try Postmark.$decoded.withValue(keep) {
      if isLookedUp {
        for index in identifiers.indices { _ = try packet(index, in: context).label }
      } else {
        _ = try context.fetch(FetchDescriptor<Packet>())
      }
    }
    #expect(kept.values.count == 4)
    for decoder in kept.values {
      let values = try decoder.container(keyedBy: Postmark.CodingKeys.self)
      #expect(throws: (any Error).self) { try values.decode(Int.self, forKey: .number) }
      #expect(throws: (any Error).self) { try values.decode(String.self, forKey: .place) }
      #expect(throws: (any Error).self) { try values.decodeNil(forKey: .number) }
    }
  }

  @Test("A fetch does not read a looked-up model's values again while no context writes")
  func age() throws {
    let container = try log.observe(makeLibrary)
    let filling = ModelContext(container)
    let author = Author(name: "a")
    filling.insert(Book(isbn: "1", title: "t", author: author))
    try filling.save()
    let context = ModelContext(container)
    let read = try #require(context.model(for: author.persistentModelID) as? Author)
    #expect(read.name == "a")
    #expect(read.books.map(\.title) == ["t"])
    var names = FetchDescriptor<Author>()
    names.propertiesToFetch = [\.name]
    for _ in 0..<2 {
      let queries = try log.queries {
        let found = try context.fetch(names)
        #expect(found.first === read)
        #expect(read.books.map(\.title) == ["t"])
      }
      #expect(queries.count == 1)
    }
  }
}
