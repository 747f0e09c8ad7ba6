import Foundation
import SwiftData

@testable import TestSupport

/// Models with indexes of texts, in successive releases.
enum Labels {
  @Model
  final class Label {
    #Index<Label>([\.text], [\.note], [\.shelf, \.text], [\.kind, \.size, \.text])
    #Unique<Label>([\.number])
    var text: String
    var note: String?
    var shelf = 0
    var kind = ""
    var size = 0.5
    var number: Int

    init(_ text: String, number: Int, note: String? = nil) {
      self.text = text
      self.number = number
      self.note = note
    }
  }

  /// Nothing is indexed.
  enum Plain {
    @Model
    final class Label {
      #Unique<Label>([\.number])
      var text: String
      var note: String?
      var shelf = 0
      var kind = ""
      var size = 0.5
      var number: Int

      init(_ text: String, number: Int) {
        self.text = text
        self.number = number
      }
    }
  }

  /// The indexed text is renamed.
  enum Renamed {
    @Model
    final class Label {
      #Index<Label>([\.title], [\.note], [\.shelf, \.title])
      #Unique<Label>([\.number])
      @Attribute(originalName: "text") var title: String
      var note: String?
      var shelf = 0
      var number: Int

      init(_ title: String, number: Int) {
        self.title = title
        self.number = number
      }
    }
  }

  enum First: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Plain.Label.self] }
  }

  enum Second: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Label.self] }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [First.self, Second.self] }
    static var stages: [MigrationStage] {
      [.custom(fromVersion: First.self, toVersion: Second.self, willMigrate: nil, didMigrate: { _ in })]
    }
  }
}

@Model
class Publication {
  #Index<Publication>([\.title])
  @Attribute(.unique) var title: String

  init(title: String) {
    self.title = title
  }
}

@Model
final class Magazine: Publication {
  #Index<Magazine>([\.editor], [\.imprint.city])
  var editor: String?
  var imprint = Imprint(city: "", year: 0)

  override init(title: String) {
    super.init(title: title)
  }
}

struct Imprint: Codable, Hashable {
  var city: String
  var year: Int
}

/// Texts that are hard to sort.
enum HardTexts {
  static let all =
    [
      "", " ", "a", "A", "á", "a\u{301}", "ä", "Ä", "B", "b", "é", "e\u{301}", "z", "Å", "å", "ö", "ß", "ss", "1", "01",
      "001", "9", "10", "a9", "a09", "a10", "A10", "b1c01", "b01c1", "é01", "é1", "\0", "a\0", "a\0b", "\u{feff}a",
      "a\u{ad}",
      "a\u{200b}", "\u{fffe}", "\u{ffff}", "\u{10ffff}", "\u{fffd}", "日本", "日本語", "😀", "👩‍👩‍👧", "🇩🇪", "🇩", "가", "ㄱ",
      "\u{1100}\u{1161}", "a-b", "a b", "a_b", "a\tb", "a\nb", "ﬁ", "fi", "ｆ", "f", "٠1", "٣", "3", "İ", "ı", "i", "I",
      "ạ̇", "a\u{307}\u{323}", "\u{1e9b}\u{323}", "%", "'", "\"", "Ω", "\u{2126}",
    ] + [
      String(repeating: "9", count: 300), String(repeating: "0", count: 300) + "1",
      String(repeating: "long ü ", count: 3000),
    ]
}
