import Foundation
import SwiftData

@testable import TestSupport

// The same pets with cats as animals, and without; names repeat on purpose.

enum ApartPets {
  @Model
  final class Animal {
    var name: String
    var tag: String?
    var legs = 4

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Cat {
    @Attribute(.preserveValueOnDeletion) var name: String
    var lives: Int
    var home: Coordinate?
    @Attribute(.externalStorage) var photo: Data?
    var keeper: Keeper?
    var toys: [Toy] = []
    @Relationship(inverse: nil) var mother: Cat?

    init(_ name: String, lives: Int) {
      self.name = name
      self.lives = lives
    }
  }

  @Model
  final class Keeper {
    var name: String
    @Relationship(inverse: \Cat.keeper) var cats: [Cat] = []
    @Relationship(inverse: nil) var favourite: Cat?

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Toy {
    var name: String
    @Relationship(inverse: \Cat.toys) var cats: [Cat] = []

    init(_ name: String) {
      self.name = name
    }
  }
}

enum JoinedPets {
  @Model
  class Animal {
    @Attribute(.preserveValueOnDeletion) var name: String
    var tag: String?
    var legs = 4

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Cat: Animal {
    var lives: Int
    var home: Coordinate?
    @Attribute(.externalStorage) var photo: Data?
    var keeper: Keeper?
    var toys: [Toy] = []
    @Relationship(inverse: nil) var mother: Cat?

    init(_ name: String, lives: Int) {
      self.lives = lives
      super.init(name)
    }
  }

  @Model
  final class Keeper {
    var name: String
    @Relationship(inverse: \Cat.keeper) var cats: [Cat] = []
    @Relationship(inverse: nil) var favourite: Cat?

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Toy {
    var name: String
    @Relationship(inverse: \Cat.toys) var cats: [Cat] = []

    init(_ name: String) {
      self.name = name
    }
  }
}

/// Names are unique among all animals.
enum StrictPets {
  @Model
  class Animal {
    @Attribute(.unique) var name: String

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Cat: Animal {
    var lives: Int

    init(_ name: String, lives: Int) {
      self.lives = lives
      super.init(name)
    }
  }
}

/// Independent animals and cats, whose names have different types.
enum NumberedCats {
  @Model
  final class Animal {
    var name: String

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Cat {
    var name: Int

    init(_ name: Int) {
      self.name = name
    }
  }
}

enum NamedCats {
  @Model
  class Animal {
    var name: String

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Cat: Animal {
    var lives = 9

    override init(_ name: String) {
      super.init(name)
    }
  }
}

/// Animals have a required chip, and cats have none.
enum ChippedApart {
  @Model
  final class Animal {
    var name: String
    var chip: Int

    init(_ name: String, chip: Int) {
      self.name = name
      self.chip = chip
    }
  }

  @Model
  final class Cat {
    var name: String

    init(_ name: String) {
      self.name = name
    }
  }
}

enum ChippedPets {
  @Model
  class Animal {
    var name: String
    var chip: Int

    init(_ name: String, chip: Int) {
      self.name = name
      self.chip = chip
    }
  }

  @Model
  final class Cat: Animal {
    var lives = 9

    override init(_ name: String, chip: Int) {
      super.init(name, chip: chip)
    }
  }
}

enum LeaderPets {
  @Model
  class Animal {
    var name: String

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Cat: Animal {
    var lives = 9

    override init(_ name: String) {
      super.init(name)
    }
  }

  @Model
  final class Zoo {
    var city: String
    @Relationship(inverse: nil) var star: Animal?
    @Relationship(inverse: nil) var animals: [Animal] = []

    init(_ city: String) {
      self.city = city
    }
  }
}

enum LeaderApart {
  typealias Animal = NumberedCats.Animal

  typealias Cat = ChippedApart.Cat

  @Model
  final class Zoo {
    var city: String
    @Relationship(inverse: nil) var star: Animal?
    @Relationship(inverse: nil) var animals: [Animal] = []

    init(_ city: String) {
      self.city = city
    }
  }
}

/// Independent cats have toys.
enum PlayApart {
  typealias Animal = NumberedCats.Animal

  @Model
  final class Cat {
    var name: String
    @Relationship(inverse: nil) var toys: [Toy] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Toy {
    var name: String

    init(_ name: String) {
      self.name = name
    }
  }
}

/// No class has toys.
enum PlayBare {
  @Model
  class Animal {
    var name: String

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Cat: Animal {
    var lives = 9

    override init(_ name: String) {
      super.init(name)
    }
  }

  typealias Toy = PlayApart.Toy
}

/// Cats have toys, and are animals.
enum PlayPets {
  @Model
  class Animal {
    var name: String

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Cat: Animal {
    var lives = 9
    @Relationship(inverse: nil) var toys: [Toy] = []

    override init(_ name: String) {
      super.init(name)
    }
  }

  typealias Toy = PlayApart.Toy
}

/// All animals have toys.
enum PlayAll {
  @Model
  class Animal {
    var name: String
    @Relationship(inverse: nil) var toys: [Toy] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Cat: Animal {
    var lives = 9

    override init(_ name: String) {
      super.init(name)
    }
  }

  typealias Toy = PlayApart.Toy
}

enum AgedApart {
  @Model
  final class Animal {
    var name = "none"

    init() {}
  }

  @Model
  final class Cat {
    @Attribute(.preserveValueOnDeletion) var age: Int

    init(_ age: Int) {
      self.age = age
    }
  }
}

/// An age has another name and another type.
enum AgedPets {
  @Model
  class Animal {
    var name = "none"

    init() {}
  }

  @Model
  final class Cat: Animal {
    @Attribute(.preserveValueOnDeletion, originalName: "age") var years: String

    init(_ years: String) {
      self.years = years
      super.init()
    }
  }
}
