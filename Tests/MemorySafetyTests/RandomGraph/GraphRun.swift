import Foundation
import SwiftData

@testable import TestSupport

/// Applies operations to contexts and to the reference model, and compares them.
final class GraphRun {
  /// The number of operations between two comparisons of everything.
  static let comparisonInterval = 50
  /// With more models than this, insertions become deletions.
  static let sizeLimit = 70

  private let folder: TemporaryFolder
  var container: ModelContainer
  var sides: [GraphSide]
  /// The expected contents of the store.
  var saved = World()
  var identifiers: [Int: PersistentIdentifier] = [:]
  var handles: [PersistentIdentifier: Int] = [:]
  /// Models that were deleted, rolled back or merged.
  var gone: [any GraphModel] = []
  var nextHandle = 1
  /// A description of the current operation's effect.
  var meaning = ""

  init(sides count: Int) throws {
    folder = try TemporaryFolder()
    container = try Self.open(folder)
    sides = []
    sides = (0..<count).map { _ in GraphSide(container, World()) }
  }

  private static func open(_ folder: TemporaryFolder) throws -> ModelContainer {
    try ModelContainer(
      for: Team.self, Player.self, Skill.self, Badge.self, Node.self,
      configurations: ModelConfiguration(url: folder.file()))
  }

  struct Failure {
    let index: Int
    let message: String
    let log: [String]
  }

  /// Runs operations until one of them shows a difference.
  static func run(
    _ operations: [GraphOperation], sides: Int, comparingEvery interval: Int = comparisonInterval
  ) -> Failure? {
    var log: [String] = []
    do {
      let run = try GraphRun(sides: sides)
      for (index, operation) in operations.enumerated() {
        do {
          if TestOptions.isTracing { print(index, operation) }
          defer { log.append("\(index): \(operation) \(run.meaning)") }
          try run.apply(operation)
          if index % interval == interval - 1 { try run.compareAll() }
        } catch {
          return Failure(index: index, message: "\(error)", log: log.suffix(30))
        }
      }
      try run.compareAll()
      return nil
    } catch {
      return Failure(index: operations.count, message: "\(error)", log: log.suffix(30))
    }
  }

  func apply(_ operation: GraphOperation) throws {
    meaning = ""
    let side = sides[operation.side % sides.count]
    if sides.count > 1 { side.context.processPendingChanges() }
    try perform(operation, side)
    try side.context.throwFlaws()
    try check(side)
    if operation.third % 5 == 0 {
      let kind = Kind.allCases[operation.third / 5 % Kind.allCases.count]
      let count = try side.context.count(of: kind)
      let expected = side.view.handles(kind).count
      if count != expected { throw Mismatch("fetchCount of \(kind) is \(count), not \(expected)") }
    }
  }

  func reopen() throws {
    let count = sides.count
    sides = []
    container = try Self.open(folder)
    sides = (0..<count).map { _ in GraphSide(container, saved) }
  }

  /// The object for a handle in a context.
  func object(_ handle: Int, _ side: GraphSide) throws -> any GraphModel {
    if let model = side.live[handle] { return model }
    guard let identifier = identifiers[handle], let model = side.context.model(for: identifier) as? any GraphModel
    else {
      throw Mismatch("\(handle) has no object")
    }
    return model
  }

  func handle(_ model: any GraphModel) throws -> Int {
    guard let handle = handles[model.persistentModelID] else {
      throw Mismatch("an unknown \(type(of: model)) \"\(model.text)\" \(model.persistentModelID) appeared")
    }
    return handle
  }
}
