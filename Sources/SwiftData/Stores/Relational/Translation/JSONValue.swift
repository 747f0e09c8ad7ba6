import Foundation
import Relational

/// A value inside JSON.
struct JSONValue {
  /// The value as SQL reads it.
  let value: SQLExpression
  /// The object and name of the value, if SQL may have read a text only up to a zero character.
  var member: (json: SQLExpression, name: String)?

  /// The value as one of a type.
  ///
  /// - Throws: ``Untranslatable`` if JSON and columns represent the type differently.
  func term(_ type: Any.Type, isOptional: Bool) throws -> Term {
    let type = unwrappedType(type)
    switch type {
    case is String.Type:
      return .scalar(ScalarTerm(text, .text, isOptional: isOptional))
    case _ where type is Bool.Type || Self.isInteger(type), is URL.Type:
      return .scalar(ScalarTerm(value, ScalarKind(valueType: type), isOptional: isOptional))
    case is UUID.Type:
      let bytes = SQLExpression.call(JSONFunctions.uuid, [value])
      return .scalar(ScalarTerm(bytes, ScalarKind(valueType: type), isOptional: isOptional))
    case is any _PrimitiveValue.Type, is any OptionalValue.Type:
      break
    case let type as any Codable.Type:
      if let raw = CaseValues.encodedRawType(of: type) {
        let kind = ScalarKind(primitive: raw, rawType: type)
        return .scalar(ScalarTerm(raw == String.self ? text : value, kind, isOptional: isOptional))
      }
      let encoded = ScalarTerm(value, ScalarKind(primitive: nil, encodedType: type), isOptional: isOptional)
      return JSONObjectTerm(encoded).map { .object($0) } ?? .scalar(encoded)
    default:
      break
    }
    throw Untranslatable("JSON has no comparable form of \(type)")
  }

  /// Whether the values are numbers that SQL reads from JSON unchanged.
  static func isInteger(_ type: Any.Type) -> Bool {
    switch type {
    case is Int.Type, is Int8.Type, is Int16.Type, is Int32.Type, is Int64.Type, is UInt8.Type, is UInt16.Type,
      is UInt32.Type:
      true
    default: false
    }
  }

  private var text: SQLExpression {
    member.map { .idiom(.jsonText(value: value, json: $0.json, key: .value(.text($0.name)))) } ?? value
  }
}

/// A struct that is stored as a JSON object, with a key for each stored property.
struct JSONObjectTerm {
  private let json: ScalarTerm
  private let fields: [AttributeStorage.Field]

  /// Nil if the value is encoded in another form.
  init?(_ json: ScalarTerm) {
    guard let type = json.kind.encodedType else { return nil }
    let fields = AttributeStorage(valueType: type, options: []).fields
    if fields.isEmpty { return nil }
    self.json = json
    self.fields = fields
  }

  private init(_ json: ScalarTerm, _ fields: [AttributeStorage.Field]) {
    self.json = json
    self.fields = fields
  }

  var presence: Presence? { json.presence }
  var unwrapped: JSONObjectTerm { JSONObjectTerm(json.unwrapped, fields) }

  /// The struct, or nil where there is no other value.
  func limited(by presence: Presence) -> JSONObjectTerm {
    JSONObjectTerm(ScalarTerm(optional: json, presence), fields)
  }

  /// The field of the struct for a key path.
  func field(_ keyPath: AnyKeyPath) throws -> Term {
    guard let name = FieldNames.name(behind: keyPath), let field = fields.first(where: { $0.name == name }) else {
      throw Untranslatable("the key path refers to no stored property of \(type(of: keyPath).rootType)")
    }
    let value = SQLExpression.idiom(.jsonMember(json.expression, name))
    return try JSONValue(value: value, member: (json.expression, name))
      .term(field.valueType, isOptional: json.isOptional || field.valueType is any OptionalValue.Type)
  }
}

/// Functions for SQL that read JSON.
enum JSONFunctions {
  /// The bytes of a `UUID`, as in a column; null for other text.
  static let uuid = ScalarFunction(name: "swiftdata_json_uuid", argumentCount: 1) { arguments in
    guard case .text(let text) = arguments[0], let uuid = UUID(uuidString: text) else { return .null }
    return .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
  }
}
