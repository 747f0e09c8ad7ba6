package import SwiftData

/// A context's contents of the reefs, as plain values.
package struct ReefStatement: Sendable {
  enum Value: Equatable, Sendable, CustomStringConvertible {
    case text(String)
    case links([PersistentIdentifier])

    init(_ targets: [any PersistentModel]) {
      self = .links(targets.map(\.persistentModelID))
    }

    init(_ target: (any PersistentModel)?) {
      self.init(target.map { [$0] } ?? [])
    }

    var description: String {
      switch self {
      case .text(let text): "\"\(text)\""
      case .links(let targets): "[\(targets.map { brief($0) }.joined(separator: ", "))]"
      }
    }
  }

  /// A difference from the expected contents.
  package struct Difference: Sendable {
    let identifier: PersistentIdentifier
    let text: String
  }

  /// The values of each model, by the names of its properties.
  private(set) var models: [PersistentIdentifier: [String: Value]] = [:]
  /// The sum of the levels of all tides.
  package private(set) var level = 0

  package init(_ context: ModelContext) throws {
    var all: [any PersistentModel] = try context.fetch(FetchDescriptor<Reef>())
    all += try context.fetch(FetchDescriptor<Fish>()) as [any PersistentModel]
    all += try context.fetch(FetchDescriptor<Diver>()) as [any PersistentModel]
    let tides = try context.fetch(FetchDescriptor<Tide>())
    all += tides as [any PersistentModel]
    for model in all { models[model.persistentModelID] = Self.values(of: model) }
    level = tides.reduce(0) { $0 + $1.level }
  }

  static func values(of model: any PersistentModel) -> [String: Value] {
    switch model {
    case let reef as Reef:
      [
        "number": .text("\(reef.number)"), "name": .text(reef.name), "depth": .text("\(reef.depth)"),
        "fish": Value(reef.fish), "divers": Value(reef.divers),
      ]
    case let fish as Fish:
      [
        "name": .text(fish.name), "spots": .text("\(fish.spots)"), "reef": Value(fish.reef),
        "finder": Value(fish.finder),
      ]
    case let diver as Diver:
      [
        "name": .text(diver.name), "note": .text(diver.note ?? "none"), "reefs": Value(diver.reefs),
        "finds": Value(diver.finds),
      ]
    case let tide as Tide: ["number": .text("\(tide.number)"), "level": .text("\(tide.level)")]
    default: [:]
    }
  }

  // MARK: Comparing

  func differences(from expected: ReefStatement) -> [Difference] {
    let identifiers = Set(models.keys).union(expected.models.keys)
    return identifiers.sorted().flatMap { expected.differences(of: $0, models[$0]) }
  }

  /// The differences of a model with the values `found` from this statement.
  func differences(of identifier: PersistentIdentifier, _ found: [String: Value]?) -> [Difference] {
    guard let found else { return [Difference(identifier: identifier, text: "\(brief(identifier)) is missing")] }
    guard let expected = models[identifier] else {
      return [Difference(identifier: identifier, text: "\(brief(identifier)) is there, and has no row")]
    }
    var differences: [Difference] = []
    for (name, value) in expected.sorted(by: { $0.key < $1.key }) where found[name] != value {
      let text = "\(brief(identifier)).\(name) is \(found[name]?.description ?? "nothing"), not \(value)"
      differences.append(Difference(identifier: identifier, text: text))
    }
    return differences
  }

  // MARK: Inverse relationships

  private static let inverses = [
    "Reef": ["fish": "reef", "divers": "reefs"],
    "Fish": ["reef": "fish", "finder": "finds"],
    "Diver": ["reefs": "divers", "finds": "finder"],
  ]

  /// Relationships without a target, with a repeated one, or without the inverse.
  package var flaws: [String] {
    var flaws: [String] = []
    for (identifier, values) in models {
      for (name, inverse) in Self.inverses[identifier.entityName] ?? [:] {
        guard case .links(let targets)? = values[name] else { continue }
        if Set(targets).count < targets.count { flaws.append("\(brief(identifier)).\(name) has a member twice") }
        for target in targets {
          if case .links(let sources)? = models[target]?[inverse], sources.contains(identifier) { continue }
          flaws.append("\(brief(identifier)).\(name) has \(brief(target)), whose \(inverse) does not lead back")
        }
      }
    }
    return flaws.sorted()
  }
}
