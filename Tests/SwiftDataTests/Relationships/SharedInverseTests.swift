import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Relationships that name the same inverse")
struct SharedInverseTests {
  private func names(_ trees: [Tree]) -> [String] { trees.map(\.name) }

  /// A saved orchard with two trees on each side.
  private func planted(_ configuration: ModelConfiguration = .init(isStoredInMemoryOnly: true)) throws -> ModelContainer
  {
    let container = try ModelContainer(for: Orchard.self, configurations: configuration)
    let context = ModelContext(container)
    let orchard = Orchard("o")
    context.insert(orchard)
    orchard.left = [Tree("l1"), Tree("l2")]
    orchard.right = [Tree("r1")]
    orchard.right.append(Tree("r2"))
    #expect(names(orchard.left) == ["l1", "l2"])
    #expect(names(orchard.right) == ["r1", "r2"])
    try context.save()
    #expect(names(orchard.left) == ["l1", "l2"])
    expectSound(context)
    return container
  }

  @Test("The first declared relationship has the inverse, and the other is one-way")
  func firstDeclared() throws {
    for schema in [Schema([Orchard.self]), Schema([Tree.self]), Schema([Tree.self, Orchard.self])] {
      try schema.validate()
      let orchard = try #require(schema.entitiesByName["Orchard"])
      let tree = try #require(schema.entitiesByName["Tree"])
      #expect(tree.relationshipsByName["orchard"]?.inverseName == "left")
      #expect(tree.relationshipsByName["orchard"]?.inverseKeyPath == \Orchard.left)
      #expect(orchard.relationshipsByName["left"]?.inverseName == "orchard")
      #expect(orchard.relationshipsByName["right"]?.inverseName == nil)
      #expect(orchard.relationshipsByName["right"]?.inverseKeyPath == \Tree.orchard)
    }
  }

  @Test("The inverse's own declaration takes precedence over the order")
  func inverseDeclares() throws {
    for types: [any PersistentModel.Type] in [[Spoken.Panel.self], [Spoken.Lamp.self]] {
      let schema = Schema(types)
      try schema.validate()
      #expect(schema.entitiesByName["Lamp"]?.relationshipsByName["panel"]?.inverseName == "second")
      #expect(schema.entitiesByName["Panel"]?.relationshipsByName["first"]?.inverseName == nil)
      #expect(schema.entitiesByName["Panel"]?.relationshipsByName["second"]?.inverseName == "panel")
    }
  }

