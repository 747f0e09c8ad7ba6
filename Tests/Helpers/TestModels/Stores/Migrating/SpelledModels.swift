import Foundation
import SwiftData

// The same model as its texts become unique, and cease to be; names repeat on purpose.

enum Spelled {
  struct Spot: Codable, Hashable {
    var street: String
    var zip = 0
  }

  static let composed = "caf\u{e9}"
  static let decomposed = "cafe\u{301}"

  @Model
  final class Sign {
    var title: String
    var tag: String?
    var spot: Spot
    var count: Int

    init(_ title: String, tag: String? = nil, street: String = "", count: Int) {
      self.title = title
      self.tag = tag
      spot = Spot(street: street)
      self.count = count
    }
  }
}

enum UniqueSpelled {
  @Model
  final class Sign {
    #Unique<Sign>([\.title], [\.tag, \.spot.street])
    var title: String
    var tag: String?
    var spot: Spelled.Spot
    var count: Int

    init(_ title: String, tag: String? = nil, street: String = "", count: Int) {
      self.title = title
      self.tag = tag
      spot = Spelled.Spot(street: street)
      self.count = count
    }
  }
}

/// Titles are unique together with their tags, and the table is rebuilt.
enum LooselySpelled {
  @Model
  final class Sign {
    #Unique<Sign>([\.title, \.tag])
    var title: String
    var tag: String?
    var spot: Spelled.Spot
    var count: Int?

    init(_ title: String, count: Int) {
      self.title = title
      spot = Spelled.Spot(street: "")
      self.count = count
    }
  }
}

enum Untitled {
  @Model
  final class Sign {
    var spot: Spelled.Spot
    var count: Int

    init(count: Int) {
      spot = Spelled.Spot(street: "")
      self.count = count
    }
  }
}
