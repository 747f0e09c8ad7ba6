import Foundation
import SwiftData

@testable import TestSupport

// A list of tags with notes, and a shelf of media, in versions with more and more unique constraints.

enum TagsV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Tag.self, Note.self] }

  @Model
  final class Tag {
    var name: String
    var code: String?
    var count: Int
    @Relationship(deleteRule: .cascade, inverse: \Note.tag) var notes: [Note] = []

    init(_ name: String, code: String? = nil, count: Int = 0) {
      self.name = name
      self.code = code
      self.count = count
    }
  }

  @Model
  final class Note {
    var text: String
    var tag: Tag?

    init(_ text: String) {
      self.text = text
    }
  }
}

/// The name is unique, and renamed.
enum TagsV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Tag.self, Note.self] }

  @Model
  final class Tag {
    @Attribute(.unique, originalName: "name") var title: String
    var code: String?
    var count: Int
    @Relationship(deleteRule: .cascade, inverse: \Note.tag) var notes: [Note] = []

    init(_ title: String, count: Int) {
      self.title = title
      self.count = count
    }
  }

  @Model
  final class Note {
    var text: String
    var tag: Tag?

    init(_ text: String) {
      self.text = text
    }
  }
}

/// The code is unique as well.
enum TagsV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Tag.self, Note.self] }

  @Model
  final class Tag {
    @Attribute(.unique, originalName: "name") var title: String
    @Attribute(.unique) var code: String?
    var count: Int
    @Relationship(deleteRule: .cascade, inverse: \Note.tag) var notes: [Note] = []

    init(_ title: String, count: Int) {
      self.title = title
      self.count = count
    }
  }

  @Model
  final class Note {
    var text: String
    var tag: Tag?

    init(_ text: String) {
      self.text = text
    }
  }
}

/// Names and codes are unique together.
enum PairedTags: VersionedSchema {
  static let versionIdentifier = Schema.Version(4, 0, 0)
  static var models: [any PersistentModel.Type] { [Tag.self, Note.self] }

  @Model
  final class Tag {
    #Unique<Tag>([\.name, \.code])

    var name: String
    var code: String?
    var count: Int
    @Relationship(deleteRule: .cascade, inverse: \Note.tag) var notes: [Note] = []

    init(_ name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }

  @Model
  final class Note {
    var text: String
    var tag: Tag?

    init(_ text: String) {
      self.text = text
    }
  }
}

/// The texts of a tag's notes are unique.
enum PairedNotes: VersionedSchema {
  static let versionIdentifier = Schema.Version(4, 1, 0)
  static var models: [any PersistentModel.Type] { [Tag.self, Note.self] }

  @Model
  final class Tag {
    var name: String
    var code: String?
    var count: Int
    @Relationship(deleteRule: .cascade, inverse: \Note.tag) var notes: [Note] = []

    init(_ name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }

  @Model
  final class Note {
    #Unique<Note>([\.text, \.tag])

    var text: String
    var tag: Tag?

    init(_ text: String) {
      self.text = text
    }
  }
}

/// The unique property is new.
enum NumberedTags: VersionedSchema {
  static let versionIdentifier = Schema.Version(5, 0, 0)
  static var models: [any PersistentModel.Type] { [Tag.self] }

  @Model
  final class Tag {
    @Attribute(.unique) var number = 0
    var name: String
    var code: String?
    var count: Int

    init(_ name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }
}

enum MediaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Medium.self, Disc.self, Tape.self] }

  @Model
  class Medium {
    var code: String
    var number: Int

    init(_ code: String, number: Int) {
      self.code = code
      self.number = number
    }
  }

  @Model
  final class Disc: Medium {
    var label: String

    init(_ code: String, number: Int, label: String) {
      self.label = label
      super.init(code, number: number)
    }
  }

  @Model
  final class Tape: Medium {
    var label: String

    init(_ code: String, number: Int, label: String) {
      self.label = label
      super.init(code, number: number)
    }
  }
}

/// The code of all, and the label of discs, are unique.
enum MediaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Medium.self, Disc.self, Tape.self] }

  @Model
  class Medium {
    @Attribute(.unique) var code: String
    var number: Int

    init(_ code: String, number: Int) {
      self.code = code
      self.number = number
    }
  }

  @Model
  final class Disc: Medium {
    @Attribute(.unique) var label: String

    init(_ code: String, number: Int, label: String) {
      self.label = label
      super.init(code, number: number)
    }
  }

  @Model
  final class Tape: Medium {
    var label: String

    init(_ code: String, number: Int, label: String) {
      self.label = label
      super.init(code, number: number)
    }
  }
}

/// A plan with the stages that each test chooses.
enum MergingPlan: SchemaMigrationPlan {
  @TaskLocal static var stages: [MigrationStage] = []
  static var schemas: [any VersionedSchema.Type] { [] }
}