  @Test("A class takes precedence over its subclass, in any order of the schema's types")
  func classBeforeSubclass() throws {
    for types: [any PersistentModel.Type] in [
      [NavalMarina.self], [Dinghy.self], [Marina.self, NavalMarina.self], [NavalMarina.self, Dinghy.self],
    ] {
      let schema = Schema(types)
      try schema.validate()
      #expect(schema.entitiesByName["Dinghy"]?.relationshipsByName["marina"]?.inverseName == "boats")
      #expect(schema.entitiesByName["NavalMarina"]?.relationshipsByName["submarines"]?.inverseName ?? "none" == "none")
    }
    let container = try ModelContainer(
      for: Marina.self, NavalMarina.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let marina = NavalMarina("h")
    context.insert(marina)
    marina.submarines = [Dinghy("s")]
    marina.boats = [Dinghy("b")]
    try context.save()
    let found = try container.freshContext().only(NavalMarina.self)
    #expect(found.boats.map(\.name) == ["b"])
    #expect(found.submarines.map(\.name) == ["s"])
    #expect(found.boats.first?.marina === found)
    #expect(found.submarines.first?.marina == nil)
  }

  @Test("Relationships of several subclasses that name one inverse of their base class are one-way")
  func subclassesOnly() throws {
    let container = try ModelContainer(
      for: RailYardmaster.self, RoadYardmaster.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let (rail, road) = (RailYardmaster("rail"), RoadYardmaster("road"))
    context.insert(rail)
    context.insert(road)
    let (first, second) = (StackedCrate("1"), StackedCrate("2"))
    rail.wagons = [first, second]
    road.lorries = [second]
    first.keeper = road
    try context.save()
    let fresh = container.freshContext()
    #expect(try fresh.only(RailYardmaster.self).wagons.map(\.name) == ["1", "2"])
    #expect(try fresh.only(RoadYardmaster.self).lorries.map(\.name) == ["2"])
    #expect(try fresh.only(RailYardmaster.self).wagons.map { $0.keeper?.name } == ["road", nil])
  }

  @Test("A relationship of the base class has the inverse, whichever subclasses a schema contains")
  func baseClassOnly() throws {
    for types: [any PersistentModel.Type] in [
      [RedPostbox.self], [BluePostbox.self], [RedPostbox.self, BluePostbox.self], [PostedLetter.self],
    ] {
      let schema = Schema(types)
      try schema.validate()
      #expect(schema.entitiesByName["PostedLetter"]?.relationshipsByName["postbox"]?.inverseName == "letters")
    }
    let container = try ModelContainer(
      for: RedPostbox.self, BluePostbox.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let box = RedPostbox()
    context.insert(box)
    box.letters.append(PostedLetter())
    box.urgent.append(PostedLetter())
    try context.save()
    let found = try container.freshContext().only(RedPostbox.self)
    #expect(found.letters.count == 1)
    #expect(found.letters.first?.postbox === found)
    #expect(found.urgent.count == 1)
    #expect(found.urgent.first?.postbox == nil)
  }

  @Test("The two lists are independent through saves, reopening and refreshes")
  func listsApart() throws {
    let folder = try TemporaryFolder()
    let configuration = ModelConfiguration(url: folder.file())
    _ = try planted(configuration)
    let container = try ModelContainer(for: Orchard.self, configurations: configuration)
    let context = container.freshContext()
    let orchard = try context.only(Orchard.self)
    #expect(names(orchard.left) == ["l1", "l2"])
    #expect(names(orchard.right) == ["r1", "r2"])
    #expect(orchard.left.allSatisfy { $0.orchard === orchard })
    #expect(orchard.right.allSatisfy { $0.orchard == nil })

    let other = ModelContext(container)
    let same = try other.only(Orchard.self)
    same.left.append(Tree("l3"))
    same.right.insert(Tree("r0"), at: 0)
    same.right.removeAll { $0.name == "r2" }
    try other.save()
    _ = try context.fetch(FetchDescriptor<Orchard>())
    #expect(names(orchard.left) == ["l1", "l2", "l3"])
    #expect(names(orchard.right) == ["r0", "r1"])
    expectSound(context)
    orchard.right.append(orchard.left[0])
    orchard.left.removeFirst()
    context.rollback()
    #expect(names(orchard.left) == ["l1", "l2", "l3"])
    #expect(names(orchard.right) == ["r0", "r1"])
    expectSound(context)
  }

  @Test("One model can be in both lists, and leaving one keeps it in the other")
  func inBoth() throws {
    let container = try planted()
    let context = container.freshContext()
    let orchard = try context.only(Orchard.self)
    orchard.right.append(orchard.left[0])
    try context.save()
    orchard.left[0].orchard = nil
    #expect(names(orchard.left) == ["l2"])
    #expect(names(orchard.right) == ["r1", "r2", "l1"])
    try context.save()
    orchard.right[0].orchard = orchard
    #expect(names(orchard.left) == ["l2", "r1"])
    try context.save()
    let again = try container.freshContext().only(Orchard.self)
    #expect(names(again.left) == ["l2", "r1"])
    #expect(names(again.right) == ["r1", "r2", "l1"])
  }

  @Test("Deleting a member or the owner applies to each list's own links")
  func deleting() throws {
    let container = try planted()
    let context = container.freshContext()
    let orchard = try context.only(Orchard.self)
    context.delete(orchard.left[1])
    context.delete(orchard.right[0])
    try context.save()
    #expect(names(orchard.left) == ["l1"])
    #expect(names(orchard.right) == ["r2"])
    expectSound(context)
    context.delete(orchard)
    try context.save()
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Tree>()) == 0)
  }

  @Test("Prefetching, predicates and aggregates distinguish the lists")
  func fetching() throws {
    let container = try planted()
    let context = container.freshContext()
    var descriptor = FetchDescriptor<Orchard>()
    descriptor.relationshipKeyPathsForPrefetching = [\.left, \.right]
    let orchard = try #require(try context.fetch(descriptor).first)
    #expect(names(orchard.left) == ["l1", "l2"])
    #expect(names(orchard.right) == ["r1", "r2"])

    func count(_ predicate: Predicate<Orchard>) throws -> Int {
      let found = try container.freshContext().fetchCount(FetchDescriptor(predicate: predicate))
      #expect(try [orchard].filter { try predicate.evaluate($0) }.count == found)
      return found
    }
    #expect(try count(#Predicate { $0.left.contains { $0.name == "l1" } }) == 1)
    #expect(try count(#Predicate { $0.left.contains { $0.name == "r1" } }) == 0)
    #expect(try count(#Predicate { $0.right.contains { $0.name == "r1" } }) == 1)
    #expect(try count(#Predicate { $0.right.contains { $0.name == "l1" } }) == 0)
    #expect(try count(#Predicate { $0.left.count == 2 && $0.right.count == 2 }) == 1)
    let lefts = try context.fetch(FetchDescriptor<Tree>(predicate: #Predicate { $0.orchard?.name == "o" }))
    #expect(Set(lefts.map(\.name)) == ["l1", "l2"])
    orchard.right.removeAll()
    try context.save()
    #expect(try count(#Predicate { $0.left.count == 2 && $0.right.isEmpty }) == 1)
  }

  @Test("Of two to-ones the first has the inverse, and the other is one-way")
  func toOnes() throws {
    let container = try ModelContainer(
      for: Duchy.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let duchy = Duchy("d")
    let (ruler, regent) = (Duke("ruler"), Duke("regent"))
    context.insert(duchy)
    duchy.regent = regent
    #expect(duchy.ruler == nil)
    #expect(regent.duchy == nil)
    duchy.ruler = ruler
    #expect(ruler.duchy === duchy)
    try context.save()
    var found = try container.freshContext().only(Duchy.self)
    #expect(found.ruler?.name == "ruler")
    #expect(found.regent?.name == "regent")
    regent.duchy = duchy
    #expect(duchy.ruler === regent)
    #expect(duchy.regent === regent)
    #expect(ruler.duchy == nil)
    try context.save()
    found = try container.freshContext().only(Duchy.self)
    #expect(found.ruler?.name == "regent")
    #expect(found.ruler === found.regent)
    expectSound(context)
  }

  @Test("Of two many-to-manys the first has the inverse, and the other is one-way")
  func manyToManys() throws {
    let container = try ModelContainer(
      for: Anthology.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let (one, two) = (Anthology("1"), Anthology("2"))
    let (ode, sonnet) = (Poem("ode"), Poem("sonnet"))
    for anthology in [one, two] { context.insert(anthology) }
    one.front = [ode]
    two.back = [ode, sonnet]
    two.front = [sonnet]
    #expect(ode.anthologies == [one])
    #expect(sonnet.anthologies == [two])
    try context.save()
    let fresh = container.freshContext()
    let found = try fresh.fetch(FetchDescriptor<Anthology>(sortBy: [SortDescriptor(\.name)]))
    #expect(found.map { $0.front.map(\.name) } == [["ode"], ["sonnet"]])
    #expect(found.map { $0.back.map(\.name) } == [[], ["ode", "sonnet"]])
    #expect(found[1].back[0].anthologies.map(\.name) == ["1"])
    context.delete(ode)
    try context.save()
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Anthology>()) == 2)
    #expect(two.back.map(\.name) == ["sonnet"])
  }
}
