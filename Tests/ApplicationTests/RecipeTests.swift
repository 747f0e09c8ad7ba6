import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("A recipes app")
struct RecipeTests {
  private typealias Recipe = Cookbook.Recipe
  private typealias Ingredient = Cookbook.Ingredient
  private typealias Line = Cookbook.Line
  private typealias PlannedMeal = Cookbook.PlannedMeal

  private let context: ModelContext

  init() throws {
    context = ModelContext(
      try ModelContainer(
        for: Recipe.self, Ingredient.self, Line.self, PlannedMeal.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    context.allowsInMemoryEvaluation = false
    try fill()
  }

  private func fill() throws {
    let rice = Ingredient("Rice", isInPantry: true)
    let egg = Ingredient("Egg", isAllergen: true, isInPantry: true)
    let peanut = Ingredient("Peanut", isAllergen: true)
    let creme = Ingredient("Crème fraîche")
    let unused = Ingredient("Saffron")
    for ingredient in [rice, egg, peanut, creme, unused] { context.insert(ingredient) }
    let fried = Recipe(
      "Fried rice", preparation: 10, cooking: 15, diets: [.vegetarian, .glutenFree],
      steps: [.init(text: "Boil the rice", minutes: 12), .init(text: "Fry it")],
      lines: [.init(200, .gram, rice), .init(2, .piece, egg)])
    fried.rating = 4.5
    fried.nutrition = .init(calories: 900, protein: 20)
    let curry = Recipe(
      "Peanut curry", preparation: 20, cooking: 40, servings: 4, diets: [.vegan, .vegetarian],
      steps: [.init(text: "Roast", minutes: 5), .init(text: "Simmer", minutes: 40)],
      lines: [.init(300, .gram, rice), .init(100, .gram, peanut)])
    curry.nutrition = .init(calories: 2000, protein: nil)
    let omelette = Recipe(
      "Omelette", preparation: 5, cooking: 5, servings: 1, diets: [.vegetarian],
      lines: [.init(3, .piece, egg), .init(50, .millilitre, creme)])
    omelette.rating = 4.5
    omelette.source = URL(string: "https://example.org/omelette")
    let water = Recipe("Water", preparation: 0, cooking: 0)
    water.picture = Data([1, 2, 3])
    for recipe in [fried, curry, omelette, water] { context.insert(recipe) }
    for (recipe, day, meal) in [
      (fried, 1, .dinner), (omelette, 2, .breakfast), (curry, 2, .dinner), (fried, 9, .lunch),
    ] as [(Recipe, Int, Cookbook.Meal)] {
      context.insert(PlannedMeal(recipe, on: Timeline.date(2024, 9, day), meal))
    }
    try context.save()
  }

  private func titles(_ predicate: Predicate<Recipe>) throws -> [String] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.title)])).map(\.title)
  }

  @Test("Recipes are filtered by text, time, diets and the contents of the pantry")
  func filters() throws {
    func found(_ filter: Recipe.Filter) throws -> [String] { try titles(Recipe.predicate(for: filter)) }
    #expect(try found(.init()) == ["Fried rice", "Omelette", "Peanut curry", "Water"])
    #expect(try found(.init(text: "RICE")) == ["Fried rice", "Peanut curry"])
    #expect(try found(.init(text: "creme")) == ["Omelette"])
    #expect(try found(.init(longest: 25)) == ["Fried rice", "Omelette", "Water"])
    #expect(try found(.init(longest: 24, diets: [.vegetarian])) == ["Omelette"])
    #expect(try found(.init(diets: [.vegetarian, .vegan])) == ["Peanut curry"])
    #expect(try found(.init(isInPantry: true)) == ["Fried rice", "Water"])
  }

  @Test("Recipes with at most one missing ingredient are found, and recipes without allergens")
  func shopping() throws {
    #expect(
      try titles(
        #Predicate { recipe in
          recipe.lines.filter { !($0.ingredient?.isInPantry ?? false) }.count == 1
        }) == ["Omelette", "Peanut curry"])
    #expect(
      try titles(
        #Predicate { recipe in !recipe.lines.contains { $0.ingredient?.isAllergen == true } }) == ["Water"])
    #expect(
      try titles(#Predicate { recipe in recipe.lines.contains { $0.unit.rawValue == "piece" && $0.quantity > 2 } })
        == ["Omelette"])
    let names: Set<String> = ["Rice", "Egg"]
    let each = names.map { name in
      #Predicate<Recipe> { recipe in recipe.lines.contains { $0.ingredient?.name == name } }
    }
    #expect(try titles(Predicate(all: each)) == ["Fried rice"])
  }

  @Test("A shopping list for the meals of a week is summed")
  func shoppingList() throws {
    let start = Timeline.date(2024, 9, 1)
    let end = Timeline.date(2024, 9, 8)
    let meals = FetchDescriptor<PlannedMeal>(predicate: #Predicate { $0.day >= start && $0.day < end })
    let planned = Set(try context.fetch(meals).compactMap(\.recipe?.persistentModelID))
    #expect(planned.count == 3)
    let lines = FetchDescriptor<Line>(
      predicate: #Predicate { line in line.recipe.flatMap { planned.contains($0.persistentModelID) } ?? false })
    let list = try context.fetchGroups(
      by: \Line.ingredient?.name, \Line.unit, computing: .sum(of: \.quantity), matching: lines)
    #expect(
      list.map { "\($0.key.0 ?? "") \($0.key.1.rawValue) \($0.value)" }
        == ["Crème fraîche millilitre 50.0", "Egg piece 5.0", "Peanut gram 100.0", "Rice gram 500.0"])
    let missing = FetchDescriptor<Ingredient>(
      predicate: #Predicate { ingredient in
        !ingredient.isInPantry
          && ingredient.lines.contains { line in
            line.recipe.flatMap { $0.meals.contains { $0.day >= start && $0.day < end } } ?? false
          }
      }, sortBy: [SortDescriptor(\.name)])
    #expect(try context.fetch(missing).map(\.name) == ["Crème fraîche", "Peanut"])
  }

  @Test("Recipes are found by nutrition per serving, and by optional ratings")
  func numbers() throws {
    #expect(
      try titles(
        #Predicate { recipe in
          if let nutrition = recipe.nutrition { nutrition.calories > 1000 } else { false }
        }) == ["Peanut curry"])
    #expect(try titles(#Predicate { $0.nutrition != nil && $0.nutrition?.protein == nil }) == ["Peanut curry"])
    #expect(try titles(#Predicate { ($0.rating ?? 3) >= 3 && $0.servings > 2 }) == ["Peanut curry"])
    let best = FetchDescriptor<Recipe>(
      sortBy: [SortDescriptor(\.rating, order: .reverse), SortDescriptor(\.title, order: .reverse)])
    #expect(try context.fetch(best).map(\.title) == ["Omelette", "Fried rice", "Water", "Peanut curry"])
    let byProtein = FetchDescriptor<Recipe>(sortBy: [SortDescriptor(\.nutrition?.calories), SortDescriptor(\.title)])
    #expect(try context.fetch(byProtein).map(\.title) == ["Omelette", "Water", "Fried rice", "Peanut curry"])
    #expect(try context.fetchAggregates(.average(of: \Recipe.rating)) == 4.5)
    let (cooking, longest, count) = try context.fetchAggregates(
      .sum(of: \Recipe.cooking), .maximum(of: \.preparation), .count)
    #expect(cooking == 60 && longest == 20 && count == 4)
  }

  @Test("Recipes are found by their steps, sources and pictures")
  func details() throws {
    #expect(
      try titles(#Predicate { recipe in recipe.steps.contains { ($0.minutes ?? 0) >= 12 } })
        == ["Fried rice", "Peanut curry"])
    let word = "fry"
    #expect(
      try titles(#Predicate { recipe in recipe.steps.contains { $0.text.localizedStandardContains(word) } })
        == ["Fried rice"])
    #expect(try titles(#Predicate { $0.steps.isEmpty }) == ["Omelette", "Water"])
    #expect(try titles(#Predicate { $0.picture != nil }) == ["Water"])
    let source = URL(string: "https://example.org/omelette")
    #expect(try titles(#Predicate { $0.source == source }) == ["Omelette"])
    #expect(try titles(#Predicate { $0.source == nil && $0.diets.isEmpty }) == ["Water"])
  }

  @Test("Recipes that were not cooked recently are found, and the plan for each meal")
  func plans() throws {
    let since = Timeline.date(2024, 9, 5)
    #expect(
      try titles(#Predicate { recipe in !recipe.meals.isEmpty && recipe.meals.allSatisfy { $0.day < since } })
        == ["Omelette", "Peanut curry"])
    let meals = FetchDescriptor<PlannedMeal>(
      sortBy: [SortDescriptor(\.day), SortDescriptor(\.meal, order: .reverse), SortDescriptor(\.recipe?.title)])
    #expect(
      try context.fetch(meals).map { $0.recipe?.title } == ["Fried rice", "Peanut curry", "Omelette", "Fried rice"])
    let counts = try context.fetchGroups(by: \PlannedMeal.meal, computing: .count)
    #expect(counts.map(\.key) == [.breakfast, .lunch, .dinner])
    #expect(counts.map(\.value) == [1, 1, 2])
    let meal = Cookbook.Meal.lunch
    let late = FetchDescriptor<PlannedMeal>(predicate: #Predicate { $0.meal >= meal && $0.recipe?.rating != nil })
    #expect(try context.fetchCount(late) == 2)
  }

  @Test("Ingredients are ranked by use")
  func ingredients() throws {
    let ranks = try context.fetchGroups(
      by: \Line.ingredient?.name, computing: .count,
      sortBy: [.init(.count, order: .reverse), .init(\Line.ingredient?.name)], limit: 2)
    #expect(ranks.map(\.key) == ["Egg", "Rice"])
    #expect(ranks.map(\.value) == [2, 2])
    let unused = FetchDescriptor<Ingredient>(predicate: #Predicate { $0.lines.isEmpty })
    #expect(try context.fetch(unused).map(\.name) == ["Saffron"])
    let one = 1
    let rare = FetchDescriptor<Ingredient>(
      predicate: #Predicate { $0.lines.count == one }, sortBy: [SortDescriptor(\.name, order: .reverse)])
    #expect(try context.fetch(rare).map(\.name) == ["Peanut", "Crème fraîche"])
  }

  @Test("A recipe is found by its own identifier, and updated when it is inserted again")
  func identity() throws {
    let omelette = try #require(
      try context.fetch(FetchDescriptor<Recipe>(predicate: #Predicate { $0.title == "Omelette" })).first)
    let id = omelette.id
    #expect(try titles(#Predicate { $0.id == id }) == ["Omelette"])
    let again = Recipe("Omelette with herbs", preparation: 6, cooking: 5)
    again.id = id
    context.insert(again)
    try context.save()
    #expect(try titles(#Predicate { _ in true }) == ["Fried rice", "Omelette with herbs", "Peanut curry", "Water"])
    #expect(try titles(#Predicate { $0.id == id }) == ["Omelette with herbs"])
  }

  @Test("Unsaved changes of sets, steps and nutrition are visible in fetches")
  func pending() throws {
    let water = try #require(
      try context.fetch(FetchDescriptor<Recipe>(predicate: #Predicate { $0.title == "Water" })).first)
    water.diets.insert(.vegan)
    water.steps.append(.init(text: "Pour", minutes: 1))
    water.nutrition = .init(calories: 0)
    let vegan = Cookbook.Diet.vegan
    #expect(try titles(#Predicate { $0.diets.contains(vegan) }) == ["Peanut curry", "Water"])
    #expect(try titles(#Predicate { recipe in recipe.steps.contains { $0.minutes == 1 } }) == ["Water"])
    #expect(try titles(#Predicate { $0.nutrition?.calories == 0 }) == ["Water"])
    try context.save()
    #expect(try titles(#Predicate { $0.diets.contains(vegan) }) == ["Peanut curry", "Water"])
    water.nutrition?.protein = 3
    #expect(try titles(#Predicate { ($0.nutrition?.protein ?? 0) == 3 }) == ["Water"])
    try context.save()
    #expect(try titles(#Predicate { ($0.nutrition?.protein ?? 0) == 3 }) == ["Water"])
  }
}
