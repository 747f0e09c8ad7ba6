import Foundation
import SwiftData

struct Commands {
  let context: ModelContext

  func run(_ words: [String]) throws {
    try list()
  }

  func list() throws {
    let notes = try context.fetch(FetchDescriptor<Note>(sortBy: [SortDescriptor(\.written)]))
    print("Notes: \(notes.count)")
    for note in notes {
      print("- \(note.text)")
    }
  }
}
