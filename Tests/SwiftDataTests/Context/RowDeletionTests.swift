import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Deleting rows that match a predicate")
struct RowDeletionTests {
  @Test("Deleting by a predicate finds rows with one statement, deletes them with another and makes no models")
  func statements() throws {
    let log = StatementLog()
    let container = try log.observe { try makeLibrary() }
    let writer = container.freshContext()
    for number in 0..<500 { writer.insert(Book(isbn: "\(number)", title: "t", pages: number)) }
    try writer.save()
    let context = container.freshContext()
    let queries = try log.queries {
      try context.delete(model: Book.self, where: #Predicate { $0.pages < 400 })
      #expect(context.hasChanges)
      try context.save()
    }
    #expect(queries.first?.hasPrefix(#"SELECT "t0"."_id" FROM "Book""#) == true)
    #expect(!queries.contains { $0.contains(#""t0"."title""#) })
    #expect(queries.count < 6, "\(queries)")
    #expect(!context.hasChanges)
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Book>()) == 100)
  }

  @Test("Deleted rows disappear from the context's fetches at once, and from other contexts' with the save")
  func visibility() throws {
    let container = try makeLibrary()
    let context = container.freshContext()
    for number in 0..<6 { context.insert(Book(isbn: "\(number)", title: "t", pages: number)) }
    try context.save()
    let other = container.freshContext()
    try other.delete(model: Book.self, where: #Predicate { $0.pages < 4 })
    #expect(try other.all(Book.self, by: \.pages).map(\.pages) == [4, 5])
    #expect(try other.fetchCount(FetchDescriptor<Book>()) == 2)
    var descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.pages)])
    descriptor.fetchLimit = 1
    #expect(try other.fetch(descriptor).map(\.pages) == [4])
    descriptor.includePendingChanges = false
    #expect(try other.fetch(descriptor).map(\.pages) == [0])
    #expect(try other.fetch(descriptor).map(\.isDeleted) == [true])
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 6)
    try other.save()
    #expect(try context.all(Book.self, by: \.pages).map(\.pages) == [4, 5])
  }

  @Test(
    "A .deny rule applies to references that another context adds after a deletion by predicate",
    arguments: [false, true])
  func deniedLater(isPartly: Bool) throws {
    let container = try makeContainer(Kiosk.self, Purchase.self, Visit.self)
    let writer = container.freshContext()
    for name in ["a", "b"] { writer.insert(Kiosk(name)) }
    try writer.save()
    let context = container.freshContext()
    try context.delete(model: Kiosk.self)
    let other = container.freshContext()
    let kiosks = try other.all(Kiosk.self, by: \.name)
    other.insert(Purchase(1, shop: kiosks[0]))
    if !isPartly { other.insert(Purchase(2, shop: kiosks[1])) }
    try other.save()
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error?.details?.issues.count == (isPartly ? 1 : 2))
    #expect(error?.details?.issues.allSatisfy { $0.property == "orders" } == true)
    let orders = try container.freshContext().all(Kiosk.self, by: \.name).map { $0.orders.map(\.number) }
    #expect(orders == (isPartly ? [[1], []] : [[1], [2]]))
    // Without the purchases the kiosks can be deleted.
    try context.delete(model: Purchase.self)
    try context.save()
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Kiosk>()) == 0)
  }

  @Test("An erasure discards pending deletions of rows")
  func erased() throws {
    let container = try makeLibrary()
    let context = container.freshContext()
    for number in 0..<6 { context.insert(Book(isbn: "\(number)", title: "t", pages: number)) }
    try context.save()
    let other = container.freshContext()
    try other.delete(model: Book.self)
    #expect(other.hasChanges)
    try container.erase()
    other.processPendingChanges()
    #expect(!other.hasChanges)
    context.insert(Book(isbn: "new", title: "t", pages: 1))
    try context.save()
    try other.save()
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Book>()) == 1)
  }

  @Test("Registered models become deleted when their rows are deleted by a predicate")
  func registered() throws {
    let container = try makeRelations()
    let writer = container.freshContext()
    for name in ["a", "b", "c"] {
      let citizen = Citizen(name)
      citizen.sent = [Letter("\(name)1"), Letter("\(name)2")]
      writer.insert(citizen)
    }
    try writer.save()
    let context = container.freshContext()
    let citizens = try context.all(Citizen.self, by: \.name)
    let letters = citizens[0].sent
    try context.delete(model: Letter.self, where: #Predicate { $0.text.contains("1") })
    #expect(citizens[0].sent.map(\.text) == ["a2"])
    #expect(citizens[1].sent.map(\.text) == ["b2"])
    #expect(letters.map(\.isDeleted) == [true, false])
    try context.save()
    #expect(letters.map(\.isDeleted) == [false, false])
    #expect(letters[0].modelContext == nil)
    #expect(citizens.map { $0.sent.map(\.text) } == [["a2"], ["b2"], ["c2"]])
  }

  @Test("Rollback undoes the deletion of rows")
  func rollback() throws {
    let container = try makeRelations()
    let writer = container.freshContext()
    let citizen = Citizen("a")
    citizen.sent = [Letter("1"), Letter("2")]
    writer.insert(citizen)
    try writer.save()
    let context = container.freshContext()
    try context.delete(model: Letter.self)
    #expect(try context.only(Citizen.self).sent.isEmpty)
    context.rollback()
    #expect(!context.hasChanges)
    #expect(try context.only(Citizen.self).sent.map(\.text) == ["1", "2"])
    #expect(try context.fetchCount(FetchDescriptor<Letter>()) == 2)
    try context.save()
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Letter>()) == 2)
  }

  @Test("Deleting rows cascades with one statement for each relationship and level")
  func cascade() throws {
    let log = StatementLog()
    let container = try log.observe { try makeRelations() }
    let writer = container.freshContext()
    for root in 0..<20 {
      let children = (0..<5).map { child in Node("\(root).\(child)", children: [Node("\(root).\(child).x")]) }
      writer.insert(Node("\(root)", children: children))
    }
    try writer.save()
    let context = container.freshContext()
    let queries = try log.queries {
      try context.delete(model: Node.self, where: #Predicate { $0.name == "3" || $0.name == "7" || $0.name == "8.1" })
      try context.save()
    }
    #expect(!queries.contains { $0.contains(#""t0"."name","#) }, "\(queries)")
    let names = try container.freshContext().all(Node.self, by: \.name).map(\.name)
    #expect(names.count == 220 - 11 - 11 - 2)
    #expect(!names.contains { $0.hasPrefix("3") || $0.hasPrefix("7") || $0.hasPrefix("8.1") })
  }

  @Test("Deleting rows applies .nullify and .deny rules")
  func rules() throws {
    let container = try makeRules()
    let writer = container.freshContext()
    for number in 0..<4 {
      let kiosk = Kiosk("\(number)")
      writer.insert(kiosk)
      if number == 2 { kiosk.orders = [Purchase(1)] }
    }
    try writer.save()
    let context = container.freshContext()
    try context.delete(model: Kiosk.self)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error?.description.contains("orders") == true)
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Kiosk>()) == 4)
    try context.delete(model: Purchase.self)
    try context.save()
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Kiosk>()) == 0)
  }

  @Test("The save's notification and deletedModelsArray list rows deleted by a predicate")
  func notification() async throws {
    let container = try makeLibrary()
    let writer = container.freshContext()
    for number in 0..<3 { writer.insert(Book(isbn: "\(number)", title: "t", pages: number)) }
    try writer.save()
    let context = container.freshContext()
    let identifiers = try Set(context.fetchIdentifiers(FetchDescriptor<Book>()))
    try context.delete(model: Book.self)
    #expect(Set(context.deletedModelsArray.map(\.persistentModelID)) == identifiers)
    #expect(context.deletedModelsArray.compactMap { ($0 as? Book)?.pages }.sorted() == [0, 1, 2])
    let reported = Reported()
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: context, queue: nil
    ) { notification in
      reported.deleted =
        notification.userInfo?[ModelContext.NotificationKey.deletedIdentifiers.rawValue]
        as? [PersistentIdentifier]
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try context.save()
    #expect(Set(reported.deleted ?? []) == identifiers)
  }

  @Test("A save skips rows that another context deleted before")
  func deletedElsewhere() throws {
    let container = try makeLibrary()
    let writer = container.freshContext()
    for number in 0..<3 { writer.insert(Book(isbn: "\(number)", title: "t", pages: number)) }
    try writer.save()
    let (first, second) = (container.freshContext(), container.freshContext())
    try first.delete(model: Book.self, where: #Predicate { $0.pages < 2 })
    try second.delete(model: Book.self, where: #Predicate { $0.pages > 0 })
    try first.save()
    try second.save()
    #expect(try container.freshContext().fetchCount(FetchDescriptor<Book>()) == 0)
    #expect(!second.hasChanges)
  }

  @Test("Deleting rows removes their external files")
  func files() throws {
    let folder = try TemporaryFolder()
    let container = try ModelContainer(for: Photo.self, configurations: ModelConfiguration(url: folder.file()))
    let context = container.freshContext()
    for code in 0..<3 {
      context.insert(Photo("p", Data(repeating: UInt8(code), count: 200_000), code: code))
    }
    try context.save()
    let other = container.freshContext()
    func fileCount() throws -> Int {
      let files = FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: [.fileSizeKey])
      return try (files?.allObjects ?? []).count { entry in
        try (entry as? URL)?.resourceValues(forKeys: [.fileSizeKey]).fileSize == 200_000
      }
    }
    #expect(try fileCount() == 3)
    try other.delete(model: Photo.self, where: #Predicate { $0.code > 0 })
    try other.save()
    #expect(try fileCount() == 1)
  }

  @Test("Deleting by predicate gives the same result as deleting the models one by one", arguments: 0..<40)
  func equivalence(seed: UInt64) throws {
    let outcomes = try [true, false].map { isByRows in
      var town = try Town(seed: seed)
      return try town.outcome(isByRows)
    }
    #expect(outcomes[0] == outcomes[1])
  }
}

private final class Reported: @unchecked Sendable {
  var deleted: [PersistentIdentifier]?
}

/// A store of linked models; a part is deleted while some of the models are in memory.
private struct Town {
  private var random: SeededGenerator
  private let container: ModelContainer

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    container = try makeRelations()
    let writer = container.freshContext()
    let citizens = (0..<12).map { Citizen("\($0)") }
    for citizen in citizens { writer.insert(citizen) }
    for number in 0..<8 {
      let passport = Passport(number)
      writer.insert(passport)
      if number % 2 == 0 { passport.holder = citizens[number] }
    }
    for number in 0..<30 {
      writer.insert(
        Letter(
          "\(number)", from: citizens.randomElement(using: &random), to: citizens.randomElement(using: &random)))
    }
    var nodes: [Node] = []
    for number in 0..<20 {
      let node = Node("\(number)", parent: number % 4 == 0 ? nil : nodes.randomElement(using: &random))
      writer.insert(node)
      nodes.append(node)
    }
    let tracks = (0..<6).map { Track("\($0)") }
    for number in 0..<4 {
      let playlist = Playlist("\(number)")
      writer.insert(playlist)
      playlist.tracks = tracks.filter { _ in Bool.random(using: &random) }
      playlist.favourite = tracks.randomElement(using: &random)
    }
    for track in tracks { writer.insert(track) }
    try writer.save()
  }

  /// The context's state before and after the save, and the store's after it.
  mutating func outcome(_ isByRows: Bool) throws -> [String] {
    let context = container.freshContext()
    var held: [any PersistentModel] = []
    let count = Int.random(in: 0..<4, using: &random)
    for _ in 0..<count {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let citizens = try context.all(Citizen.self, by: \.name).prefix(5)
        if Bool.random(using: &random) { _ = citizens.map(\.sent.count) }
        held += Array(citizens) as [any PersistentModel]
      case 1:
        let letters = try context.all(Letter.self, by: \.text).prefix(8)
        if Bool.random(using: &random) { _ = letters.map(\.sender?.name) }
        if Bool.random(using: &random) { letters[0].sender = try context.all(Citizen.self, by: \.name)[3] }
        held += Array(letters) as [any PersistentModel]
      case 2:
        let nodes = try context.all(Node.self, by: \.name).suffix(4)
        if Bool.random(using: &random), let first = nodes.first { first.parent = nil }
        held += Array(nodes) as [any PersistentModel]
      default:
        held += try context.fetch(FetchDescriptor<Passport>()) as [any PersistentModel]
      }
    }
    let limit = Int.random(in: 0..<20, using: &random)
    for _ in 0..<2 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: try delete(context, isByRows, #Predicate<Citizen> { $0.sent.count > 2 })
      case 1: try delete(context, isByRows, #Predicate<Letter> { $0.sender?.name == "3" || $0.text < "2" })
      case 2: try delete(context, isByRows, #Predicate<Node> { $0.children.count == 1 })
      case 3: try delete(context, isByRows, #Predicate<Passport> { $0.number < limit })
      default: try delete(context, isByRows, #Predicate<Track> { $0.title < "3" })
      }
    }
    let before = try description(context)
    try context.save()
    return try [before, description(context), description(container.freshContext())]
  }

  private func delete<Model: PersistentModel>(
    _ context: ModelContext, _ isByRows: Bool, _ predicate: Predicate<Model>
  ) throws {
    if isByRows { return try context.delete(model: Model.self, where: predicate) }
    for model in try context.fetch(FetchDescriptor(predicate: predicate)) { context.delete(model) }
  }

  private func description(_ context: ModelContext) throws -> String {
    let citizens = try context.all(Citizen.self, by: \.name).map { citizen in
      """
      \(citizen.name) \(citizen.passport.map { "\($0.number)" } ?? "-") \(citizen.sent.map(\.text).sorted()) \
      \(citizen.received.map(\.text).sorted())
      """
    }
    let letters = try context.all(Letter.self, by: \.text).map { letter in
      "\(letter.text) \(letter.sender?.name ?? "-") \(letter.recipient?.name ?? "-")"
    }
    let passports = try context.all(Passport.self, by: \.number).map { "\($0.number) \($0.holder?.name ?? "-")" }
    let nodes = try context.all(Node.self, by: \.name).map { node in
      "\(node.name) \(node.parent?.name ?? "-") \(node.children.map(\.name).sorted())"
    }
    let tracks = try context.all(Track.self, by: \.title).map(\.title)
    return "\(citizens)\n\(letters)\n\(passports)\n\(nodes)\n\(tracks)"
  }
}
