import Foundation
import SwiftData

// Models that are declared `Sendable`: on the class, in an extension of this file, and in an extension of another file
// (`SendableModelConformances.swift`).

@Model
final class SentOnClass: @unchecked Sendable {
  var number: Int
  var date: Date?

  init(number: Int) {
    self.number = number
  }
}

@Model
final class SentInFile {
  @Attribute(.unique) var number: Int
  @Relationship(inverse: \SentElsewhere.owner) var others: [SentElsewhere] = []

  init(number: Int) {
    self.number = number
  }
}

extension SentInFile: @unchecked Sendable {}

@Model
public final class SentElsewhere {
  public var number: Int
  var owner: SentInFile?

  public init(number: Int) {
    self.number = number
  }
}

@Model
class SentBase: @unchecked Sendable {
  var number: Int

  init(number: Int) {
    self.number = number
  }
}

@Model
final class SentSubclass: SentBase, @unchecked Sendable {
  var more = 0
}

enum SentVersion {
  @Model
  final class Nested {
    var number: Int

    init(number: Int) {
      self.number = number
    }
  }
}

@Model
nonisolated final class SentNonisolated: Hashable {
  var number: Int

  init(number: Int) {
    self.number = number
  }
}
