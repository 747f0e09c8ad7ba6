import Foundation
import SwiftData

// Shapes of models in applications; they compile in every language mode.

public enum Level: Int, Codable {
  case low, high
}

/// Properties without a type annotation, default values of all sorts, `let` and `private(set)`.
@Model
public final class Inferred {
  var count = 0
  var title = "untitled"
  var ratio = 1.5
  var flag = false
  var tags = [Label]?.none
  var words = ["a", "b"]
  var level = Level.low
  var created = Date(timeIntervalSinceReferenceDate: 0)
  var owner = Owner?.none
  public private(set) var secret = 1
  @Attribute(.unique) public var code: String
  public let birth: Int
  @Transient var cache: [String: Int] = [:]

  public init(code: String, birth: Int = 1) {
    self.code = code
    self.birth = birth
  }

  public convenience init(number: Int) {
    self.init(code: String(number))
  }

  func reveal() {
    secret += 1
  }
}

@Model
open class Owner {
  public var name: String
  @Relationship(deleteRule: .cascade, inverse: \Inferred.owner) var items: [Inferred] = []

  public init(name: String) {
    self.name = name
  }
}

@Model
package final class Label {
  package var text: String
  var items = [Inferred]()

  private init(_ text: String) {
    self.text = text
  }

  package static func make(_ text: String) -> Label {
    Label(text)
  }
}

/// Nested models whose simple names repeat between versions.
enum SchemaV1: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [Item.self] }

  @Model
  final class Item {
    var name: String

    init(name: String) {
      self.name = name
    }
  }
}

enum SchemaV2: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  static var models: [any PersistentModel.Type] { [Item.self] }
}

extension SchemaV2 {
  @Model
  final class Item {
    var name: String
    var added = 0

    init(name: String) {
      self.name = name
    }
  }
}

struct Feature {
  @Model
  final class Entry {
    #Index<Entry>([\.name], [\.name, \.rank])
    #Unique<Entry>([\.name, \.rank])
    var name = ""
    var rank = 0

    init() {}
  }
}

/// An identity and equality of its own, with restated conformances.
@Model
final class Named: Identifiable, Hashable, @unchecked Sendable {
  @Attribute(.unique) var id: UUID
  var name: String

  init(id: UUID = UUID(), name: String) {
    self.id = id
    self.name = name
  }

  static func == (lhs: Named, rhs: Named) -> Bool {
    lhs.id == rhs.id
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}

/// An equality of its own, without restated conformances.
@Model
final class Valued {
  var number: Int

  init(number: Int) {
    self.number = number
  }

  nonisolated static func == (lhs: Valued, rhs: Valued) -> Bool {
    lhs.number == rhs.number
  }

  nonisolated func hash(into hasher: inout Hasher) {
    hasher.combine(number)
  }
}

/// An equality of its own in a base class.
@Model
class Graded {
  var grade: Int

  init(grade: Int) {
    self.grade = grade
  }

  nonisolated static func == (lhs: Graded, rhs: Graded) -> Bool {
    lhs.grade == rhs.grade
  }
}

@Model
final class Certified: Graded {
  var stamp = ""
}

@Model
final class Coded: Codable {
  var name: String
  var number: Int

  private enum CodingKeys: String, CodingKey {
    case name, number
  }

  init(name: String, number: Int) {
    self.name = name
    self.number = number
  }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    number = try container.decode(Int.self, forKey: .number)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(number, forKey: .number)
  }
}

/// A protocol that models conform to, and generic code with it.
protocol Titled: PersistentModel {
  var title: String { get set }
}

extension Inferred: Titled {}

func makeTitle<Model: Titled>(of model: Model, in context: ModelContext) throws -> String {
  context.insert(model)
  try context.save()
  return model.title
}

func fetchAll<Model: PersistentModel>(_ type: Model.Type, in context: ModelContext) throws -> [Model] {
  try context.fetch(FetchDescriptor<Model>())
}

func fetchCounts(_ types: [any PersistentModel.Type], in context: ModelContext) throws -> [Int] {
  func count<Model: PersistentModel>(_ type: Model.Type) throws -> Int {
    try context.fetchCount(FetchDescriptor<Model>())
  }
  return try types.map { try count($0) }
}

@Model
class Vehicle {
  var wheels = 4

  init() {}
}

@Model
class Truck: Vehicle {
  var load = 0

  init(load: Int) {
    self.load = load
    super.init()
  }
}

extension ModelContext {
  convenience init(shapes configuration: ModelConfiguration) throws {
    self.init(
      try ModelContainer(
        for: Inferred.self, Named.self, Coded.self, Feature.Entry.self, Vehicle.self, Truck.self,
        configurations: configuration))
  }
}

@ModelActor
actor ShapeActor {
  func add(_ code: String) throws -> PersistentIdentifier {
    let model = Inferred(code: code)
    modelContext.insert(model)
    try modelContext.save()
    return model.persistentModelID
  }
}
