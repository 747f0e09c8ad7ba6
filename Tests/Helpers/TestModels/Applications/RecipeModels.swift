import Foundation
import SwiftData

@testable import TestSupport

// Recipes with measured ingredients, and the meals that are planned with them.

enum Cookbook {
  enum Diet: String, Codable, CaseIterable, Sendable {
    case vegan, vegetarian, glutenFree
  }

  enum Meal: Int, Codable, CaseIterable, Comparable, Sendable {
    case breakfast, lunch, dinner

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  enum Unit: String, Codable, CaseIterable, Sendable {
    case gram, piece, millilitre
  }

  struct Nutrition: Codable, Hashable, Sendable {
    var calories: Double
    var protein: Double?
  }

  struct Step: Codable, Hashable, Sendable {
    var text: String
    var minutes: Int?
  }

  @Model
  final class Recipe {
    @Attribute(.unique) var id: UUID
    var title: String
    var summary: String?
    var preparation: Int
    var cooking: Int
    var servings: Int
    var diets: Set<Diet>
    var steps: [Step]
    var nutrition: Nutrition?
    var rating: Double?
    var source: URL?
    @Attribute(.externalStorage) var picture: Data?
    @Relationship(deleteRule: .cascade, inverse: \Line.recipe) var lines: [Line] = []
    @Relationship(deleteRule: .cascade, inverse: \PlannedMeal.recipe) var meals: [PlannedMeal] = []

    init(
      _ title: String, preparation: Int, cooking: Int, servings: Int = 2, diets: Set<Diet> = [], steps: [Step] = [],
      lines: [Line] = []
    ) {
      id = UUID()
      self.title = title
      self.preparation = preparation
      self.cooking = cooking
      self.servings = servings
      self.diets = diets
      self.steps = steps
      self.lines = lines
    }
  }

  @Model
  final class Ingredient {
    @Attribute(.unique) var name: String
    var isAllergen: Bool
    var isInPantry: Bool
    var lines: [Line] = []

    init(_ name: String, isAllergen: Bool = false, isInPantry: Bool = false) {
      self.name = name
      self.isAllergen = isAllergen
      self.isInPantry = isInPantry
    }
  }

  @Model
  final class Line {
    var quantity: Double
    var unit: Unit
    @Relationship(inverse: \Ingredient.lines) var ingredient: Ingredient?
    var recipe: Recipe?

    init(_ quantity: Double, _ unit: Unit, _ ingredient: Ingredient) {
      self.quantity = quantity
      self.unit = unit
      self.ingredient = ingredient
    }
  }

  @Model
  final class PlannedMeal {
    var day: Date
    var meal: Meal
    var recipe: Recipe?

    init(_ recipe: Recipe, on day: Date, _ meal: Meal) {
      self.recipe = recipe
      self.day = day
      self.meal = meal
    }
  }
}

extension Cookbook.Recipe {
  /// The settings of the app's filter sheet.
  struct Filter {
    var text = ""
    var longest: Int?
    var diets: [Cookbook.Diet] = []
    var isInPantry = false
  }

  static func predicate(for filter: Filter) -> Predicate<Cookbook.Recipe> {
    let text = filter.text
    let longest = filter.longest ?? .max
    let isInPantry = filter.isInPantry
    let matches = #Predicate<Cookbook.Recipe> { recipe in
      text.isEmpty
        || recipe.title.localizedStandardContains(text)
        || recipe.lines.contains { $0.ingredient?.name.localizedStandardContains(text) ?? false }
    }
    let isPossible = #Predicate<Cookbook.Recipe> { recipe in
      recipe.preparation + recipe.cooking <= longest
        && (!isInPantry || recipe.lines.allSatisfy { $0.ingredient?.isInPantry ?? false })
    }
    let diets = filter.diets.map { diet in #Predicate<Cookbook.Recipe> { $0.diets.contains(diet) } }
    return Predicate(all: [matches, isPossible] + diets)
  }
}
