import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

enum SeveralShops {
  @Model
  final class Sample {
    var name: String
    @Relationship(inverse: nil) var stores: [Outlet] = []

    init(_ name: String) {
      self.name = name
    }
  }

  /// An outlet's alarm stores their one-to-one, which does not affect samples.
  @Model
  final class Outlet {
    var name: String
    @Relationship(inverse: \Alarm.outlet) var alarm: Alarm?

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Alarm {
    var outlet: Outlet?

    init() {}
  }
}

enum OneShop {
  @Model
  final class Sample {
    var name: String
    @Relationship(originalName: "stores", inverse: nil) var store: Outlet?

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Outlet {
    var name: String
    @Relationship(inverse: \Alarm.outlet) var alarm: Alarm?

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Alarm {
    var outlet: Outlet?

    init() {}
  }
}

enum OneStable {
  @Model
  class Stable {
    var name: String
    @Relationship(inverse: \Groom.stable) var grooms: [Groom] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Stud: Stable {
    @Relationship(inverse: \Vet.stud) var vets: [Vet] = []

    override init(_ name: String) {
      super.init(name)
    }
  }

  @Model
  final class Groom {
    var name: String
    var stable: Stable?

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Vet {
    var name: String
    var stud: Stud?

    init(_ name: String) {
      self.name = name
    }
  }
}

enum SeveralStables {
  @Model
  class Stable {
    var name: String
    var grooms: [Groom] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Stud: Stable {
    var vets: [Vet] = []

    override init(_ name: String) {
      super.init(name)
    }
  }

  @Model
  final class Groom {
    var name: String
    @Relationship(originalName: "stable", inverse: \Stable.grooms) var stables: [Stable] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Vet {
    var name: String
    @Relationship(originalName: "stud", inverse: \Stud.vets) var studs: [Stud] = []

    init(_ name: String) {
      self.name = name
    }
  }
}

@Suite("Relationships stored in another way, beside others of the same classes")
struct MovedLinksOfOthersTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
  }

  @Test("A one-way to-many becomes a one-way to-one, whatever other to-ones its target has")
  func oneWay() throws {
    let old = try store.open([SeveralShops.Sample.self, SeveralShops.Outlet.self, SeveralShops.Alarm.self])
      .freshContext()
    let outlet = SeveralShops.Outlet("o")
    old.insert(outlet)
    outlet.alarm = SeveralShops.Alarm()
    for name in ["a", "b"] {
      let sample = SeveralShops.Sample(name)
      old.insert(sample)
      sample.stores = [outlet]
    }
    try old.save()
    let context = try store.open([OneShop.Sample.self, OneShop.Outlet.self, OneShop.Alarm.self]).freshContext()
    #expect(try context.all(OneShop.Sample.self, by: \.name).map { $0.store?.name } == ["o", "o"])
    #expect(try context.only(OneShop.Outlet.self).alarm != nil)
  }

  @Test("An inherited to-many keeps its links beside a subclass's to-many that changes too")
  func inherited() throws {
    let old = try store.open([OneStable.Stable.self, OneStable.Stud.self, OneStable.Groom.self, OneStable.Vet.self])
      .freshContext()
    let stud = OneStable.Stud("s")
    old.insert(stud)
    stud.grooms = [OneStable.Groom("g"), OneStable.Groom("h")]
    stud.vets = [OneStable.Vet("v")]
    try old.save()
    let models: [any PersistentModel.Type] = [
      SeveralStables.Stable.self, SeveralStables.Stud.self, SeveralStables.Groom.self, SeveralStables.Vet.self,
    ]
    for _ in 0..<2 {
      let context = try store.open(models).freshContext()
      let found = try context.only(SeveralStables.Stud.self)
      #expect(found.grooms.map(\.name) == ["g", "h"])
      #expect(found.vets.map(\.name) == ["v"])
      #expect(try context.all(SeveralStables.Groom.self, by: \.name).map { $0.stables.map(\.name) } == [["s"], ["s"]])
    }
  }
}
