import Foundation
import SwiftData

extension StoreTrial {
  func checkFailedSave() throws {
    let container = try open(ConformanceModels.drafts)
    defer { retainedContainers = [] }
    try checkFailedEncoding(container)
    try checkDeniedDeletion(container)
  }

  /// Checks a save that fails in the store, because it cannot encode one of several updated models.
  private func checkFailedEncoding(_ container: ModelContainer) throws {
    let context = ModelContext(container)
    let drafts = ["a", "b", "c", "d"].map { Draft($0) }
    for draft in drafts { context.insert(draft) }
    try context.save()
    for draft in drafts.prefix(3) { draft.passage.text = "new" }
    drafts[1].passage.text = ConformanceModels.Passage.unencodable
    context.delete(drafts[3])
    context.insert(Draft("e"))
    context.insert(Tag("new"))
    var hasFailed = false
    do {
      try context.save()
    } catch {
      hasFailed = true
    }
    // A store that encodes no values, such as one in memory, saves the changes.
    if hasFailed {
      expect(context.hasChanges, "the context has no changes after the store's save failed")
      try expectDrafts(["a old", "b old", "c old", "d old"], tags: [], container, "after the store's save failed")
    }
    drafts[1].passage.text = "new"
    try context.save()
    try expectDrafts(["a new", "b new", "c new", "e old"], tags: ["new"], container, "after the value was replaced")
  }

  /// Compares the models in another context and, if the store is persistent, in a second container.
  private func expectDrafts(
    _ drafts: [String], tags: [String], _ container: ModelContainer, _ occasion: String
  ) throws {
    func compare(_ context: ModelContext, _ reader: String) throws {
      let found = try context.fetch(FetchDescriptor<Draft>()).map { "\($0.title) \($0.passage.text)" }.sorted()
      expectEqual(found, drafts, "drafts of \(reader) \(occasion)")
      expectEqual(try context.fetch(FetchDescriptor<Tag>()).map(\.word), tags, "tags of \(reader) \(occasion)")
    }
    try compare(ModelContext(container), "another context")
    guard try isClaimed(.persistence) else { return }
    let second = try open(ConformanceModels.drafts)
    // Its release would unregister the schema with which a custom store decodes the snapshots of the first container.
    retainedContainers.append(second)
    try compare(ModelContext(second), "a second container")
  }

  /// Checks a save that fails before the context sends its changes to the store.
  private func checkDeniedDeletion(_ container: ModelContainer) throws {
    let context = ModelContext(container)
    let (shelf, book) = (Shelf("full"), Book("held"))
    book.shelf = shelf
    context.insert(shelf)
    try context.save()
    context.insert(Author("Ada"))
    book.pages = 7
    // The shelf's rule denies its deletion because it has a book, so nothing of this save may be written.
    context.delete(shelf)
    do {
      try context.save()
      messages.append("the save of a denied deletion did not throw")
    } catch {}
    expect(context.hasChanges, "the context has no changes after the save that failed")
    let other = ModelContext(container)
    expectEqual(try names(other), [], "authors after a save that failed")
    expectEqual(try other.fetch(FetchDescriptor<Book>()).map(\.pages), [0], "pages after a save that failed")
    // Now nothing denies the deletion, and the save writes all changes of the failed one.
    book.shelf = nil
    try context.save()
    let last = ModelContext(container)
    expectEqual(try names(last), ["Ada"], "authors after the second save")
    expectEqual(try last.fetch(FetchDescriptor<Book>()).map(\.pages), [7], "pages after the second save")
    expectEqual(try last.fetchCount(FetchDescriptor<Shelf>()), 0, "shelves after the second save")
  }
}
