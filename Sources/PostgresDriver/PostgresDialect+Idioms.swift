package import Relational

extension PostgresDialect {
  package func write(_ idiom: Expression.Idiom, to writer: inout SQLWriter<PostgresDialect>) {
    switch idiom {
    case .isTrue(let condition):
      writer.write("((")
      writer.write(condition)
      writer.write(") IS TRUE)")
    // A condition is a value of the type boolean, as it is stored.
    case .truth(let inner), .holds(let inner):
      writer.write(inner)
    case .isNaN(let real):
      writer.write(operand: real)
      writer.write(" IS NOT DISTINCT FROM 'NaN'::double precision")
    case .isNotNaN(let real):
      writer.write(operand: real)
      writer.write(" IS DISTINCT FROM 'NaN'::double precision")
    // All values lie in their rows.
    case .isFileName:
      writer.write("\(alwaysFalse) IS TRUE")
    case .jsonMember, .jsonText, .isFound:
      writer.write(Self.refused)
    }
  }

  package func writeElements(of json: Expression, as alias: String, to writer: inout SQLWriter<PostgresDialect>) {
    writer.write("\(Self.refused) AS ")
    writer.write(identifier: alias)
  }

  /// A function that no database has: the server refuses the statement, and it is evaluated in memory.
  private static var refused: String { "swiftdata_evaluated_in_memory()" }

  package var nativeFunctions: Set<String>? {
    ["swiftdata_normalized", "swiftdata_sum_integer", "swiftdata_average_integer", "swiftdata_sum_decimal"]
  }

  package func write(
    callOf function: String, _ arguments: [Expression], to writer: inout SQLWriter<PostgresDialect>
  ) {
    if Self.isOrder(function) {
      writer.write("(")
      writer.write(arguments) { $0.write($1) }
      return writer.write(" COLLATE \(quoted(function)))")
    }
    // Normal form C is the default of the server's function.
    writer.write(function == "swiftdata_normalized" ? "normalize" : quoted(function))
    writer.write("(")
    writer.write(arguments) { $0.write($1) }
    writer.write(")")
  }

  package func write(
    aggregate function: String, of argument: (inout SQLWriter<PostgresDialect>) -> Void,
    to writer: inout SQLWriter<PostgresDialect>
  ) {
    switch function {
    case "swiftdata_sum_integer":
      writer.write("coalesce(sum(")
      argument(&writer)
      // A sum beyond the integers fails, and the program adds the values.
      writer.write("), 0)::bigint")
    case "swiftdata_sum_decimal":
      writer.write("coalesce(sum(")
      argument(&writer)
      writer.write("), 0)")
    case "swiftdata_average_integer":
      writer.write("(sum(")
      argument(&writer)
      writer.write(")::double precision / count(")
      argument(&writer)
      writer.write("))")
    default:
      writer.write(quoted(function))
      writer.write("(")
      argument(&writer)
      writer.write(")")
    }
  }

  package func indexed(_ column: String, by function: String) -> String {
    Self.isOrder(function) ? "\(quoted(column)) COLLATE \(quoted(function))" : "\(quoted(function))(\(quoted(column)))"
  }

  /// Whether the name of a function is that of a collation.
  private static func isOrder(_ function: String) -> Bool {
    function.hasPrefix("swiftdata_standard_")
      || function.hasPrefix("swiftdata_localized_") && !function.contains("_compare")
        && function != "swiftdata_localized_standard_contains"
  }
}
