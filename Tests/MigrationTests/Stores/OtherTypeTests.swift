import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

enum WordLists {
  @Model
  final class Sheet {
    var number: Int
    var marks: [String] = []

    init(_ number: Int, _ marks: [String]) {
      self.number = number
      self.marks = marks
    }
  }
}

enum NoLists {
  @Model
  final class Sheet {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }
}

enum NumberLists {
  @Model
  final class Sheet {
    var number: Int
    var marks: [Int] = [7]

    init(_ number: Int, _ marks: [Int]) {
      self.number = number
      self.marks = marks
    }
  }
}

@Suite("Types that are stored in columns of one type")
struct OtherTypeTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
  }

  @Test("A collection of texts cannot become one of numbers")
  func collectionType() throws {
    let old = try store.open([WordLists.Sheet.self]).freshContext()
    old.insert(WordLists.Sheet(1, ["a"]))
    try old.save()
    let error = try expectRefusal(in: store.folder) { try store.open([NumberLists.Sheet.self]) }
    #expect(error?.details?.issues.map(\.property) == ["marks"])
  }

  @Test("A container whose schema has another type for a column does not write to it")
  func openContainer() throws {
    let old = try store.open([WordLists.Sheet.self]).freshContext()
    old.autosaveEnabled = false
    old.insert(WordLists.Sheet(1, ["a"]))
    try old.save()
    _ = try store.open([NoLists.Sheet.self])
    // The words are archived, and the column with the same name has numbers.
    let new = try store.open([NumberLists.Sheet.self]).freshContext()
    #expect(try new.only(NumberLists.Sheet.self).marks == [7])
    old.insert(WordLists.Sheet(2, ["b"]))
    #expect(throws: SwiftDataError.self) { try old.save() }
    let later = try store.open([NumberLists.Sheet.self]).freshContext()
    #expect(throws: Never.self) { try later.all(NumberLists.Sheet.self, by: \.number).map(\.marks) }
  }
}
