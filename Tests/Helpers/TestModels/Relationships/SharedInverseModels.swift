import SwiftData

@testable import TestSupport

// Relationships that name the same inverse.

@Model
final class Orchard {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \Tree.orchard) var left: [Tree] = []
  @Relationship(deleteRule: .cascade, inverse: \Tree.orchard) var right: [Tree] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Tree {
  var name: String
  var orchard: Orchard?

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Duchy {
  var name: String
  @Relationship(inverse: \Duke.duchy) var ruler: Duke?
  @Relationship(inverse: \Duke.duchy) var regent: Duke?

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Duke {
  var name: String
  var duchy: Duchy?

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Anthology {
  var name: String
  @Relationship(inverse: \Poem.anthologies) var front: [Poem] = []
  @Relationship(inverse: \Poem.anthologies) var back: [Poem] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class Poem {
  var name: String
  var anthologies: [Anthology] = []

  init(_ name: String) {
    self.name = name
  }
}

/// A class and its subclass name one inverse, whose target is the class.
@Model
class Marina {
  var name: String
  @Relationship(inverse: \Dinghy.marina) var boats: [Dinghy] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class NavalMarina: Marina {
  @Relationship(inverse: \Dinghy.marina) var submarines: [Dinghy] = []

  override init(_ name: String) {
    super.init(name)
  }
}

@Model
final class Dinghy {
  var name: String
  var marina: Marina?

  init(_ name: String) {
    self.name = name
  }
}

/// Only subclasses name the inverse, whose target is their superclass.
@Model
class Yardmaster {
  var name: String

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class RailYardmaster: Yardmaster {
  @Relationship(inverse: \StackedCrate.keeper) var wagons: [StackedCrate] = []

  override init(_ name: String) {
    super.init(name)
  }
}

@Model
final class RoadYardmaster: Yardmaster {
  @Relationship(inverse: \StackedCrate.keeper) var lorries: [StackedCrate] = []

  override init(_ name: String) {
    super.init(name)
  }
}

@Model
final class StackedCrate {
  var name: String
  var keeper: Yardmaster?

  init(_ name: String) {
    self.name = name
  }
}

/// The same, where the superclass has a relationship that the inverse belongs to.
@Model
class Postbox {
  var letters: [PostedLetter] = []

  init() {}
}

@Model
final class RedPostbox: Postbox {
  @Relationship(inverse: \PostedLetter.postbox) var urgent: [PostedLetter] = []

  override init() {
    super.init()
  }
}

@Model
final class BluePostbox: Postbox {
  @Relationship(inverse: \PostedLetter.postbox) var foreign: [PostedLetter] = []

  override init() {
    super.init()
  }
}

@Model
final class PostedLetter {
  var postbox: Postbox?

  init() {}
}

/// The inverse itself names its relationship.
enum Spoken {
  @Model
  final class Panel {
    @Relationship(inverse: \Lamp.panel) var first: [Lamp] = []
    var second: [Lamp] = []

    init() {}
  }

  @Model
  final class Lamp {
    @Relationship(inverse: \Panel.second) var panel: Panel?

    init() {}
  }
}
