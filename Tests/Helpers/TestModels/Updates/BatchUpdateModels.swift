import Foundation
import SwiftData

@testable import TestSupport

/// Models for the tests of batch updates.
enum Bulk {
  enum State: String, Codable, CaseIterable {
    case new, used
  }

  struct Size: Codable, Hashable {
    var width: Int
    var height: Int?
  }

  enum Origin: Codable, Hashable {
    case unknown
    case place(String)
  }

  @Model
  class Article {
    #Index<Article>([\.count])

    var name: String
    var count: Int
    var tiny: Int8 = 0
    var wide: UInt64 = 0
    var price = 0.0
    var ratio: Double?
    var cost: Decimal = 0
    var note: String?
    var isSold = false
    var state = State.new
    var formerState: State?
    var size = Size(width: 1)
    var box: Size?
    var origin = Origin.unknown
    var labels: [String] = []
    var code: UUID?
    var link: URL?
    var day = Date(timeIntervalSinceReferenceDate: 0)
    @Attribute(originalName: "formerTitle") var title = ""
    @Attribute(.externalStorage) var picture: Data?
    @Attribute(.ephemeral) var scratch = 0
    @Transient var isOpen = false
    var shelf: Shelf?
    var doubled: Int { count * 2 }

    init(_ name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }

  @Model
  final class Device: Article {
    var volts = 0

    init(_ name: String, count: Int, volts: Int) {
      self.volts = volts
      super.init(name, count: count)
    }
  }

  @Model
  final class Shelf {
    var number: Int
    var level = 0
    @Relationship(inverse: \Article.shelf) var articles: [Article] = []
    var below: Shelf?
    @Relationship(inverse: \Shelf.below) var above: [Shelf] = []

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Rank {
    #Unique<Rank>([\.place], [\.group, \.name])

    var place: Int
    var group: String
    var name: String

    init(_ place: Int, group: String = "", name: String) {
      self.place = place
      self.group = group
      self.name = name
    }
  }

  static func makeContainer(_ log: StatementLog = StatementLog(), at url: URL? = nil) throws -> ModelContainer {
    let configuration = url.map { ModelConfiguration(url: $0) } ?? ModelConfiguration(isStoredInMemoryOnly: true)
    return try log.observe {
      try ModelContainer(
        for: Schema([Article.self, Device.self, Shelf.self, Rank.self]), configurations: configuration)
    }
  }
}
