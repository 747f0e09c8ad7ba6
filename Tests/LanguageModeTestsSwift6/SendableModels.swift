import Foundation
import SwiftData

// Models that a program declares `Sendable` by its own word: on the class, in an extension of this file, and in one of
// another file (`SendableModelConformances.swift`).

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
final class SentHeir: SentBase, @unchecked Sendable {
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
