import Foundation
import SwiftData

struct Commands {
  let context: ModelContext

  func run(_ words: [String]) throws {
    let text = words.dropFirst().joined(separator: " ")
    switch words.first {
    case "add": try add(text)
    case "find": try find(text)
    case "topic" where words.count == 3: try assign(words[1], toNotesWith: words[2])
    case "replace" where words.count == 3: try replace(words[1], with: words[2])
    case "undo": try deleteAndUndo(text)
    default: try list()
    }
  }

  func list() throws {
    let notes = try context.fetch(FetchDescriptor<Note>(sortBy: [SortDescriptor(\.written)]))
    print("Notes: \(notes.count)")
    for note in notes {
      print("- \(note.text)")
    }
  }

  func add(_ text: String) throws {
    context.insert(Note(text: text))
    try context.save()
  }

  func find(_ text: String) throws {
    for note in try notes(with: text) {
      print("- \(note.text)")
    }
  }

  func notes(with text: String) throws -> [Note] {
    let descriptor = FetchDescriptor<Note>(
      predicate: #Predicate { $0.text.localizedStandardContains(text) },
      sortBy: [SortDescriptor(\.written)])
    return try context.fetch(descriptor)
  }

  func assign(_ name: String, toNotesWith text: String) throws {
    let topic = Topic(name: name)
    topic.notes = try notes(with: text)
    context.insert(topic)
    try context.save()

    for topic in try context.fetch(FetchDescriptor<Topic>(sortBy: [SortDescriptor(\.name)])) {
      print("\(topic.name):", topic.notes.map(\.text).sorted())
    }
  }

  func replace(_ old: String, with new: String) throws {
    for note in try notes(with: old) {
      note.text = note.text.replacingOccurrences(of: old, with: new)
    }
    try context.save()
    try list()
  }

  func deleteAndUndo(_ text: String) throws {
    context.undoManager = UndoManager()
    for note in try notes(with: text) {
      context.delete(note)
    }
    try list()

    context.undoManager?.undo()
    try list()
  }
}
