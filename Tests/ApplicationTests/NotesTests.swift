import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("A notes app")
struct NotesTests {
  private typealias Note = NotesApp.Note
  private typealias Folder = NotesApp.Folder
  private typealias Tag = NotesApp.Tag

  private let context: ModelContext

  init() throws {
    let container = try ModelContainer(
      for: Note.self, Folder.self, Tag.self, NotesApp.Attachment.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
    context.allowsInMemoryEvaluation = false
    try fill()
  }

  private func fill() throws {
    let home = Folder(name: "Home")
    let work = Folder(name: "Work")
    let travel = Folder(name: "Travel", parent: home)
    let peru = Folder(name: "Peru", parent: travel)
    for folder in [home, work, travel, peru, Folder(name: "Empty", parent: work)] { context.insert(folder) }
    let urgent = Tag(name: "Urgent")
    let money = Tag(name: "Money")
    let cafe = Tag(name: "Café")
    for tag in [urgent, money, cafe, Tag(name: "Unused")] { context.insert(tag) }

    let rent = Note(title: "Rent", body: "Pay the landlord", createdAt: Timeline.date(2024, 1, 5), folder: home)
    rent.tags = [urgent, money]
    rent.tint = .blue
    rent.checklist = [.init(text: "Transfer", isDone: true), .init(text: "Receipt")]
    let review = Note(
      title: "Review", body: "Résumé of the quarter", createdAt: Timeline.date(2024, 2, 1), folder: work)
    review.tags = [urgent]
    review.isPinned = true
    let packing = Note(title: "Packing list", body: "Boots", createdAt: Timeline.date(2024, 2, 10), folder: travel)
    packing.checklist = [.init(text: "Boots", isDone: true)]
    packing.tint = .green
    let trail = Note(
      title: "Inca trail", body: "Permits cost money", createdAt: Timeline.date(2024, 2, 10), folder: peru)
    trail.tags = [money, cafe]
    trail.attachments = [
      NotesApp.Attachment(fileName: "map.pdf", contents: Data(count: 3000)),
      NotesApp.Attachment(fileName: "Permit.PNG", contents: nil),
    ]
    let loose = Note(title: "Idea", body: "A CAFÉ with books", createdAt: Timeline.date(2024, 3, 1))
    let old = Note(title: "Old money", createdAt: Timeline.date(2023, 1, 1), folder: home)
    old.deletedAt = Timeline.date(2024, 1, 1)
    old.tags = [money]
    let recent = Note(title: "Deleted lately", createdAt: Timeline.date(2023, 6, 1), folder: work)
    recent.deletedAt = Timeline.date(2024, 2, 28)
    for note in [rent, review, packing, trail, loose, old, recent] { context.insert(note) }
    try context.save()
  }

  private func titles(_ predicate: Predicate<Note>, sortBy: [SortDescriptor<Note>] = [.init(\.title)]) throws
    -> [String]
  {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: sortBy)).map(\.title)
  }

  private func folder(_ name: String) throws -> Folder {
    try #require(try context.fetch(FetchDescriptor<Folder>(predicate: #Predicate { $0.name == name })).first)
  }

  @Test(
    "Notes are found by text in titles, bodies, tags and file names, without regard to case and accents",
    arguments: [
      ("money", ["Inca trail", "Rent"]), ("CAFE", ["Idea", "Inca trail"]), ("resume", ["Review"]),
      ("permit.png", ["Inca trail"]), ("", ["Idea", "Inca trail", "Packing list", "Rent", "Review"]), ("xyz", []),
    ])
  func search(text: String, expected: [String]) throws {
    #expect(try titles(Note.predicate(searchText: text)) == expected)
  }

  @Test("A search can be limited to one folder")
  func searchInFolder() throws {
    #expect(try titles(Note.predicate(searchText: "", in: folder("Home"))) == ["Rent"])
    #expect(try titles(Note.predicate(searchText: "boots", in: folder("Home"))) == [])
    #expect(try titles(Note.predicate(searchText: "boots", in: folder("Travel"))) == ["Packing list"])
  }

  @Test("The notes of a folder and its subfolders are found")
  func tree() throws {
    let home = try folder("Home").persistentModelID
    let levels = [
      #Predicate<Note> { $0.folder?.persistentModelID == home },
      #Predicate<Note> { $0.folder?.parent?.persistentModelID == home },
      #Predicate<Note> { $0.folder?.parent?.parent?.persistentModelID == home },
    ]
    #expect(try titles(Predicate(any: levels)) == ["Inca trail", "Old money", "Packing list", "Rent"])
  }

  @Test("Top-level folders are listed, and empty folders")
  func folders() throws {
    let top = FetchDescriptor<Folder>(predicate: #Predicate { $0.parent == nil }, sortBy: [SortDescriptor(\.name)])
    #expect(try context.fetch(top).map(\.name) == ["Home", "Work"])
    let empty = FetchDescriptor<Folder>(
      predicate: #Predicate { folder in
        folder.subfolders.isEmpty && folder.notes.filter { $0.deletedAt == nil }.isEmpty
      })
    #expect(try context.fetch(empty).map(\.name) == ["Empty"])
    let busy = FetchDescriptor<Folder>(
      predicate: #Predicate { folder in
        folder.subfolders.contains { child in child.notes.contains { $0.tint != nil } }
      })
    #expect(try context.fetch(busy).map(\.name) == ["Home"])
  }

  @Test("Notes are filtered by several tags, all of them or any of them")
  func tags() throws {
    #expect(try titles(Note.tagged(allOf: ["Urgent", "Money"])) == ["Rent"])
    #expect(try titles(Note.tagged(allOf: ["Money"])) == ["Inca trail", "Old money", "Rent"])
    let names: Set<String> = ["Urgent", "Café"]
    #expect(
      try titles(#Predicate { note in note.tags.contains { names.contains($0.name) } })
        == ["Inca trail", "Rent", "Review"])
    #expect(try titles(#Predicate { $0.tags.isEmpty && $0.deletedAt == nil }) == ["Idea", "Packing list"])
    let unused = FetchDescriptor<Tag>(predicate: #Predicate { tag in tag.notes.allSatisfy { $0.deletedAt != nil } })
    #expect(try context.fetch(unused).map(\.name) == ["Unused"])
  }

  @Test("Lists with open items are found, and notes of a tint")
  func checklists() throws {
    #expect(try titles(#Predicate { note in note.checklist.contains { !$0.isDone } }) == ["Rent"])
    #expect(
      try titles(#Predicate { note in !note.checklist.isEmpty && note.checklist.allSatisfy { $0.isDone } })
        == ["Packing list"])
    let tints: [NotesApp.Tint?] = [.green, nil]
    #expect(
      try titles(#Predicate { $0.deletedAt == nil && tints.contains($0.tint) })
        == ["Idea", "Inca trail", "Packing list", "Review"])
    let chosen: NotesApp.Tint? = .blue
    #expect(try titles(#Predicate { chosen == nil || $0.tint == chosen }) == ["Rent"])
  }

  @Test("Notes are found by the size of their files")
  func attachments() throws {
    let limit = 1000
    #expect(
      try titles(#Predicate { note in note.attachments?.contains { $0.byteCount > limit } == true }) == ["Inca trail"])
    #expect(try titles(#Predicate { ($0.attachments?.count ?? 0) >= 2 }) == ["Inca trail"])
    let missing = FetchDescriptor<NotesApp.Attachment>(predicate: #Predicate { $0.contents == nil })
    #expect(try context.fetch(missing).map(\.fileName) == ["Permit.PNG"])
  }

  @Test("The notes of each folder are counted")
  func counts() throws {
    let live = FetchDescriptor<Note>(predicate: #Predicate { $0.deletedAt == nil })
    let groups = try context.fetchGroups(by: \.folder?.name, computing: .count, matching: live)
    #expect(groups.map(\.key) == [nil, "Home", "Peru", "Travel", "Work"])
    #expect(groups.map(\.value) == [1, 1, 1, 1, 1])
    let months = try context.fetchGroups(
      by: .component(.month, from: \.createdAt, in: Timeline.calendar), computing: .count, matching: live)
    #expect(months.map(\.key) == [1, 2, 3])
    #expect(months.map(\.value) == [1, 3, 1])
  }

  @Test("Notes are sorted by date and title, page by page")
  func paging() throws {
    var page = FetchDescriptor<Note>(
      predicate: #Predicate { $0.deletedAt == nil },
      sortBy: [SortDescriptor(\.modifiedAt, order: .reverse), SortDescriptor(\.title)])
    page.fetchLimit = 2
    var pages: [[String]] = []
    for number in 0..<3 {
      page.fetchOffset = number * 2
      pages.append(try context.fetch(page).map(\.title))
    }
    #expect(pages == [["Idea", "Inca trail"], ["Packing list", "Review"], ["Rent"]])
  }

  @Test("Notes are sorted by the folder's parent, which may be nil")
  func nestedOrder() throws {
    let order = [SortDescriptor(\Note.folder?.parent?.name), SortDescriptor(\Note.title, order: .reverse)]
    #expect(
      try titles(#Predicate { $0.deletedAt == nil }, sortBy: order)
        == ["Review", "Rent", "Idea", "Packing list", "Inca trail"])
  }

  @Test("Notes that were in the bin for a month are deleted with their files")
  func bin() throws {
    let cutoff = Timeline.date(2024, 2, 1)
    #expect(try titles(Note.binned(before: cutoff)) == ["Old money"])
    try context.delete(model: Note.self, where: Note.binned(before: cutoff))
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Note>()) == 6)
    let money = FetchDescriptor<Tag>(predicate: #Predicate { tag in tag.name == "Money" && tag.notes.count == 2 })
    #expect(try context.fetchCount(money) == 1)
    context.delete(try folder("Home"))
    try context.save()
    #expect(try titles(#Predicate { _ in true }) == ["Deleted lately", "Idea", "Review"])
    #expect(try context.fetchCount(FetchDescriptor<NotesApp.Attachment>()) == 0)
  }

  @Test("A search includes unsaved edits")
  func unsaved() throws {
    let idea = try #require(
      try context.fetch(FetchDescriptor<Note>(predicate: #Predicate { $0.title == "Idea" })).first)
    idea.body = "nothing"
    idea.title = "Money plan"
    let draft = Note(title: "Draft", body: "more money", createdAt: Timeline.date(2024, 4, 1))
    context.insert(draft)
    context.allowsInMemoryEvaluation = true
    #expect(try titles(Note.predicate(searchText: "money")) == ["Draft", "Inca trail", "Money plan", "Rent"])
    #expect(try titles(Note.predicate(searchText: "cafe")) == ["Inca trail"])
    context.rollback()
    #expect(try titles(Note.predicate(searchText: "cafe")) == ["Idea", "Inca trail"])
  }

  @Test("The titles of a list are read first, and the rest when a note is opened")
  func partialRows() throws {
    var list = FetchDescriptor<Note>(
      predicate: #Predicate { $0.deletedAt == nil }, sortBy: [SortDescriptor(\.title)])
    list.propertiesToFetch = [\.title, \.modifiedAt]
    list.relationshipKeyPathsForPrefetching = [\.tags, \.folder]
    let reader = ModelContext(context.container)
    let notes = try reader.fetch(list)
    #expect(notes.map(\.title) == ["Idea", "Inca trail", "Packing list", "Rent", "Review"])
    #expect(notes[0].body == "A CAFÉ with books")
    #expect(notes[3].checklist.map(\.text) == ["Transfer", "Receipt"])
    #expect(notes.map { $0.tags.count } == [0, 2, 0, 2, 1])
    #expect(notes.map { $0.folder?.name } == [nil, "Peru", "Travel", "Home", "Work"])
    #expect(!reader.hasChanges)
  }
}
