import Foundation
import Relational

/// Captured models and identifiers that can be among the rows of a term: saved, in the term's store, and of a matching
/// entity.
struct CapturedModels {
  private let model: ModelTerm
  private let context: TranslationContext
  private let entities: Set<InternedString>
  private var keys: [Int64] = []
  /// Keys from identifiers, by entity: entities of one inheritance share keys, and an identifier may name the wrong one,
  /// so the entity of the row is checked too.
  private var claimedKeys: [InternedString: [Int64]] = [:]

  private init(_ model: ModelTerm, _ context: TranslationContext) {
    self.model = model
    self.context = context
    entities = Set(model.layout.root.family.map(\.runtime.entityName))
  }

  /// Whether a term is one of some models, or has one of some identifiers.
  static func contains(_ values: [Any], _ model: ModelTerm, _ context: TranslationContext) throws -> Condition {
    var models = CapturedModels(model, context)
    for value in values { try models.add(value) }
    return models.condition
  }

  /// Whether a term has one of many identifiers.
  static func contains(
    _ identifiers: [PersistentIdentifier], _ model: ModelTerm, _ context: TranslationContext
  ) -> Condition {
    var models = CapturedModels(model, context)
    models.keys.reserveCapacity(identifiers.count)
    for identifier in identifiers { models.add(identifier) }
    return models.condition
  }

  /// The key of a value, if it can be among the rows of a term.
  static func key(_ value: Any, of model: ModelTerm, _ context: TranslationContext) throws -> Int64? {
    var models = CapturedModels(model, context)
    try models.add(value)
    return models.keys.first ?? models.claimedKeys.values.first?.first
  }

  // MARK: Keys

  private mutating func add(_ value: Any) throws {
    switch value {
    case let value as PersistentIdentifier:
      add(value)
    case let value as any PersistentModel:
      try check(value)
      if let key = key(of: value.anyIdentifier) { keys.append(key) }
    default: throw Untranslatable("a model is compared with a \(type(of: value))")
    }
  }

  private mutating func add(_ identifier: PersistentIdentifier) {
    let identifier = identifier.inNumbers.current
    guard let key = key(of: identifier) else { return }
    if model.layout.typeColumn == nil {
      keys.append(key)
    } else {
      claimedKeys[identifier.id.entity, default: []].append(key)
    }
  }

  private func key(of identifier: PersistentIdentifier) -> Int64? {
    let id = identifier.id
    return id.key > 0 && id.store == context.store && entities.contains(id.entity) ? id.key : nil
  }

  /// Refuses models of other containers, which cannot be the target of any model.
  private func check(_ value: any PersistentModel) throws {
    guard let owner = value._$withState({ $0.graph }),
      !owner.bindingsByOrdinal.contains(where: { $0.store == context.store })
    else { return }
    throw SwiftDataError.unsupportedPredicate.with(
      entity: model.layout.entity.name,
      message: "The predicate compares \(model.layout.entity.name) with a model of another container.",
      hint: "Fetch it from this container by its persistentModelID.", identifiers: [value.anyIdentifier])
  }

  // MARK: Conditions

  private var condition: Condition {
    var condition = keys.isEmpty ? Condition.always(false) : isOne(of: keys)
    for (entity, keys) in claimedKeys.sorted(by: { $0.key.string < $1.key.string }) {
      var isOne = isOne(of: keys)
      if let type = model.layout.typeColumn {
        let column = model.column(type, .text, isOptional: false, context)
        isOne = isOne.and(.exact(column.test { .binary(.equal, $0, .value(.text(entity.string))) }))
      }
      condition = condition.or(isOne)
    }
    return condition.constant == nil ? model.meets(condition) : condition
  }

  private func isOne(of keys: [Int64]) -> Condition {
    .exact(
      model.key.test { key in
        keys.count == 1 ? .binary(.equal, key, .value(.integer(keys[0]))) : .isIn(key, keys.map { .integer($0) })
      })
  }
}
