import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Opening a store whose properties have passed their names on")
struct PassedNamesTests {
  private let folder: TemporaryFolder
  private var configuration: ModelConfiguration { ModelConfiguration(url: folder.file()) }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func writeItems() throws {
    let context = ModelContext(try ModelContainer(for: ThreeNames.Item.self, configurations: configuration))
    for number in 1...2 {
      context.insert(ThreeNames.Item(code: "code \(number)", title: "title", spare: "spare"))
    }
    try context.save()
  }

  @Test("Values and constraints move along with the names")
  func valuesAndConstraintsMove() throws {
    try writeItems()
    for _ in 0..<2 {
      let context = ModelContext(try ModelContainer(for: PassedNames.Item.self, configurations: configuration))
      let items = try context.fetch(
        FetchDescriptor<PassedNames.Item>(sortBy: [SortDescriptor(\.title, comparator: .lexical)]))
      #expect(items.map(\.heading) == ["title", "title"])
      #expect(items.map(\.title) == ["code 1", "code 2"])
      #expect(items.map(\.code) == ["spare", "spare"])
      // The constraint moved along, and the old one is dropped.
      context.insert(PassedNames.Item(heading: "title", title: "code 2", code: "spare"))
      try context.save()
      #expect(try context.fetchCount(FetchDescriptor<PassedNames.Item>()) == 2)
    }
  }

  @Test("Names are exchanged once")
  func namesExchangedOnce() throws {
    try writeItems()
    for _ in 0..<3 {
      let context = ModelContext(try ModelContainer(for: ExchangedNames.Item.self, configurations: configuration))
      let items = try context.fetch(
        FetchDescriptor<ExchangedNames.Item>(sortBy: [SortDescriptor(\.title, comparator: .lexical)]))
      #expect(items.map(\.title) == ["code 1", "code 2"])
      #expect(items.map(\.code) == ["title", "title"])
      context.insert(ExchangedNames.Item(title: "code 2", code: "title", spare: "spare"))
      try context.save()
      #expect(try context.fetchCount(FetchDescriptor<ExchangedNames.Item>()) == 2)
    }
  }

  private func writeKnots() throws {
    let context = ModelContext(
      try ModelContainer(for: Knots.Knot.self, Knots.Tag.self, configurations: configuration))
    let knots = ["a", "b", "c"].map { Knots.Knot($0, style: Knots.Style(colour: "style \($0)")) }
    for knot in knots { context.insert(knot) }
    knots[0].other = Knots.Style(width: 5)
    knots[0].next = knots[1]
    knots[1].next = knots[2]
    let tags = ["x", "y"].map(Knots.Tag.init)
    knots[0].tags = [tags[1], tags[0]]
    knots[1].tags = [tags[0]]
    knots[2].best = tags[1]
    try context.save()
  }

  @Test("Names pass between structs, between one-to-ones, and between relationships of different kinds")
  func structsAndRelationships() throws {
    try writeKnots()
    for _ in 0..<2 {
      let context = ModelContext(
        try ModelContainer(for: RenamedKnots.Knot.self, RenamedKnots.Tag.self, configurations: configuration))
      let knots = try context.fetch(
        FetchDescriptor<RenamedKnots.Knot>(sortBy: [SortDescriptor(\.name, comparator: .lexical)]))
      #expect(knots.map { $0.look?.colour } == ["style a", "style b", "style c"])
      #expect(knots.map { $0.style?.width } == [5, nil, nil])
      #expect(knots.map { $0.style == nil } == [false, true, true])
      #expect(knots.map { $0.successor?.name } == ["b", "c", nil])
      #expect(knots.map { $0.predecessor?.name } == [nil, "a", "b"])
      #expect(knots.map { $0.best.map(\.word) } == [["y", "x"], ["x"], []])
      #expect(knots.map { $0.favourite?.word } == [nil, nil, "y"])
    }
  }

  @Test("Links are kept when an inverse is added or removed")
  func linksAreKept() throws {
    do {
      let context = ModelContext(
        try ModelContainer(for: OneSided.Item.self, OneSided.Category.self, configurations: configuration))
      let categories = ["x", "y"].map(OneSided.Category.init)
      for name in ["a", "b"] {
        let item = OneSided.Item(name)
        context.insert(item)
        item.categories = name == "a" ? [categories[1], categories[0]] : [categories[0]]
      }
      try context.save()
    }
    for _ in 0..<2 {
      do {
        let context = ModelContext(
          try ModelContainer(for: TwoSided.Item.self, TwoSided.Category.self, configurations: configuration))
        let items = try context.fetch(
          FetchDescriptor<TwoSided.Item>(sortBy: [SortDescriptor(\.name, comparator: .lexical)]))
        #expect(items.map { $0.categories.map(\.word) } == [["y", "x"], ["x"]])
        let categories = try context.fetch(
          FetchDescriptor<TwoSided.Category>(sortBy: [SortDescriptor(\.word, comparator: .lexical)]))
        #expect(categories.map { $0.items.map(\.name).sorted() } == [["a", "b"], ["a"]])
      }
      let context = ModelContext(
        try ModelContainer(for: OneSided.Item.self, OneSided.Category.self, configurations: configuration))
      let items = try context.fetch(
        FetchDescriptor<OneSided.Item>(sortBy: [SortDescriptor(\.name, comparator: .lexical)]))
      #expect(items.map { $0.categories.map(\.word) } == [["y", "x"], ["x"]])
    }
  }

