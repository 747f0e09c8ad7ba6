import Foundation
import SwiftData

// Names that pass from one property to another in successive releases.

enum ThreeNames {
  @Model
  final class Item {
    @Attribute(.unique) var code: String
    var title: String
    var spare: String

    init(code: String, title: String, spare: String) {
      self.code = code
      self.title = title
      self.spare = spare
    }
  }
}

/// Every name but the first moves to a property with another name.
enum PassedNames {
  @Model
  final class Item {
    @Attribute(originalName: "title") var heading: String
    @Attribute(.unique, originalName: "code") var title: String
    @Attribute(originalName: "spare") var code: String

    init(heading: String, title: String, code: String) {
      self.heading = heading
      self.title = title
      self.code = code
    }
  }
}

enum ExchangedNames {
  @Model
  final class Item {
    @Attribute(.unique, originalName: "code") var title: String
    @Attribute(originalName: "title") var code: String
    var spare: String

    init(title: String, code: String, spare: String) {
      self.title = title
      self.code = code
      self.spare = spare
    }
  }
}

enum Knots {
  struct Style: Codable, Equatable {
    var colour: String?
    var width: Int?
  }

  @Model
  final class Knot {
    var name: String
    var style: Style
    var other: Style?
    @Relationship(inverse: \Knot.previous) var next: Knot?
    var previous: Knot?
    @Relationship(inverse: \Tag.knots) var tags: [Tag] = []
    @Relationship(inverse: nil) var best: Tag?

    init(_ name: String, style: Style) {
      self.name = name
      self.style = style
    }
  }

  @Model
  final class Tag {
    var word: String
    var knots: [Knot] = []

    init(_ word: String) {
      self.word = word
    }
  }
}

enum RenamedKnots {
  @Model
  final class Knot {
    var name: String
    @Attribute(originalName: "other") var style: Knots.Style?
    @Attribute(originalName: "style") var look: Knots.Style?
    @Relationship(originalName: "next", inverse: \Knot.predecessor) var successor: Knot?
    @Relationship(originalName: "previous") var predecessor: Knot?
    @Relationship(originalName: "tags", inverse: \Tag.knots) var best: [Tag] = []
    @Relationship(originalName: "best", inverse: nil) var favourite: Tag?

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Tag {
    var word: String
    var knots: [Knot] = []

    init(_ word: String) {
      self.word = word
    }
  }
}

/// A to-many of several owners becomes one of one owner, with another name.
enum OneOwner {
  @Model
  final class Knot {
    var name: String
    var style: Knots.Style
    var other: Knots.Style?
    @Relationship(inverse: \Knot.previous) var next: Knot?
    var previous: Knot?
    @Relationship(originalName: "tags", inverse: \Tag.knot) var labels: [Tag] = []
    @Relationship(inverse: nil) var best: Tag?

    init(_ name: String, style: Knots.Style) {
      self.name = name
      self.style = style
    }
  }

  @Model
  final class Tag {
    var word: String
    @Relationship(originalName: "knots") var knot: Knot?

    init(_ word: String) {
      self.word = word
    }
  }
}

enum OneSided {
  @Model
  final class Item {
    var name: String
    @Relationship(inverse: nil) var categories: [Category] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Category {
    var word: String

    init(_ word: String) {
      self.word = word
    }
  }
}

enum TwoSided {
  @Model
  final class Item {
    var name: String
    var categories: [Category] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Category {
    var word: String
    @Relationship(inverse: \Item.categories) var items: [Item] = []

    init(_ word: String) {
      self.word = word
    }
  }
}

enum StrictLine {
  struct Line: Codable, Equatable {
    var width: Int
    var colour: String?
  }

  @Model
  class Shape {
    var line: Line?

    init(_ line: Line?) {
      self.line = line
    }
  }

  @Model
  final class Circle: Shape {
    var note: String?

    override init(_ line: Line?) {
      super.init(line)
    }
  }
}

enum LooseLine {
  struct Line: Codable, Equatable {
    var width: Int?
    var colour: String?
  }

  @Model
  class Shape {
    var line: Line?

    init(_ line: Line?) {
      self.line = line
    }
  }

  @Model
  final class Circle: Shape {
    var note: String?

    override init(_ line: Line?) {
      super.init(line)
    }
  }
}

/// A subclass adds a property without values for its rows, and one becomes required.
enum DemandingCircle {
  @Model
  class Shape {
    var line: StrictLine.Line?

    init(_ line: StrictLine.Line?) {
      self.line = line
    }
  }

  @Model
  final class Circle: Shape {
    var note: String
    var radius: Double

    init(radius: Double) {
      self.radius = radius
      note = ""
      super.init(nil)
    }
  }
}
