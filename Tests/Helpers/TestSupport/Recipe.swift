import SwiftData

@Model
final class Recipe {
  var name: String

  init(_ name: String) {
    self.name = name
  }
}
