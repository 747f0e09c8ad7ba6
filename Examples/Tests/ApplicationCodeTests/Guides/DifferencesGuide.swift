import Foundation
import SwiftData

// The code of a guide, with declarations of the names that it uses. It is compiled, and not run.

enum DifferencesGuide {
  @Model
  final class List {
    var items: [Person] = []

    init() {}
  }

  static func delete(_ offsets: IndexSet, of list: List, _ context: ModelContext) {
    offsets.map { list.items[$0] }.forEach(context.delete)
  }
}

@Model
final class Person {
  var number: Int

  init(number: Int) { self.number = number }
}

extension Person: Hashable {
  static func == (lhs: Person, rhs: Person) -> Bool { lhs.number == rhs.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
