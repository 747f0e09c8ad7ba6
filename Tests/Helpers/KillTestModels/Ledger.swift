public import Foundation
public import SwiftData

/// The model that one save of the kill test writes; its sums show a reader whether all of it is present.
@Model
public final class Ledger {
  @Attribute(.unique) public var number: Int
  /// How often it was rewritten.
  public var revision: Int
  public var entryCount: Int
  public var entrySum: Int
  public var markCount: Int
  public var blobSize: Int
  public var blobCheck: Int
  @Attribute(.externalStorage) public var blob: Data
  @Relationship(deleteRule: .cascade, inverse: \Entry.ledger) public var entries: [Entry] = []
  @Relationship(inverse: \Mark.ledgers) public var marks: [Mark] = []

  public init(number: Int) {
    self.number = number
    revision = 0
    entryCount = 0
    entrySum = 0
    markCount = 0
    blobSize = 0
    blobCheck = 0
    blob = Data()
  }
}

@Model
public final class Entry {
  public var amount: Int
  public var ledger: Ledger?

  public init(amount: Int) {
    self.amount = amount
  }
}

@Model
public final class Mark {
  @Attribute(.unique) public var word: String
  public var ledgers: [Ledger] = []

  public init(word: String) {
    self.word = word
  }
}

/// One row that every save rewrites.
@Model
public final class Summary {
  public var latest: Int
  public var ledgers: Int
  public var entries: Int

  public init() {
    latest = 0
    ledgers = 0
    entries = 0
  }
}

/// The store that the writer and its reader open.
public func openLedgers(at url: URL) throws -> ModelContainer {
  try ModelContainer(
    for: Ledger.self, Entry.self, Mark.self, Summary.self, configurations: ModelConfiguration(url: url))
}
