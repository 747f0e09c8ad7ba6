import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

enum Before {
  enum Kind: String, Codable { case one }
  @Model final class Item {
    var name: String = "a"
    var kind: Kind?
    @Relationship(deleteRule: .nullify) var parts: [Part] = []
    init() {}
  }
  @Model final class Part {
    var item: Item?
    init() {}
  }
}

/// Another default, delete rule, order and index; and options that change no rows.
enum SameShape {
  enum Kind: String, Codable { case one, two }
  @Model final class Item {
    #Index<Item>([\.name])
    @Relationship(deleteRule: .cascade) var parts: [Part] = []
    var kind: Kind?
    @Attribute(.spotlight, .preserveValueOnDeletion, originalName: "title") var name: String = "b"
    init() {}
  }
  @Model final class Part {
    var item: Item?
    init() {}
  }
}

enum Changed {
  @Model final class Named {
    var name = ""
    init() {}
  }
  enum Renamed {
    @Model final class Named {
      var title = ""
      init() {}
    }
  }
  enum Retyped {
    @Model final class Named {
      var name = 0
      init() {}
    }
  }
  enum Optional {
    @Model final class Named {
      var name: String?
      init() {}
    }
  }
  enum Unique {
    @Model final class Named {
      @Attribute(.unique) var name = ""
      init() {}
    }
  }
  enum Modified {
    @Model final class Named {
      @Attribute(hashModifier: "2") var name = ""
      init() {}
    }
  }
  enum Ephemeral {
    @Model final class Named {
      @Attribute(.ephemeral) var name = ""
      init() {}
    }
  }
  enum Extended {
    @Model final class Named {
      var name = ""
      var more: Int?
      init() {}
    }
  }
}

@Suite("The hash of a schema's shape")
struct SchemaHashTests {
  private func hash(_ types: any PersistentModel.Type...) -> String {
    Schema(types).versionHash
  }

  @Test("A difference that changes no rows gives the same hash")
  func sameHash() {
    #expect(hash(Before.Item.self) == hash(SameShape.Item.self))
    #expect(hash(Before.Item.self) == hash(Before.Part.self))
    #expect(Schema([Before.Item.self], version: Schema.Version(9, 0, 0)).versionHash == hash(Before.Item.self))
  }

  @Test("Every change of shape gives another hash")
  func otherHash() {
    let hashes = [
      hash(Changed.Named.self), hash(Changed.Renamed.Named.self), hash(Changed.Retyped.Named.self),
      hash(Changed.Optional.Named.self), hash(Changed.Unique.Named.self), hash(Changed.Modified.Named.self),
      hash(Changed.Ephemeral.Named.self), hash(Changed.Extended.Named.self),
    ]
    #expect(Set(hashes).count == hashes.count)
  }

  @Test("The hash is the same in every process and release")
  func stableHash() {
    #expect(Schema().versionHash == "cbf29ce484222325")
    #expect(hash(Changed.Named.self) == "dca2af482352c1b8")
  }
}
