import Foundation
import SwiftData

@testable import TestSupport

// The same model in successive releases; names repeat on purpose.

enum First {
  @Model
  final class Item {
    var title: String
    var count = 0

    init(title: String) {
      self.title = title
    }
  }
}

enum Grown {
  @Model
  final class Item {
    #Index<Item>([\.title])
    var title: String
    var count = 0
    var note: String?
    var rating = 3
    var place = Coordinate(latitude: 1, longitude: 2)
    var tags = ["new"]
    var suit = Suit.clubs
    var price = Decimal(5)
    var made = Date.now
    var code = UUID()
    var owner: Owner?
    @Relationship(inverse: \Owner.favourites) var fans: [Owner] = []

    init(title: String) {
      self.title = title
    }
  }

  @Model
  final class Owner {
    var name: String
    @Relationship(inverse: \Item.owner) var items: [Item] = []
    var favourites: [Item] = []

    init(name: String) {
      self.name = name
    }
  }
}

enum Shrunk {
  @Model
  final class Item {
    var title: String

    init(title: String) {
      self.title = title
    }
  }

  @Model
  final class Owner {
    var name: String

    init(name: String) {
      self.name = name
    }
  }
}

enum RenamedParts {
  @Model
  final class Item {
    @Attribute(originalName: "title") var name: String
    @Attribute(originalName: "count") var total = 0

    init(name: String) {
      self.name = name
    }
  }
}

enum UniqueTitle {
  @Model
  final class Item {
    @Attribute(.unique) var title: String
    var count = 0

    init(title: String) {
      self.title = title
    }
  }
}

enum OptionalTitle {
  @Model
  final class Item {
    var title: String?
    var count = 0

    init(title: String?) {
      self.title = title
    }
  }
}

enum RequiredExtra {
  @Model
  final class Item {
    var title: String
    var count = 0
    var extra: String

    init(title: String) {
      self.title = title
      extra = ""
    }
  }
}

enum OtherType {
  @Model
  final class Item {
    var title: Int
    var count = 0

    init(title: Int) {
      self.title = title
    }
  }
}

enum OtherMeaning {
  @Model
  final class Item {
    var title: Decimal
    var count = 0

    init(title: Decimal) {
      self.title = title
    }
  }
}

enum Gone {
  @Model
  final class Other {
    var title: String

    init(title: String) {
      self.title = title
    }
  }
}

enum OptionalParts {
  @Model
  final class Trip {
    var hints: Hints?
    var place: Coordinate?

    init() {}
  }
}

enum RenamedOptionalParts {
  @Model
  final class Trip {
    @Attribute(originalName: "hints") var advice: Hints?
    @Attribute(originalName: "place") var target: Coordinate?

    init() {}
  }
}
