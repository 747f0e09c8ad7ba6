import SwiftData

@testable import TestSupport

/// The contents of a store as plain values, read by a new context and compared with other contexts.
struct VillageImage {
  struct Row: Equatable {
    let kind: VillageKind
    var fields: [String: String] = [:]
    var links: [String: [PersistentIdentifier]] = [:]

    init(kind: VillageKind) {
      self.kind = kind
    }

    /// Reads all properties of a model.
    init(_ model: any PersistentModel) throws {
      guard let kind = VillageKind(model) else { throw Mismatch("a \(type(of: model)) is of no known entity") }
      self.kind = kind
      for field in kind.fields { fields[field.name] = field.read(model) }
      for link in kind.links { links[link.name] = link.read(model).map(\.persistentModelID) }
    }
  }

  var rows: [PersistentIdentifier: Row] = [:]

  init() {}

  init(_ container: ModelContainer) throws {
    let context = ModelContext(container)
    // Retains all models until the end, so that each row is read once.
    var models: [any PersistentModel] = []
    for kind in VillageKind.roots { models += try context.villagers(of: kind) }
    for model in models { rows[model.persistentModelID] = try Row(model) }
    try context.save()
    if context.hasChanges { throw Mismatch("a context that only read has changes") }
  }

  func identifiers(of kind: VillageKind) -> [PersistentIdentifier] {
    rows.filter { $0.value.kind.isKind(of: kind) }.keys.sorted()
  }

  /// Throws when the rows contradict each other or their schema.
  func checkConsistency() throws {
    for (identifier, row) in rows {
      for link in row.kind.links { try check(link, of: identifier, row) }
    }
    for (owner, names) in VillageField.unique {
      var holders: [[String]: PersistentIdentifier] = [:]
      for (identifier, row) in rows where row.kind.isKind(of: owner) {
        let values = names.map { row.fields[$0] ?? "nil" }
        if values.contains("nil") { continue }
        if let other = holders.updateValue(identifier, forKey: values) {
          throw Mismatch("in the store \(brief(other)) and \(brief(identifier)) both have \(names) \(values)")
        }
      }
    }
  }

  private func check(_ link: VillageLink, of identifier: PersistentIdentifier, _ row: Row) throws {
    let targets = row.links[link.name] ?? []
    if Set(targets).count != targets.count {
      throw Mismatch("in the store \(brief(identifier)).\(link.name) has a member twice: \(targets.map(brief))")
    }
    if link.shape == .required, targets.isEmpty {
      throw Mismatch("in the store \(brief(identifier)).\(link.name) has no target")
    }
    for target in targets {
      guard let other = rows[target] else {
        throw Mismatch("in the store \(brief(identifier)).\(link.name) references \(brief(target)), which has no row")
      }
      if let inverse = link.inverseName, other.links[inverse]?.contains(identifier) != true {
        throw Mismatch(
          "in the store \(brief(identifier)).\(link.name) has \(brief(target)), but \(brief(target)).\(inverse) is "
            + "\(other.links[inverse]?.map(brief) ?? [])")
      }
    }
  }

  /// The differences between two images.
  func differences(from other: VillageImage) -> [String] {
    var differences: [String] = []
    for identifier in Set(rows.keys).union(other.rows.keys).sorted() {
      switch (rows[identifier], other.rows[identifier]) {
      case (let mine?, let others?):
        for (name, value) in mine.fields where others.fields[name] != value {
          differences.append("\(brief(identifier)).\(name) is \(value), not \(others.fields[name] ?? "missing")")
        }
        for (name, targets) in mine.links where others.links[name] != targets {
          differences.append(
            "\(brief(identifier)).\(name) is \(targets.map(brief)), not \(others.links[name]?.map(brief) ?? [])")
        }
      case (_?, nil): differences.append("\(brief(identifier)) should not be there")
      default: differences.append("\(brief(identifier)) is missing")
      }
    }
    return differences
  }
}
