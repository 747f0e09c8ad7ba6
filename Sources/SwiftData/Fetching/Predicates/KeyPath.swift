import Foundation
import Relational

extension PredicateExpressions.KeyPath: SQLTranslatable {
  var operands: [any PredicateExpression] { [root] }

  func translate(in context: TranslationContext) throws -> Term {
    let root = try context.translate(root)
    if let folded = try context.folded(self, root) { return folded }
    switch root {
    case .model(let model): return try model.property(keyPath, context)
    case .composite(let composite): return try composite.field(keyPath, context)
    case .scalar(let scalar): return try scalar.property(keyPath)
    case .collection(let collection): return try collection.property(keyPath, context)
    case .constant, .identifier, .range, .condition, .optionalCondition:
      throw Untranslatable("\(type(of: keyPath).rootType) has no properties in SQL")
    }
  }
}

extension ScalarTerm {
  fileprivate func property(_ keyPath: AnyKeyPath) throws -> Term {
    switch keyPath {
    case \String.isEmpty where kind.isText:
      return .condition(.exact(test { .binary(.equal, $0, .value(.text(""))) }))
    case \String.count where kind.isText:
      return .scalar(mapped(.int) { .function(StringFunctions.characterCount.name, [$0]) })
    default:
      if let type = kind.rawType, RawValues.isRawValue(keyPath, of: type) { return .scalar(mapped(kind.raw) { $0 }) }
      throw Untranslatable("\(keyPath) has no SQL form")
    }
  }
}

extension CollectionTerm {
  fileprivate func property(_ keyPath: AnyKeyPath, _ context: TranslationContext) throws -> Term {
    guard let type = type(of: keyPath).rootType as? any RelationshipCollection.Type else {
      throw Untranslatable("\(keyPath) has no SQL form")
    }
    let (isEmpty, count) = Self.keyPaths(of: type)
    if keyPath == isEmpty { return .condition(try exists(context).negated()) }
    if keyPath == count { return .scalar(try self.count(context)) }
    throw Untranslatable("\(keyPath) has no SQL form")
  }

  private static func keyPaths<Members: RelationshipCollection>(
    of type: Members.Type
  ) -> (isEmpty: AnyKeyPath, count: AnyKeyPath) {
    (\[Members.PersistentElement].isEmpty, \[Members.PersistentElement].count)
  }
}

enum RawValues {
  /// Whether a key path leads to a type's raw values.
  ///
  /// A key path that was written for a concrete type cannot be compared with one that is made here, for any type. It is
  /// tried on all values instead.
  static func isRawValue(_ keyPath: AnyKeyPath, of type: Any.Type) -> Bool {
    if let type = type as? any RawRepresentable.Type, isEqual(keyPath, type) { return true }
    guard let type = type as? any (RawRepresentable & CaseIterable).Type else { return false }
    return agrees(keyPath, type)
  }

  private static func isEqual<Raw: RawRepresentable>(_ keyPath: AnyKeyPath, _ type: Raw.Type) -> Bool {
    keyPath == \Raw.rawValue
  }

  private static func agrees<Raw: RawRepresentable & CaseIterable>(_ keyPath: AnyKeyPath, _ type: Raw.Type) -> Bool {
    guard let keyPath = keyPath as? Swift.KeyPath<Raw, Raw.RawValue>, !Raw.allCases.isEmpty else { return false }
    return Raw.allCases.allSatisfy { value in
      guard let found = value[keyPath: keyPath] as? AnyHashable else { return false }
      return found == value.rawValue as? AnyHashable
    }
  }
}
