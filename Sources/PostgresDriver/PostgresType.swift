import SystemPostgres

/// The object identifiers of the server's own types, which are the same in every database.
enum PostgresType {
  static let bool: Oid = 16
  static let bytea: Oid = 17
  static let char: Oid = 18
  static let name: Oid = 19
  static let int8: Oid = 20
  static let int2: Oid = 21
  static let int4: Oid = 23
  static let text: Oid = 25
  static let oid: Oid = 26
  static let json: Oid = 114
  static let xml: Oid = 142
  static let float4: Oid = 700
  static let float8: Oid = 701
  static let unknown: Oid = 705
  static let bpchar: Oid = 1042
  static let varchar: Oid = 1043
  static let numeric: Oid = 1700
  static let regclass: Oid = 2205
  static let void: Oid = 2278
  static let uuid: Oid = 2950
  static let jsonb: Oid = 3802
  static let xid8: Oid = 5069

  /// Types with greater identifiers are defined in a database, such as enumerations: in binary format most are text.
  static let lastBuiltIn: Oid = 16383

  static func isText(_ type: Oid) -> Bool {
    switch type {
    case text, varchar, bpchar, name, char, unknown, xml: true
    default: type > lastBuiltIn
    }
  }

  /// The type of an array's elements; nil for types that are no arrays, and for arrays of types without a conversion.
  static func element(of array: Oid) -> Oid? {
    switch array {
    case 199: json
    case 1000: bool
    case 1001: bytea
    case 1002: char
    case 1003: name
    case 1005: int2
    case 1007: int4
    case 1009: text
    case 1014: bpchar
    case 1015: varchar
    case 1016: int8
    case 1021: float4
    case 1022: float8
    case 1028: oid
    case 1231: numeric
    case 2951: uuid
    case 3807: jsonb
    default: nil
    }
  }

  /// The name of a type for messages.
  static func name(of type: Oid) -> String {
    switch type {
    case bool: "boolean"
    case bytea: "bytea"
    case int2: "smallint"
    case int4: "integer"
    case int8: "bigint"
    case float4: "real"
    case float8: "double precision"
    case numeric: "numeric"
    case uuid: "uuid"
    case json: "json"
    case jsonb: "jsonb"
    case text: "text"
    default: "the type \(type)"
    }
  }
}
