import Foundation
import SwiftData
import Testing

/// The models of an earlier release, kept for tests.
enum Release1 {
  @Model
  final class Recipe {
    var title: String

    init(title: String) {
      self.title = title
    }
  }
}

enum Release2 {
  @Model
  final class Recipe {
    @Attribute(originalName: "title") var name: String
    var portions: Int = 4

    init(name: String) {
      self.name = name
    }
  }
}

@Suite("A store of an earlier release, as the guide on testing tests it")
final class ShelfMigrationTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "recipes-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  @Test("Recipes of the first release have their names and four portions in the second")
  func renaming() throws {
    let file = folder.appending(path: "recipes.store")
    do {
      let container = try ModelContainer(for: Release1.Recipe.self, configurations: ModelConfiguration(url: file))
      let context = ModelContext(container)
      context.insert(Release1.Recipe(title: "Dumplings"))
      try context.save()
    }
    let container = try ModelContainer(for: Release2.Recipe.self, configurations: ModelConfiguration(url: file))
    let recipe = try #require(try ModelContext(container).fetch(FetchDescriptor<Release2.Recipe>()).first)
    #expect(recipe.name == "Dumplings")
    #expect(recipe.portions == 4)
  }
}
