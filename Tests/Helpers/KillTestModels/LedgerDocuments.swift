public import Foundation
public import SwiftData

extension DocumentType {
  public static let ledgers = DocumentType(
    "com.example.ledgers", filenameExtension: "ledgers", for: Ledger.self, Entry.self, Mark.self, Summary.self)
}

/// Creates one document after the other, and saves, reverts and closes each.
public enum LedgerDocuments {
  /// The bytes of the first ledger of each document, which have a file of their own.
  public static let blob = Data(repeating: 7, count: 140_000)

  public static func url(_ number: Int, in folder: URL) -> URL {
    folder.appendingPathComponent("\(number).ledgers", isDirectory: true)
  }

  /// - Parameter acknowledge: Called with an action and its document after each action.
  public static func run(in folder: URL, acknowledge: (String, Int) throws -> Void) throws -> Never {
    var number = 0
    while true {
      number += 1
      let document = try PersistentDocument(creatingAt: url(number, in: folder), type: .ledgers) { context in
        let ledger = Ledger(number: 1)
        ledger.blob = blob
        context.insert(ledger)
      }
      try acknowledge("created", number)
      document.modelContext.insert(Ledger(number: 2))
      try document.save()
      try acknowledge("saved", number)
      let ledger = try document.modelContext.fetch(FetchDescriptor<Ledger>(sortBy: [SortDescriptor(\.number)]))[0]
      ledger.blob = Data(repeating: 8, count: 140_000)
      document.modelContext.insert(Ledger(number: 3))
      // As an automatic save does.
      try document.modelContext.save()
      try document.revert()
      try acknowledge("reverted", number)
      try document.close()
      try acknowledge("closed", number)
    }
  }
}
