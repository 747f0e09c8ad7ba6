import Foundation
import SwiftData

// The code of the tutorial before its last step. The program `notes` has the last one.

struct CommandsWithInsertion {
  let context: ModelContext

  func run(_ words: [String]) throws {
    let text = words.dropFirst().joined(separator: " ")
    switch words.first {
    case "add": try add(text)
    default: try list()
    }
  }

  func add(_ text: String) throws {
    context.insert(Note(text: text))
    try context.save()
  }

  private func list() throws {}
}
