import Foundation
import SwiftData

@testable import TestSupport

// Models whose relationships are renamed, and class hierarchies that grow.

enum Linked {
  @Model
  final class Song {
    var title: String
    @Relationship(inverse: \Label.songs) var labels: [Label] = []
    @Relationship(inverse: \Song.answers) var sources: [Song] = []
    var answers: [Song] = []
    @Relationship(inverse: \Label.owned) var owner: Label?

    init(title: String) {
      self.title = title
    }
  }

  @Model
  final class Label {
    var word: String
    var songs: [Song] = []
    var owned: [Song] = []

    init(word: String) {
      self.word = word
    }
  }
}

enum RenamedLinks {
  @Model
  final class Song {
    var title: String
    @Relationship(originalName: "labels", inverse: \Label.tunes) var tags: [Label] = []
    @Relationship(originalName: "sources", inverse: \Song.replies) var origins: [Song] = []
    @Relationship(originalName: "answers") var replies: [Song] = []
    @Relationship(originalName: "owner", inverse: \Label.property) var holder: Label?

    init(title: String) {
      self.title = title
    }
  }

  @Model
  final class Label {
    var word: String
    @Relationship(originalName: "songs") var tunes: [Song] = []
    @Relationship(originalName: "owned") var property: [Song] = []

    init(word: String) {
      self.word = word
    }
  }
}

enum OneSubclass {
  @Model
  class Vehicle {
    var wheels = 4

    init() {}
  }

  @Model
  final class Car: Vehicle {
    var note = "-"

    override init() {
      super.init()
    }
  }
}

enum LaterSubclass {
  @Model
  class Vehicle {
    var wheels = 4

    init() {}
  }

  @Model
  final class Car: Vehicle {
    var note = "-"

    override init() {
      super.init()
    }
  }

  @Model
  final class Van: Vehicle {
    var note = "-"

    override init() {
      super.init()
    }
  }
}

enum EarlierSubclass {
  @Model
  class Vehicle {
    var wheels = 4

    init() {}
  }

  @Model
  final class Boat: Vehicle {
    var note = "-"

    override init() {
      super.init()
    }
  }

  @Model
  final class Car: Vehicle {
    var note = "-"

    override init() {
      super.init()
    }
  }
}

enum OwnedBoxes {
  @Model
  final class Box {
    var name: String
    var owner: Keeper?

    init(name: String) {
      self.name = name
    }
  }

  @Model
  final class Keeper {
    @Relationship(inverse: \Box.owner) var boxes: [Box] = []

    init() {}
  }
}

enum SharedBoxes {
  @Model
  final class Box {
    var name: String
    var owners: [Keeper] = []

    init(name: String) {
      self.name = name
    }
  }

  @Model
  final class Keeper {
    @Relationship(inverse: \Box.owners) var boxes: [Box] = []

    init() {}
  }
}

enum FiledPhotos {
  @Model
  final class Photo {
    @Attribute(.externalStorage) var pixels: Data

    init(pixels: Data) {
      self.pixels = pixels
    }
  }
}

enum InlinePhotos {
  @Model
  final class Photo {
    var pixels: Data

    init(pixels: Data) {
      self.pixels = pixels
    }
  }
}

enum LenientStalls {
  @Model
  final class Stall {
    var name: String
    @Relationship(inverse: \Sale.stall) var sales: [Sale] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Sale {
    var number: Int
    var stall: Stall?

    init(_ number: Int, _ stall: Stall) {
      self.number = number
      self.stall = stall
    }
  }
}

enum StrictStalls {
  @Model
  final class Stall {
    var name: String
    @Relationship(deleteRule: .deny, inverse: \Sale.stall) var sales: [Sale] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Sale {
    var number: Int
    var stall: Stall?

    init(_ number: Int, _ stall: Stall) {
      self.number = number
      self.stall = stall
    }
  }
}
