import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

enum LittleLetters {
  @Model
  final class Visitor {
    var userId: String
    var imageUrl: String?

    init(_ userId: String, _ imageUrl: String?) {
      self.userId = userId
      self.imageUrl = imageUrl
    }
  }
}

/// The same properties with abbreviations in capital letters, without original names.
enum CapitalLetters {
  @Model
  final class Visitor {
    var userID: String
    var imageURL: String?

    init(_ userID: String, _ imageURL: String?) {
      self.userID = userID
      self.imageURL = imageURL
    }
  }
}

enum CapitalLettersWithDefault {
  @Model
  final class Visitor {
    var userID: String = "none"
    var imageURL: String?

    init(_ userID: String, _ imageURL: String?) {
      self.userID = userID
      self.imageURL = imageURL
    }
  }
}

@Suite("Properties renamed in capital letters only")
struct RecasedNamesTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
    let context = try store.open([LittleLetters.Visitor.self]).freshContext()
    context.insert(LittleLetters.Visitor("u1", "picture"))
    try context.save()
  }

  @Test("A property renamed in capital letters only is the same one")
  func required() throws {
    let visitor = try store.open([CapitalLetters.Visitor.self]).freshContext().only(CapitalLetters.Visitor.self)
    #expect(visitor.userID == "u1")
    #expect(visitor.imageURL == "picture")
  }

  @Test("A property renamed in capital letters only keeps its values, even if it has a default value")
  func defaulted() throws {
    let context = try store.open([CapitalLettersWithDefault.Visitor.self]).freshContext()
    let visitor = try context.only(CapitalLettersWithDefault.Visitor.self)
    #expect(visitor.userID == "u1")
    #expect(visitor.imageURL == "picture")
  }
}
