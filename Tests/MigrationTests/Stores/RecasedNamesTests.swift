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

/// The same properties, whose abbreviations have capital letters; no original names are given.
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

@Suite("Properties whose names differ in capital letters from those of the store")
struct RecasedNamesTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
    let context = try store.open([LittleLetters.Visitor.self]).freshContext()
    context.insert(LittleLetters.Visitor("u1", "picture"))
    try context.save()
  }

  @Test("Properties whose names differ in capital letters alone are the same ones")
  func required() throws {
    let visitor = try store.open([CapitalLetters.Visitor.self]).freshContext().only(CapitalLetters.Visitor.self)
    #expect(visitor.userID == "u1")
    #expect(visitor.imageURL == "picture")
  }

  @Test("Properties whose names differ in capital letters alone keep their values, where new ones would have a default")
  func defaulted() throws {
    let context = try store.open([CapitalLettersWithDefault.Visitor.self]).freshContext()
    let visitor = try context.only(CapitalLettersWithDefault.Visitor.self)
    #expect(visitor.userID == "u1")
    #expect(visitor.imageURL == "picture")
  }
}