  private func writeLines() throws {
    let context = ModelContext(
      try ModelContainer(for: StrictLine.Shape.self, StrictLine.Circle.self, configurations: configuration))
    context.insert(StrictLine.Shape(nil))
    context.insert(StrictLine.Circle(StrictLine.Line(width: 3)))
    try context.save()
  }

  @Test("A struct whose last required field becomes optional is nil in the same rows as before")
  func structLastRequired() throws {
    try writeLines()
    let context = ModelContext(
      try ModelContainer(for: LooseLine.Shape.self, LooseLine.Circle.self, configurations: configuration))
    let shapes = try context.fetch(FetchDescriptor<LooseLine.Shape>())
    #expect(Set(shapes.map { $0.line?.width }) == [nil, 3])
    #expect(shapes.filter { $0.line == nil }.count == 1)
  }

  @Test("A schema is refused when rows of a subclass would lack a required value")
  func missingSubclassValue() throws {
    try writeLines()
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: DemandingCircle.Shape.self, DemandingCircle.Circle.self, configurations: configuration)
    }
    #expect(Set(error?.details?.issues.map(\.property) ?? []) == ["note", "radius"])
  }

  @Test("A renamed relationship that now permits one owner is refused when members have several")
  func severalMembers() throws {
    try writeKnots()
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: OneOwner.Knot.self, OneOwner.Tag.self, configurations: configuration)
    }
    #expect(error?.details?.issues.map(\.property) == ["labels"])
    #expect(error?.details?.issues.first?.message.contains("1 model of the store belongs to more than one") == true)
    let context = ModelContext(
      try ModelContainer(for: Knots.Knot.self, Knots.Tag.self, configurations: configuration))
    let knots = try context.fetch(
      FetchDescriptor<Knots.Knot>(sortBy: [SortDescriptor(\.name, comparator: .lexical)]))
    #expect(knots.map { $0.tags.map(\.word) } == [["y", "x"], ["x"], []])
  }

  @Test(
    "A container that opened the store before names were exchanged can neither read nor write it",
    arguments: ["save", "fetch", "nothing", "count", "identifiers", "aggregate", "erase"])
  func openedBeforeExchange(way: String) throws {
    try writeItems()
    let old = try ModelContainer(for: ThreeNames.Item.self, configurations: configuration)
    let context = ModelContext(old)
    let item = try #require(try context.fetch(FetchDescriptor<ThreeNames.Item>(sortBy: [SortDescriptor(\.code)])).first)
    _ = try ModelContainer(for: ExchangedNames.Item.self, configurations: configuration)
    item.title = "lost"
    let error = #expect(throws: SwiftDataError.self) {
      switch way {
      case "save": try context.save()
      case "fetch": _ = try ModelContext(old).fetch(FetchDescriptor<ThreeNames.Item>())
      case "nothing": _ = try ModelContext(old).fetch(FetchDescriptor(predicate: Self.isUntitled))
      case "count": _ = try ModelContext(old).fetchCount(FetchDescriptor(predicate: Self.isUntitled))
      case "identifiers": _ = try ModelContext(old).fetchIdentifiers(FetchDescriptor(predicate: Self.isUntitled))
      case "aggregate":
        _ = try ModelContext(old).fetchAggregates(.maximum(of: \ThreeNames.Item.title))
      default: try old.erase()
      }
    }
    #expect(error == .loadIssueModelContainer)
    #expect(context.hasChanges)
    let later = ModelContext(try ModelContainer(for: ExchangedNames.Item.self, configurations: configuration))
    let items = try later.fetch(FetchDescriptor<ExchangedNames.Item>(sortBy: [SortDescriptor(\.title)]))
    #expect(items.map(\.title) == ["code 1", "code 2"])
    #expect(items.map(\.code) == ["title", "title"])
  }

  private static let isUntitled = #Predicate<ThreeNames.Item> { $0.title == "none" }

  @Test("A container that opened the store before properties were added continues to work")
  func openedBeforeAddition() throws {
    let old = ModelContext(try ModelContainer(for: Shrunk.Item.self, configurations: configuration))
    old.insert(Shrunk.Item(title: "a"))
    try old.save()
    let new = ModelContext(try ModelContainer(for: First.Item.self, configurations: configuration))
    old.insert(Shrunk.Item(title: "b"))
    try old.save()
    #expect(try old.fetchCount(FetchDescriptor<Shrunk.Item>()) == 2)
    #expect(try new.fetch(FetchDescriptor<First.Item>(sortBy: [SortDescriptor(\.title)])).map(\.title) == ["a", "b"])
    #expect(try old.fetch(FetchDescriptor<Shrunk.Item>(sortBy: [SortDescriptor(\.title)])).map(\.title) == ["a", "b"])
  }
}
