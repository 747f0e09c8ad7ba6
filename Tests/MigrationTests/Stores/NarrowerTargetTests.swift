import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

enum OpenPiers {
  @Model
  class Hull {
    var number: Int
    var yard: Yard?

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Tanker: Hull {
    var load = 0

    override init(_ number: Int) {
      super.init(number)
    }
  }

  @Model
  final class Pier {
    var name: String
    @Relationship(inverse: nil) var berth: Hull?
    @Relationship(inverse: nil) var visitors: [Hull] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Yard {
    var name: String
    @Relationship(inverse: \Hull.yard) var hulls: [Hull] = []

    init(_ name: String) {
      self.name = name
    }
  }
}

/// References to hulls become references to tankers.
enum TankerPiers {
  @Model
  class Hull {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Tanker: Hull {
    var load = 0
    var yard: Yard?

    override init(_ number: Int) {
      super.init(number)
    }
  }

  @Model
  final class Pier {
    var name: String
    @Relationship(inverse: nil) var berth: Tanker?
    @Relationship(inverse: nil) var visitors: [Tanker] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Yard {
    var name: String
    @Relationship(inverse: \Tanker.yard) var hulls: [Tanker] = []

    init(_ name: String) {
      self.name = name
    }
  }
}

/// With jetties and docks, which may reference any hull.
enum BusyPiers: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] {
    [Hull.self, Tanker.self, Pier.self, Jetty.self, Yard.self, Dock.self]
  }

  @Model
  class Hull {
    var number: Int
    var yard: Yard?

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Tanker: Hull {
    var load = 0

    override init(_ number: Int) {
      super.init(number)
    }
  }

  @Model
  class Pier {
    var name: String
    @Relationship(inverse: nil) var visitors: [Hull] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Jetty: Pier {
    var length = 1

    override init(_ name: String) {
      super.init(name)
    }
  }

  @Model
  class Yard {
    var name: String
    @Relationship(inverse: \Hull.yard) var hulls: [Hull] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Dock: Yard {
    var depth = 1

    override init(_ name: String) {
      super.init(name)
    }
  }
}

enum QuietPiers: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Hull.self, Tanker.self, Pier.self, Yard.self] }

  @Model
  class Hull {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Tanker: Hull {
    var load = 0
    var yard: Yard?

    override init(_ number: Int) {
      super.init(number)
    }
  }

  @Model
  final class Pier {
    var name: String
    @Relationship(inverse: nil) var visitors: [Tanker] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Yard {
    var name: String
    @Relationship(inverse: \Tanker.yard) var hulls: [Tanker] = []

    init(_ name: String) {
      self.name = name
    }
  }
}

enum PierPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [BusyPiers.self, QuietPiers.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: BusyPiers.self, toVersion: QuietPiers.self)] }
}

@Suite("Relationships whose target becomes a subclass")
struct NarrowerTargetTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
    let context = try open()
    let (hull, tanker) = (OpenPiers.Hull(1), OpenPiers.Tanker(2))
    let (pier, yard) = (OpenPiers.Pier("p"), OpenPiers.Yard("y"))
    for model in [hull, tanker, pier, yard] as [any PersistentModel] { context.insert(model) }
    pier.berth = hull
    pier.visitors = [tanker, hull]
    hull.yard = yard
    tanker.yard = yard
    try context.save()
  }

  private func open() throws -> ModelContext {
    try store.open([OpenPiers.Hull.self, OpenPiers.Tanker.self, OpenPiers.Pier.self, OpenPiers.Yard.self])
      .freshContext()
  }

  private func narrowed() throws -> ModelContainer {
    try store.open([TankerPiers.Hull.self, TankerPiers.Tanker.self, TankerPiers.Pier.self, TankerPiers.Yard.self])
  }

  @Test("References to models of other classes are counted, and nothing is changed")
  func strangers() throws {
    let error = try expectRefusal(in: store.folder) { try narrowed() }
    let issues = error?.details?.issues ?? []
    let names = issues.map { "\($0.entity ?? "").\($0.property ?? "")" }.sorted()
    #expect(names == ["Pier.berth", "Pier.visitors", "Yard.hulls"])
    let words = "refers only to models of Tanker now, and 1 link of the store refers to models of other classes"
    #expect(issues.filter { $0.message.contains(words) }.count == 3)
  }

  @Test("References to models of the subclass stay, and the superclass can be the target again")
  func targetsOfTheClass() throws {
    let context = try open()
    let pier = try context.only(OpenPiers.Pier.self)
    let hulls = try context.all(OpenPiers.Hull.self, by: \.number)
    pier.berth = hulls[1]
    pier.visitors = [hulls[1]]
    hulls[0].yard = nil
    try context.save()
    for _ in 0..<2 {
      let narrow = try narrowed().freshContext()
      let found = try narrow.only(TankerPiers.Pier.self)
      #expect(found.berth?.number == 2)
      #expect(found.visitors.map(\.number) == [2])
      #expect(try narrow.only(TankerPiers.Yard.self).hulls.map(\.number) == [2])
    }
    let wide = try open()
    let again = try wide.only(OpenPiers.Pier.self)
    #expect(again.berth?.number == 2)
    #expect(again.visitors.map(\.number) == [2])
    #expect(try wide.only(OpenPiers.Yard.self).hulls.map(\.number) == [2])
  }

  @Test("References from and to models that a stage removes do not prevent the change", arguments: [false, true])
  func departingModels(hasOthers: Bool) throws {
    let other = try MigratingStore()
    let configuration = ModelConfiguration(url: other.url)
    do {
      let container = try ModelContainer(
        for: Schema(versionedSchema: BusyPiers.self), configurations: configuration)
      let context = container.freshContext()
      let (hull, tanker) = (BusyPiers.Hull(1), BusyPiers.Tanker(2))
      let (pier, jetty) = (BusyPiers.Pier("p"), BusyPiers.Jetty("j"))
      let (yard, dock) = (BusyPiers.Yard("y"), BusyPiers.Dock("d"))
      let models: [any PersistentModel] = [hull, tanker, pier, jetty, yard, dock]
      for model in models { context.insert(model) }
      pier.visitors = hasOthers ? [tanker, hull] : [tanker]
      jetty.visitors = [hull, tanker]
      hull.yard = dock
      tanker.yard = yard
      try context.save()
      try container.close()
    }
    let schema = Schema(versionedSchema: QuietPiers.self)
    let preview = try MigrationInspector(
      for: schema, migrationPlan: PierPlan.self, configurations: configuration
    ).preview()
    func open() throws -> ModelContainer {
      try ModelContainer(for: schema, migrationPlan: PierPlan.self, configurations: configuration)
    }
    if hasOthers {
      #expect(preview.issues.map(\.property) == ["visitors"])
      #expect(preview.issues.first?.message.contains("1 link of the store refers to models of other classes") == true)
      #expect(try expectRefusal(in: other.folder) { try open() }?.details?.issues == preview.issues)
      return
    }
    #expect(preview.issues == [])
    let context = try open().freshContext()
    #expect(try context.only(QuietPiers.Pier.self).visitors.map(\.number) == [2])
    #expect(try context.only(QuietPiers.Yard.self).hulls.map(\.number) == [2])
    #expect(try context.all(QuietPiers.Hull.self, by: \.number).map(\.number) == [1, 2])
    #expect(try other.texts("PRAGMA foreign_key_check") == [])
  }
}
