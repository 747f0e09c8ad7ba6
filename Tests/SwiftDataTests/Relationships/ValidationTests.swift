import SwiftData
import Testing

@testable import TestSupport

@Suite("Validation by a save")
struct ValidationTests {
  private func issues(of context: ModelContext) -> [SwiftDataError.Issue] {
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
    return error?.details?.issues ?? []
  }

  @Test(
    "A deletion that empties a required to-one fails the save, and a new target makes it valid",
    arguments: [true, false])
  func requiredToOne(isFresh: Bool) throws {
    let container = try makeRules()
    let first = ModelContext(container)
    first.insert(Line("l", Invoice(1)))
    try first.save()
    let context = isFresh ? ModelContext(container) : first
    context.delete(try context.only(Invoice.self))
    #expect(issues(of: context).map(\.property) == ["invoice"])
    #expect(context.deletedModelsArray.count == 1)
    let line = try context.only(Line.self)
    line.invoice = Invoice(2)
    try context.save()
    #expect(try container.freshContext().only(Line.self).invoice.number == 2)
  }

  @Test("A validation error names the model first, and each fact once")
  func description() throws {
    let context = ModelContext(try makeRules())
    context.insert(Line("l", Invoice(1)))
    try context.save()
    context.delete(try context.only(Invoice.self))
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    let text = try #require(error?.description)
    #expect(error?.details?.message?.hasPrefix("Line/p1 must have a invoice, and has none.") == true)
    #expect(error?.details?.message?.contains("delete rule .nullify of Invoice.lines") == true)
    for fact in ["must have a invoice", "in: Line.invoice", "model: PersistentIdentifier(Line/p1)"] {
      #expect(text.components(separatedBy: fact).count == 2, "\(text)")
    }
  }

  @Test("Too few and too many members fail the save", arguments: [(0, "few"), (4, "many")])
  func counts(_ count: Int, _ word: String) throws {
    let context = ModelContext(try makeRules())
    let team = Team("t")
    team.players = (0..<count).map { Player("\($0)") }
    context.insert(team)
    let found = issues(of: context)
    #expect(found.count == 1)
    #expect(found.first?.message.contains(word) == true)
    team.players = [Player("x"), Player("y")]
    try context.save()
  }

  @Test("A count is validated too when members leave from their own side")
  func countFromOtherSide() throws {
    let container = try makeRules()
    let first = ModelContext(container)
    let made = Team("t")
    made.players = [Player("a")]
    first.insert(made)
    try first.save()
    let context = ModelContext(container)
    try context.only(Player.self).team = nil
    #expect(issues(of: context).map(\.property) == ["players"])
    context.rollback()
    try context.save()
    #expect(try context.only(Team.self).players.count == 1)
  }

  @Test("One error contains all violations, each with its model")
  func together() throws {
    let context = ModelContext(try makeRules())
    let shop = Kiosk("s")
    shop.orders = [Purchase(1)]
    let invoice = Invoice(1)
    let line = Line("l", invoice)
    for model: any PersistentModel in [shop, line] { context.insert(model) }
    try context.save()
    let teams = [Team("a"), Team("b")]
    for team in teams { context.insert(team) }
    context.delete(shop)
    context.delete(invoice)
    let found = issues(of: context)
    #expect(
      Set(found.map(\.persistentIdentifier))
        == Set(
          teams.map(\.persistentModelID) + [shop.persistentModelID, line.persistentModelID]))
  }
}
