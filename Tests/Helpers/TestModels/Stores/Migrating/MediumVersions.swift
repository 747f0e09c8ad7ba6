import Foundation
import SwiftData

// The same films and songs with a common superclass and without; names repeat on purpose.

enum SplitMedia {
  @Model
  final class Film {
    var title: String
    var year: Int
    var rating: Int?
    @Relationship(inverse: nil) var labels: [Label] = []

    init(_ title: String, year: Int) {
      self.title = title
      self.year = year
    }
  }

  @Model
  final class Song {
    var title: String
    var seconds: Double
    @Relationship(inverse: nil) var labels: [Label] = []

    init(_ title: String, seconds: Double) {
      self.title = title
      self.seconds = seconds
    }
  }

  @Model
  final class Label {
    var text: String

    init(_ text: String) {
      self.text = text
    }
  }
}

enum BasedMedia {
  @Model
  class Medium {
    var title: String
    var rating: Int? = 3
    @Relationship(inverse: nil) var labels: [Label] = []

    init(_ title: String) {
      self.title = title
    }
  }

  @Model
  final class Film: Medium {
    var year: Int

    init(_ title: String, year: Int) {
      self.year = year
      super.init(title)
    }
  }

  @Model
  final class Song: Medium {
    var seconds: Double

    init(_ title: String, seconds: Double) {
      self.seconds = seconds
      super.init(title)
    }
  }

  typealias Label = SplitMedia.Label
}

/// Independent vehicles and cars, and sports cars that are cars.
enum ApartCars {
  @Model
  final class Vehicle {
    var maker: String

    init(_ maker: String) {
      self.maker = maker
    }
  }

  @Model
  class Car {
    var maker: String
    var doors: Int

    init(_ maker: String, doors: Int) {
      self.maker = maker
      self.doors = doors
    }
  }

  @Model
  final class SportsCar: Car {
    var speed: Int

    init(_ maker: String, speed: Int) {
      self.speed = speed
      super.init(maker, doors: 2)
    }
  }
}

enum JoinedCars {
  @Model
  class Vehicle {
    var maker: String

    init(_ maker: String) {
      self.maker = maker
    }
  }

  @Model
  class Car: Vehicle {
    var doors: Int

    init(_ maker: String, doors: Int) {
      self.doors = doors
      super.init(maker)
    }
  }

  @Model
  final class SportsCar: Car {
    var speed: Int

    init(_ maker: String, speed: Int) {
      self.speed = speed
      super.init(maker, doors: 2)
    }
  }
}

/// Labels have inverses. By the names of the classes, films name the table of these links, and songs do not.
enum KnownSplit {
  @Model
  final class Film {
    var title: String
    var labels: [Label] = []

    init(_ title: String) {
      self.title = title
    }
  }

  @Model
  final class Song {
    var title: String
    var labels: [Label] = []

    init(_ title: String) {
      self.title = title
    }
  }

  @Model
  final class Label {
    var text: String
    @Relationship(inverse: \Film.labels) var films: [Film] = []
    @Relationship(inverse: \Song.labels) var songs: [Song] = []

    init(_ text: String) {
      self.text = text
    }
  }
}

enum KnownBased {
  @Model
  class Medium {
    var title: String
    var labels: [Label] = []

    init(_ title: String) {
      self.title = title
    }
  }

  @Model
  final class Film: Medium {
    var year = 1995

    override init(_ title: String) {
      super.init(title)
    }
  }

  @Model
  final class Song: Medium {
    var seconds = 139.5

    override init(_ title: String) {
      super.init(title)
    }
  }

  @Model
  final class Label {
    var text: String
    @Relationship(inverse: \Medium.labels) var media: [Medium] = []

    init(_ text: String) {
      self.text = text
    }
  }
}
