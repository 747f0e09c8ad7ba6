import Foundation
import SwiftData

@testable import TestSupport

/// An identifier decoded from JSON, perhaps with changes.
enum OutsideIdentifier {
  static func decode(
    _ identifier: PersistentIdentifier, altering alter: (inout [String: Any]) -> Void = { _ in }
  ) throws -> PersistentIdentifier {
    let data = try JSONEncoder().encode(identifier)
    guard var object = try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]],
      var implementation = object["implementation"]
    else { throw Mismatch("an identifier is not encoded as Apple's are") }
    alter(&implementation)
    object["implementation"] = implementation
    return try JSONDecoder().decode(PersistentIdentifier.self, from: JSONSerialization.data(withJSONObject: object))
  }
}

extension VillageRun {
  func lookUpFromOutside(_ side: VillageSide, _ random: inout SeededGenerator) throws {
    side.context.processPendingChanges()
    let all = image.rows.keys.sorted()
    guard !all.isEmpty else { return }
    let identifier = all[Int.random(in: 0..<all.count, using: &random)]
    let isChanged = side.context.hasChanges
    let decoded = try OutsideIdentifier.decode(identifier)
    if decoded != identifier { throw Mismatch("\(brief(identifier)) was decoded as \(brief(decoded))") }
    let entity = VillageKind.allCases[Int.random(in: 0..<VillageKind.allCases.count, using: &random)]
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      meaning = "\(brief(identifier)) unaltered"
      let model = side.context.model(for: decoded)
      if model !== side.context.model(for: identifier) {
        throw Mismatch("\(brief(identifier)) and its decoded copy find two objects")
      }
    case 1:
      let other = try OutsideIdentifier.decode(identifier) { $0["entityName"] = entity.entityName }
      meaning = "\(brief(identifier)) as \(brief(other))"
      // Row numbers are separate for each entity, but shared within an inheritance hierarchy.
      let possible = try VillageKind.allCases.filter { $0.isKind(of: entity) }.map { kind in
        try OutsideIdentifier.decode(identifier) { $0["entityName"] = kind.entityName }
      }
      try expect(other, in: side, toBe: possible.first { image.rows[$0] != nil })
    case 2:
      let key = "p\(Int.random(in: 5000..<6000, using: &random))"
      let other = try OutsideIdentifier.decode(identifier) { implementation in
        implementation["primaryKey"] = key
        if Bool.random(using: &random) { implementation["entityName"] = entity.entityName }
      }
      meaning = "\(brief(identifier)) as \(brief(other))"
      try expect(other, in: side, toBe: nil)
    default:
      let other = try OutsideIdentifier.decode(identifier) { $0["storeIdentifier"] = UUID().uuidString }
      meaning = "\(brief(identifier)) of another store"
      try expect(other, in: side, toBe: nil)
    }
    if side.context.hasChanges != isChanged { throw Mismatch("looking up an identifier left changes") }
  }

  /// - Parameter existing: The row of the identifier, if there is one.
  private func expect(
    _ identifier: PersistentIdentifier, in side: VillageSide, toBe existing: PersistentIdentifier?
  ) throws {
    let model = side.context.model(for: identifier)
    if let existing {
      if model !== side.context.model(for: existing) {
        throw Mismatch("\(brief(identifier)) does not find the object of \(brief(existing))")
      }
      return
    }
    guard let kind = VillageKind(model) else { return }
    // The model has no row, and reading it is safe.
    for field in kind.fields { _ = field.read(model) }
    for link in kind.links where !link.read(model).isEmpty && link.shape != .required {
      throw Mismatch("\(brief(identifier)) has no row, but \(link.name) is \(link.read(model).map(brief))")
    }
    for other in image.rows.keys where side.context.model(for: other) === model {
      throw Mismatch("\(brief(identifier)), which has no row, finds \(brief(other))")
    }
  }
}
