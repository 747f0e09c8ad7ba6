import ArgumentParser
import Foundation
import SwiftData

/// Shows the items of a container, and runs the user's commands.
@MainActor
final class Session {
  private let context: ModelContext
  private let observer: ResultsObserver<Item, Never>
  private let list = ItemList()
  private let connection: ResultsConnection

  init(_ container: ModelContainer) throws {
    context = container.mainContext
    observer = try ResultsObserver(sortBy: [SortDescriptor(\.date)], modelContext: context)
    // However fast another process saves, the list is drawn at most twenty times a second.
    connection = observer.connect(list, coalescing: .milliseconds(50))
  }

  /// Runs commands until there are no more, or until the command to quit.
  func run(_ commands: AsyncStream<String>) async {
    for await command in commands {
      let words = command.split(separator: " ", maxSplits: 1).map(String.init)
      let argument = words.count > 1 ? words[1].trimmingCharacters(in: .whitespaces) : ""
      if words.first == "quit" { return }
      do {
        try perform(words.first ?? "", argument)
      } catch {
        context.rollback()
        connection.update()
        FileHandle.standardError.write(Data("\(error)\n".utf8))
      }
    }
  }

  private func perform(_ name: String, _ argument: String) throws {
    switch name {
    case "": break
    case "sort": observer.sortBy = try order(by: argument)
    case "filter":
      observer.filterBy = argument.isEmpty ? nil : #Predicate { $0.title.localizedStandardContains(argument) }
    case "add":
      let title = argument.drop { $0 == "!" }.trimmingCharacters(in: .whitespaces)
      if title.isEmpty { throw ValidationError("A task needs a title, as in: add !!Call Ada") }
      context.insert(Item(title: title, priority: argument.prefix { $0 == "!" }.count))
    case "done": try item(argument).isDone = true
    case "delete": context.delete(try item(argument))
    default: throw ValidationError("There is no command \"\(name)\": use sort, filter, add, done, delete or quit.")
    }
    try context.save()
    // The user's own changes are shown at once.
    connection.update()
  }

  private func order(by name: String) throws -> [SortDescriptor<Item>] {
    switch name {
    case "title": [SortDescriptor(\.title), SortDescriptor(\.date)]
    case "priority": [SortDescriptor(\.priority, order: .reverse), SortDescriptor(\.date)]
    case "date": [SortDescriptor(\.date)]
    default: throw ValidationError("Tasks are sorted by title, priority or date, and not by \"\(name)\".")
    }
  }

  /// The item with a number in the list that was shown last.
  private func item(_ number: String) throws -> Item {
    guard let number = Int(number), list.rows.indices.contains(number - 1) else {
      throw ValidationError("There is no task with the number \"\(number)\" in the list.")
    }
    return list.rows[number - 1].item
  }
}
