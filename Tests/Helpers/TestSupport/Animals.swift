import SwiftData

@Model class Animal {
  var name: String
  var keeper: Keeper?

  init(_ name: String) {
    self.name = name
  }
}

@Model final class Cat: Animal {
  var lives = 9
  var toy = "mouse"
  @Relationship(inverse: \Kitten.mother) var kittens: [Kitten] = []

  override init(_ name: String) {
    super.init(name)
  }
}

@Model final class Dog: Animal {
  var tricks: [String] = []
  var owner = "none"

  override init(_ name: String) {
    super.init(name)
  }
}

@Model final class Kitten {
  var name: String
  var mother: Cat?

  init(_ name: String) {
    self.name = name
  }
}

@Model final class Keeper {
  var name: String
  @Relationship(inverse: \Animal.keeper) var animals: [Animal] = []
  @Relationship(inverse: nil) var favourite: Animal?

  init(_ name: String) {
    self.name = name
  }
}
