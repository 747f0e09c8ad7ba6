import Foundation
import SwiftData

// The diary's models in three releases of a program.

enum DiaryV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Entry.self] }

  @Model
  final class Entry {
    var title: String
    var text: String
    var day: Date
    /// Tags with commas between them.
    var tags: String

    init(title: String, text: String, day: Date, tags: String) {
      self.title = title
      self.text = text
      self.day = day
      self.tags = tags
    }
  }
}

/// The title is renamed to headline, and a mood is added.
enum DiaryV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Entry.self] }

  @Model
  final class Entry {
    @Attribute(originalName: "title") var headline: String
    var text: String
    var day: Date
    var tags: String
    var mood: String?

    init(headline: String, text: String, day: Date, tags: String) {
      self.headline = headline
      self.text = text
      self.day = day
      self.tags = tags
    }
  }
}

/// Tags are models of their own, and entries have a word count.
enum DiaryV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Entry.self, Tag.self] }

  @Model
  final class Entry {
    @Attribute(originalName: "title") var headline: String
    var text: String
    var day: Date
    var mood: String?
    var wordCount = 0
    @Relationship(inverse: \Tag.entries) var tags: [Tag] = []

    init(headline: String, text: String, day: Date) {
      self.headline = headline
      self.text = text
      self.day = day
    }
  }

  @Model
  final class Tag {
    @Attribute(.unique) var name: String
    var entries: [Entry] = []

    init(name: String) {
      self.name = name
    }
  }
}

enum DiaryPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [DiaryV1.self, DiaryV2.self, DiaryV3.self] }

  static var stages: [MigrationStage] {
    [
      .lightweight(fromVersion: DiaryV1.self, toVersion: DiaryV2.self),
      .useBothVersions(fromVersion: DiaryV2.self, toVersion: DiaryV3.self, migrate: splitTags),
    ]
  }

  /// Creates models for the tags, and counts words, a thousand entries at a time.
  @Sendable static func splitTags(_ old: ModelContext, _ new: ModelContext) throws {
    let progress = Progress(totalUnitCount: Int64(try old.fetchCount(FetchDescriptor<DiaryV2.Entry>())))
    var tags: [String: DiaryV3.Tag] = [:]
    try old.enumerate(FetchDescriptor<DiaryV2.Entry>(), batchSize: 1000) { entry in
      guard let successor = new.model(for: entry.persistentModelID) as? DiaryV3.Entry else { return }
      successor.wordCount = entry.text.split(whereSeparator: \.isWhitespace).count
      for name in entry.tags.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) {
        let tag = tags[name] ?? DiaryV3.Tag(name: name)
        if tags[name] == nil { new.insert(tag) }
        tags[name] = tag
        successor.tags.append(tag)
      }
      progress.completedUnitCount += 1
      if progress.completedUnitCount % 1000 == 0 { try new.save() }
      if progress.isCancelled { throw CancellationError() }
    }
    try new.save()
  }
}
