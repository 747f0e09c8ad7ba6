import Foundation
import SwiftData
package import Workload

/// A store of live rows, opened through the library.
struct LiveStore {
  let container: ModelContainer

  init(_ file: URL) throws {
    container = try ModelContainer(
      for: LiveRow.self, LiveNote.self, configurations: ModelConfiguration(url: file, history: .none))
  }

  /// A context without autosave.
  func makeContext() -> ModelContext {
    let context = ModelContext(container)
    context.autosaveEnabled = false
    return context
  }
}

extension ModelContext {
  func liveRows(_ numbers: [Int]) throws -> [Int: LiveRow] {
    if numbers.isEmpty { return [:] }
    let numbers = Set(numbers)
    let rows = try fetch(FetchDescriptor<LiveRow>(predicate: #Predicate { numbers.contains($0.number) }))
    return Dictionary(rows.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension StoreBuilder {
  /// Writes the store with the rows of a case, and one note.
  package static func buildLiveRows(of liveCase: LiveCase, in folder: StoreFolder) throws {
    let context = try LiveStore(folder.liveRows(of: liveCase)).makeContext()
    for seed in liveCase.rows { context.insert(LiveRow(seed)) }
    context.insert(LiveNote(text: "0"))
    try context.save()
  }
}
