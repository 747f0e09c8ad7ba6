import ArgumentParser
import Foundation
import SwiftData

/// Creates the store of a release, with numbered entries.
struct DiaryStore {
  private let configuration: ModelConfiguration

  init(_ configuration: ModelConfiguration) {
    self.configuration = configuration
  }

  func make(release: Int, count: Int) throws {
    switch release {
    case 1:
      try make(DiaryV1.self, count) { number, _ in
        DiaryV1.Entry(
          title: title(number), text: text(number), day: day(number), tags: tags(number).joined(separator: ", "))
      }
    case 2:
      try make(DiaryV2.self, count) { number, _ in
        let entry = DiaryV2.Entry(
          headline: title(number), text: text(number), day: day(number), tags: tags(number).joined(separator: ", "))
        entry.mood = number.isMultiple(of: 3) ? "glad" : nil
        return entry
      }
    case 3:
      var known: [String: DiaryV3.Tag] = [:]
      try make(DiaryV3.self, count) { number, context in
        let entry = DiaryV3.Entry(headline: title(number), text: text(number), day: day(number))
        context.insert(entry)
        entry.tags = tags(number).map { name in
          let tag = known[name] ?? DiaryV3.Tag(name: name)
          known[name] = tag
          return tag
        }
        return entry
      }
    default: throw ValidationError("There are releases 1, 2 and 3.")
    }
  }

  private func make(
    _ version: any VersionedSchema.Type, _ count: Int,
    _ entry: (_ number: Int, ModelContext) -> any PersistentModel
  ) throws {
    let context = ModelContext(
      try ModelContainer(for: Schema(versionedSchema: version), configurations: configuration))
    for number in 1...max(count, 1) { insert(entry(number, context), into: context) }
    try context.save()
  }

  private func insert(_ model: some PersistentModel, into context: ModelContext) {
    context.insert(model)
  }

  private func title(_ number: Int) -> String { "Day \(number)" }
  private func text(_ number: Int) -> String { Array(repeating: "word", count: number % 7).joined(separator: " ") }
  private func day(_ number: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(number) * 86400) }
  private func tags(_ number: Int) -> [String] { ["tag \(number % 5)", "tag \(5 + number % 3)"] }
}
