import Foundation
import SwiftData

@testable import TestSupport

// The same models with properties, without them, and with others of their names; names repeat on purpose.

struct ParcelSize: Codable, Equatable {
  var width: Int
  var height: Int
}

enum FullParcels {
  @Model
  final class Parcel {
    var number: Int
    var label: String
    var weight: Double?
    var size: ParcelSize?
    var marks: [String] = []
    @Attribute(.externalStorage) var scan: Data?
    var depot: Depot?
    @Relationship(inverse: \Seal.parcels) var seals: [Seal] = []

    init(_ number: Int, label: String) {
      self.number = number
      self.label = label
    }
  }

  @Model
  final class Depot {
    var name: String
    @Relationship(inverse: \Parcel.depot) var parcels: [Parcel] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Seal {
    var word: String
    var parcels: [Parcel] = []

    init(_ word: String) {
      self.word = word
    }
  }
}

enum BareParcels {
  @Model
  final class Parcel {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Depot {
    var name: String

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Seal {
    var word: String

    init(_ word: String) {
      self.word = word
    }
  }
}

/// Properties that were restored with another name, with a default value, and with another type.
enum OtherParcels {
  @Model
  final class Parcel {
    var number: Int
    @Attribute(originalName: "label") var title = "none"
    var weight = 1.5
    var marks: [Int] = [7]
    var scan: Data?

    init(_ number: Int) {
      self.number = number
    }
  }

  typealias Depot = BareParcels.Depot

  typealias Seal = BareParcels.Seal
}

enum FullBeasts {
  @Model
  class Beast {
    var legs = 4

    init() {}
  }

  @Model
  final class Hound: Beast {
    var age = 1
    var call: String

    init(call: String) {
      self.call = call
      super.init()
    }
  }
}

enum BareBeasts {
  @Model
  class Beast {
    var legs = 4

    init() {}
  }

  @Model
  final class Hound: Beast {
    var age = 1

    override init() {
      super.init()
    }
  }
}
