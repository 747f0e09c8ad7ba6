import Foundation
import Relational

extension PredicateExpressions.KeyPath: SQLTranslatable {
  func translate(in context: TranslationContext) throws -> Term {
    let root = try context.translate(root)
    if let folded = try context.folded(self, root) { return folded }
    do {
      return try property(of: root, context)
    } catch var failure as Untranslatable {
      failure.keyPath = failure.keyPath ?? PredicateDescription.name(of: keyPath)
      throw failure
    }
  }

  private func property(of root: Term, _ context: TranslationContext) throws -> Term {
    switch root {
    case .model(let model): return try model.property(keyPath, context)
    case .composite(let composite): return try composite.field(keyPath, context)
    case .object(let object): return try object.field(keyPath)
    case .scalar(let scalar): return try scalar.property(keyPath, context)
    case .transaction(let transaction): return try transaction.property(keyPath, context)
    case .collection(let collection): return try collection.property(keyPath, context)
    case .constant, .identifier, .range, .condition, .optionalCondition:
      throw Untranslatable("\(type(of: keyPath).rootType) has no properties in SQL")
    }
  }
}

extension ScalarTerm {
  fileprivate func property(_ keyPath: AnyKeyPath, _ context: TranslationContext) throws -> Term {
    if kind.encodedType != nil {
      if let object = JSONObjectTerm(self) { return try object.field(keyPath) }
      return try Term.scalar(self).collection().property(keyPath, context)
    }
    switch keyPath {
    case \String.isEmpty where kind.isText:
      return .condition(.exact(test { .binary(.equal, $0, .value(.text(""))) }))
    case \String.count where kind.isText:
      return .scalar(mapped(.int) { .call(StringFunctions.characterCount, [$0]) })
    case \ComparisonResult.rawValue where kind == .comparisonResult:
      return .scalar(mapped(.int) { $0 })
    case \Data.isEmpty where kind.primitive == Data.self:
      return .condition(.exact(test { .binary(.equal, .function(.byteCount, [$0]), .value(.integer(0))) }))
    case \Data.count where kind.primitive == Data.self:
      return .scalar(mapped(.int) { .function(.byteCount, [$0]) })
    case \Date.timeIntervalSinceReferenceDate where kind.primitive == Date.self:
      return .scalar(mapped(.real) { $0 })
    case \Date.timeIntervalSince1970 where kind.primitive == Date.self:
      let offset = SQLExpression.value(.real(Date.timeIntervalBetween1970AndReferenceDate))
      return .scalar(
        ScalarTerm(
          .binary(.add, FloatingPoint.operand(mapped(.real) { $0 }), offset), .real, isOptional: false, mayBeNull: true)
      )
    case \Double.isNaN where kind == .real, \Float.isNaN where kind.primitive == Float.self:
      return .condition(.exact(FloatingPoint.isNumber(withNaN.expression).negated))
    default:
      if let type = kind.rawType {
        if CaseValues.isRawValue(keyPath, of: type) { return .scalar(mapped(kind.raw) { $0 }) }
        if let cases = CaseValues.values(of: keyPath, type) { return try CaseValues.term(cases, self, context) }
      }
      throw Untranslatable("\(PredicateDescription.name(of: keyPath)) has no SQL form")
    }
  }
}

extension CollectionTerm {
  fileprivate func property(_ keyPath: AnyKeyPath, _ context: TranslationContext) throws -> Term {
    if case .json(let elements) = members { return try self.property(keyPath, of: elements, context) }
    guard let type = type(of: keyPath).rootType as? any RelationshipCollection.Type else {
      throw Untranslatable("\(PredicateDescription.name(of: keyPath)) has no SQL form")
    }
    let (isEmpty, count) = Self.keyPaths(of: type)
    if keyPath == isEmpty { return .condition(try exists(context).negated()) }
    if keyPath == count { return .scalar(try self.count(context)) }
    throw Untranslatable("\(PredicateDescription.name(of: keyPath)) has no SQL form")
  }

  private static func keyPaths<Members: RelationshipCollection>(
    of type: Members.Type
  ) -> (isEmpty: AnyKeyPath, count: AnyKeyPath) {
    (\[Members.PersistentElement].isEmpty, \[Members.PersistentElement].count)
  }
}
