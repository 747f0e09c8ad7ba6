import Foundation
import SwiftData

/// Models with texts that have search indexes, each beside an equal one without an index.
enum Searched {
  struct Place: Codable, Hashable {
    var town = ""
    var street: String?
    var number = 0
  }

  @Model
  final class Memo {
    @Attribute(.unique) var number: Int
    @Attribute(.spotlight) var text: String
    var twin: String
    @Attribute(.spotlight) var note: String?
    var noteTwin: String?
    @Attribute(.spotlight) var place = Place()
    var placeTwin = Place()
    var writer: Writer?
    @Relationship(inverse: \Topic.memos) var topics: [Topic] = []

    init(_ number: Int, _ text: String, note: String? = nil) {
      self.number = number
      self.text = text
      twin = text
      self.note = note
      noteTwin = note
      place.town = text
      placeTwin.town = text
      place.street = note
      placeTwin.street = note
    }

    func set(_ text: String, note: String?) {
      self.text = text
      twin = text
      self.note = note
      noteTwin = note
      place = Place(town: text, street: note)
      placeTwin = place
    }
  }

  @Model
  final class Writer {
    @Attribute(.spotlight) var name: String
    var twin: String
    @Relationship(deleteRule: .cascade, inverse: \Memo.writer) var memos: [Memo] = []

    init(_ name: String) {
      self.name = name
      twin = name
    }
  }

  @Model
  final class Topic {
    @Attribute(.spotlight) var name: String
    var twin: String
    var memos: [Memo] = []

    init(_ name: String) {
      self.name = name
      twin = name
    }
  }

  /// Names whose index could collide with another one's parts, and a value that is no text.
  @Model
  final class Oddity {
    @Attribute(.spotlight) var b = ""
    // swift-format-ignore: AlwaysUseLowerCamelCase
    @Attribute(.spotlight) var b_data = ""
    // swift-format-ignore: AlwaysUseLowerCamelCase
    @Attribute(.spotlight) var b_config: String?
    @Attribute(.spotlight) var number = 0
    @Attribute(.spotlight) var list: [String] = []

    init() {}
  }
}

@Model
class Leaflet {
  @Attribute(.spotlight) var headline: String

  init(headline: String) {
    self.headline = headline
  }
}

@Model
final class Pamphlet: Leaflet {
  @Attribute(.spotlight) var imprint: String?

  init(_ headline: String, imprint: String?) {
    self.imprint = imprint
    super.init(headline: headline)
  }
}

/// The same models in other versions of a schema.
enum SearchedVersions {
  /// Nothing is indexed.
  enum Plain {
    @Model
    final class Note {
      var text: String
      var other: String = "o"

      init(_ text: String) {
        self.text = text
      }
    }
  }

  enum Indexed {
    @Model
    final class Note {
      @Attribute(.spotlight) var text: String
      var other: String = "o"

      init(_ text: String) {
        self.text = text
      }
    }
  }

  enum Renamed {
    @Model
    final class Note {
      @Attribute(.spotlight, originalName: "text") var title: String
      var other: String = "o"

      init(_ title: String) {
        self.title = title
      }
    }
  }

  /// Rebuilds the table, and keeps the index.
  enum Rebuilt {
    @Model
    final class Note {
      @Attribute(.spotlight) var text: String
      var other: String? = "o"

      init(_ text: String) {
        self.text = text
      }
    }
  }

  /// Adds a column, and removes one.
  enum Changed {
    @Model
    final class Note {
      @Attribute(.spotlight) var text: String
      @Attribute(.spotlight) var added = "something added"

      init(_ text: String) {
        self.text = text
      }
    }
  }
}
