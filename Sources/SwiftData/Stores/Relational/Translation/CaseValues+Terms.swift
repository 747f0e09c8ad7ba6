import Foundation
import Relational

// In SQL, such a property is a CASE expression over the raw values.
extension CaseValues {
  /// The property as a CASE expression, or the column itself if the property equals the raw value.
  static func term(_ cases: [CaseValue], _ scalar: ScalarTerm, _ context: TranslationContext) throws -> Term {
    if cases.allSatisfy({ isRawValue($0.value, of: $0.raw) }) { return .scalar(scalar.mapped(scalar.kind.raw) { $0 }) }
    guard let first = cases.first else { throw Untranslatable("\(scalar.kind) has no cases") }
    let kind = ScalarKind(valueType: type(of: first.value))
    guard kind.primitive != nil else { throw Untranslatable("\(type(of: first.value)) is no single value") }
    if kind == .bool {
      let raws = try cases.filter { $0.value as? Bool == true }.map { try context.encode($0.raw, as: scalar.kind) }
      return raws.isEmpty ? .constant(false) : .condition(.exact(TextComparison.isIn(scalar, raws)))
    }
    let choices = try cases.map {
      (raw: try context.encode($0.raw, as: scalar.kind), value: try context.encode($0.value, as: kind))
    }
    return .scalar(
      scalar.mapped(kind, mayBeNull: true) { column in
        let raw = ScalarTerm(column, scalar.kind, isOptional: false)
        return choices.reversed().reduce(SQLExpression.value(.null)) { otherwise, choice in
          .conditional(condition: isCase(raw, choice.raw), then: .value(choice.value), otherwise: otherwise)
        }
      })
  }

  private static func isCase(_ scalar: ScalarTerm, _ raw: Value) -> SQLExpression {
    guard scalar.kind.isMadeOfText, case .text(let text) = raw else {
      return .binary(.equal, scalar.column, .value(raw))
    }
    return TextComparison.equal(scalar, text).expression
  }

  /// The cases that compare with a captured one as required; nil if they are not known.
  static func cases(
    of type: Any.Type, _ binary: SQLExpression.Binary, _ value: Any
  ) -> [Any]? {
    guard let type = type as? any (RawRepresentable & Comparable).Type else { return nil }
    return cases(in: type, binary, value)
  }

  private static func cases<Case: RawRepresentable & Comparable>(
    in type: Case.Type, _ binary: SQLExpression.Binary, _ value: Any
  ) -> [Any]? {
    guard let value = value as? Case else { return nil }
    return EnumerationCases.all(of: type)?.filter {
      switch binary {
      case .less: $0 < value
      case .lessOrEqual: $0 <= value
      case .greater: $0 > value
      default: $0 >= value
      }
    }
  }

  /// The rank of each value in the order of its type; equal cases have the same rank.
  static func ranks(of type: Any.Type, _ scalar: ScalarTerm, _ context: TranslationContext) throws -> ScalarTerm {
    guard let type = type as? any (RawRepresentable & Comparable).Type, let cases = ranks(of: type),
      case .scalar(let ranks) = try term(cases, scalar, context)
    else { throw Untranslatable("SQL cannot order \(scalar.kind)") }
    return ranks
  }

  private static func ranks<Case: RawRepresentable & Comparable>(of type: Case.Type) -> [CaseValue]? {
    guard let cases = EnumerationCases.all(of: type) else { return nil }
    return cases.map { value in CaseValue(raw: value, value: cases.count { $0 < value }) }
  }

  /// The type of the raw values, if JSON has the raw value of each case unchanged.
  static func encodedRawType(of type: Any.Type) -> (any _PrimitiveValue.Type)? {
    guard let type = type as? any (RawRepresentable & Encodable).Type else { return nil }
    return encodedRawType(in: type)
  }

  private static func encodedRawType<Case: RawRepresentable & Encodable>(
    in type: Case.Type
  ) -> (any _PrimitiveValue.Type)? {
    let encoder = StoredJSON.makeEncoder()
    func isRaw(_ value: Case) -> Bool {
      guard let raw = value.rawValue as? any Encodable, let encoded = try? encoder.encode([value]) else { return false }
      func encode<Raw: Encodable>(_ raw: Raw) -> Data? { try? encoder.encode([raw]) }
      return encode(raw) == encoded
    }
    guard Case.RawValue.self == String.self || JSONValue.isInteger(Case.RawValue.self),
      let cases = EnumerationCases.all(of: type), cases.allSatisfy(isRaw)
    else { return nil }
    return Case.RawValue.self as? any _PrimitiveValue.Type
  }
}
