import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

enum CategoryByName {
  @Model
  final class Ware {
    var number: Int
    var category: String?

    init(_ number: Int, _ category: String?) {
      self.number = number
      self.category = category
    }
  }

  @Model
  final class Category {
    var name: String

    init(_ name: String) {
      self.name = name
    }
  }
}

enum CategoryByReference {
  @Model
  final class Ware {
    var number: Int
    var category: Category?

    init(_ number: Int) {
      self.number = number
    }
  }

  typealias Category = CategoryByName.Category
}

/// Their columns are `category` and `category_id`, which do not collide.
@Suite("Attributes that become to-ones and back")
struct AttributeBecomesReferenceTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
  }

  @Test("An attribute is replaced by an optional to-one of its name, and restored with its values")
  func becomesReference() throws {
    let old = try store.open([CategoryByName.Ware.self, CategoryByName.Category.self]).freshContext()
    old.insert(CategoryByName.Ware(1, "tools"))
    try old.save()
    let context = try store.open([CategoryByReference.Ware.self, CategoryByReference.Category.self]).freshContext()
    let ware = try context.only(CategoryByReference.Ware.self)
    #expect(ware.number == 1)
    #expect(ware.category == nil)
    ware.category = CategoryByReference.Category("new")
    try context.save()
    let back = try store.open([CategoryByName.Ware.self, CategoryByName.Category.self]).freshContext()
    #expect(try back.only(CategoryByName.Ware.self).category == "tools")
  }

  @Test("A to-one is replaced by an optional attribute of its name")
  func becomesAttribute() throws {
    let old = try store.open([CategoryByReference.Ware.self, CategoryByReference.Category.self]).freshContext()
    let ware = CategoryByReference.Ware(1)
    old.insert(ware)
    ware.category = CategoryByReference.Category("tools")
    try old.save()
    let context = try store.open([CategoryByName.Ware.self, CategoryByName.Category.self]).freshContext()
    #expect(try context.only(CategoryByName.Ware.self).category == nil)
  }
}
