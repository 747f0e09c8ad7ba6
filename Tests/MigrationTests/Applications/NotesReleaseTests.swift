import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Releases of a notes app", .serialized)
struct NotesReleaseTests {
  private typealias V1 = NotesReleases.V1
  private typealias V2 = NotesReleases.V2
  private typealias V3 = NotesReleases.V3

  private let closures = ["V3 will", "V3 did"]
  private let store: ReleasedStore

  init() throws {
    store = try ReleasedStore(NotesReleases.Plan.self, to: NotesReleases.V3.self, NotesReleases.calls)
  }

  private func write(_ version: Int) throws {
    if version == 1 {
      try store.write(V1.self) { context in
        let folders = (0..<3).map { V1.Folder($0) }
        for folder in folders { context.insert(folder) }
        for number in (0..<40).reversed() {
          let note = V1.Note(number)
          context.insert(note)
          if number % 4 < 3 { folders[number % 4].notes.append(note) }
        }
      }
    } else {
      try store.write(V2.self) { context in
        let folders = (0..<3).map { V2.Folder($0) }
        let tags = (0..<3).map { V2.Tag($0) }
        for folder in folders { context.insert(folder) }
        for tag in tags { context.insert(tag) }
        for number in (0..<40).reversed() {
          let note = V2.Note(number)
          context.insert(note)
          if number % 4 < 3 { folders[number % 4].notes.append(note) }
          note.tags = tagNumbers(number).map { tags[$0] }
        }
      }
    }
  }

  private func tagNumbers(_ number: Int) -> [Int] { (0..<number % 4).map { ($0 + number) % 3 } }

  private func check(_ context: ModelContext, writtenBy version: Int) throws {
    let notes = try context.all(V3.Note.self, by: \.number)
    #expect(notes.map(\.number) == Array(0..<40))
    for note in notes {
      let number = note.number
      #expect(note.code == Varied.code(number))
      #expect(note.body == Varied.text(number))
      #expect(note.changed == Varied.date(number))
      #expect(note.link == Varied.link(number))
      #expect(note.isPinned == (version > 1 && number.isMultiple(of: 2)))
      #expect(note.tint == (version > 1 ? Varied.maybe(number, NotesReleases.Tint.allCases[number % 3]) : nil))
      #expect(note.keywords == (version > 1 ? Varied.words(number) : ["new"]))
      #expect(note.place == NotesReleases.Place(name: "home", latitude: -1.5))
      #expect(note.folder?.number == (number % 4 < 3 ? number % 4 : nil))
      #expect(note.tags.map(\.number) == (version > 1 ? tagNumbers(number) : []))
      let hasPictures = note.attachments.map(\.bytes) == (Varied.maybe(number, [Varied.bytes(number)]) ?? [])
      #expect(hasPictures, "\(number)")
      #expect(note.attachments.allSatisfy { $0.note === note })
    }
    #expect(try context.fetchCount(FetchDescriptor<V3.Attachment>()) == 26)
    let folders = try context.all(V3.Folder.self, by: \.number)
    #expect(folders.map(\.name) == (0..<3).map { Varied.name($0) })
    for folder in folders {
      #expect(folder.notes.map(\.number) == (0..<40).reversed().filter { $0 % 4 == folder.number })
    }
    let tags = try context.all(V3.Tag.self, by: \.number)
    #expect(tags.map(\.word) == (version > 1 ? (0..<3).map { Varied.name($0) } : []))
    for tag in tags {
      #expect(tag.notes.map(\.number) == (0..<40).reversed().filter { tagNumbers($0).contains(tag.number) })
    }
  }

  @Test("A store of each version has all values in the last version", arguments: [1, 2])
  func olderStore(version: Int) throws {
    try write(version)
    try store.migrate(running: closures) { try check($0, writtenBy: version) }
  }

  @Test("Reopening runs no closure and changes nothing", arguments: [1, 2])
  func openingAgain(version: Int) throws {
    try write(version)
    try store.migrate(running: closures) { _ in }
    try store.openAgain { try check($0, writtenBy: version) }
  }

  @Test("A new store opens without running a stage")
  func newStore() throws {
    try store.migrate(running: []) { context in
      #expect(try context.fetchCount(FetchDescriptor<V3.Note>()) == 0)
      let note = V3.Note(7)
      note.attachments = [V3.Attachment(Varied.bytes(8)), V3.Attachment(Varied.bytes(9))]
      context.insert(note)
      try context.save()
    }
    try store.openAgain { context in
      let note = try context.only(V3.Note.self)
      #expect(note.body == Varied.text(7))
      #expect(note.attachments.map(\.bytes.count) == [128 * 1024 + 8, 9])
    }
  }
}
