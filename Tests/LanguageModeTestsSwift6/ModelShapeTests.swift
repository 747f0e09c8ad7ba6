import Foundation
import SwiftData
import Testing

@Suite("Shapes of models in applications")
struct ModelShapeTests {
  private func makeContext() throws -> ModelContext {
    try ModelContext(shapes: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  @Test("Properties without a type annotation, constants and private setters are stored")
  func inferred() throws {
    let context = try makeContext()
    let model = Inferred(code: "a", birth: 7)
    model.reveal()
    model.count = 3
    model.level = .high
    model.tags = [Label.make("x")]
    model.owner = Owner(name: "o")
    #expect(try makeTitle(of: model, in: context) == "untitled")
    let other = ModelContext(context.container)
    defer { withExtendedLifetime(other) {} }
    let stored = try #require(try fetchAll(Inferred.self, in: other).first)
    #expect(stored.count == 3)
    #expect(stored.secret == 2)
    #expect(stored.birth == 7)
    #expect(stored.level == .high)
    #expect(stored.words == ["a", "b"])
    #expect(stored.tags?.map(\.text) == ["x"])
    #expect(stored.owner?.items.count == 1)
    #expect(stored.cache.isEmpty)
  }

  @Test("A model with a constant is made by a relationship as by a fetch")
  func constants() throws {
    let context = try makeContext()
    let owner = Owner(name: "o")
    owner.items = [Inferred(code: "a", birth: 1), Inferred(code: "b", birth: 2)]
    context.insert(owner)
    try context.save()
    let other = ModelContext(context.container)
    defer { withExtendedLifetime(other) {} }
    let stored = try #require(try fetchAll(Owner.self, in: other).first)
    #expect(stored.items.map(\.birth) == [1, 2])
  }

  @Test("A model may have an identity and an equality of its own")
  func named() throws {
    let context = try makeContext()
    let identifier = UUID()
    let model = Named(id: identifier, name: "n")
    #expect(model == Named(id: identifier, name: "other"))
    context.insert(model)
    try context.save()
    #expect(try fetchAll(Named.self, in: ModelContext(context.container)).map(\.id) == [identifier])
  }

  @Test("A Codable model is encoded, decoded and stored")
  func coded() throws {
    let context = try makeContext()
    let data = try JSONEncoder().encode(Coded(name: "n", number: 3))
    context.insert(try JSONDecoder().decode(Coded.self, from: data))
    try context.save()
    #expect(try fetchAll(Coded.self, in: ModelContext(context.container)).map(\.number) == [3])
  }

  @Test("Generic code and collections use a model's own equality")
  func ownEquality() throws {
    func areEqual<Value: Equatable>(_ left: Value, _ right: Value) -> Bool { left == right }
    #expect(areEqual(Valued(number: 1), Valued(number: 1)))
    #expect(!areEqual(Valued(number: 1), Valued(number: 2)))
    #expect([Valued(number: 1)].contains(Valued(number: 1)))
    #expect(Set([Valued(number: 1), Valued(number: 1)]).count == 1)
    #expect(areEqual(Graded(grade: 1), Certified(grade: 1)))
    let (one, other) = (Coded(name: "n", number: 1), Coded(name: "n", number: 1))
    #expect(areEqual(one, one) && !areEqual(one, other))
  }

  @Test("Models nested in structures and schema versions are stored")
  func nested() throws {
    let context = try makeContext()
    context.insert(Feature.Entry())
    context.insert(Truck(load: 2))
    try context.save()
    #expect(try fetchCounts([Feature.Entry.self, Vehicle.self, Truck.self], in: context) == [1, 1, 1])
    for schema in [Schema(versionedSchema: SchemaV1.self), Schema(versionedSchema: SchemaV2.self)] {
      #expect(schema.entities.map(\.name) == ["Item"])
    }
  }

  @Test("A model actor can be used in this language mode")
  func modelActor() async throws {
    let container = try makeContext().container
    let identifier = try await ShapeActor(modelContainer: container).add("a")
    #expect((ModelContext(container).model(for: identifier) as? Inferred)?.code == "a")
  }

  @Test("A container performs closures of this language mode")
  func performing() async throws {
    let container = try makeContext().container
    let identifier = try await container.perform { context in
      let model = Inferred(code: "a")
      context.insert(model)
      try context.save()
      return model.persistentModelID
    }
    let code = try await container.perform { context in (context.model(for: identifier) as? Inferred)?.code }
    #expect(code == "a")
  }
}
