import Foundation
import SwiftData

@Model
final class Note {
  var text: String
  var written: Date

  init(text: String, written: Date = .now) {
    self.text = text
    self.written = written
  }
}

@main
struct Notes {
  @MainActor
  static func main() {
    do {
      try run()
    } catch {
      // An error of SwiftData says what is wrong, where, and what to do about it.
      print(error)
      exit(1)
    }
  }

  @MainActor
  private static func run() throws {
    let container = try ModelContainer(for: Note.self)
    let context = container.mainContext
    context.insert(Note(text: CommandLine.arguments.dropFirst().joined(separator: " ")))
    try context.save()
    for note in try context.fetch(FetchDescriptor<Note>(sortBy: [SortDescriptor(\.written)])) {
      print(note.text)
    }
  }
}
