package import Relational

extension SQLiteDialect {
  /// The largest number of values that are written as parameters of their own; one parameter carries a longer list.
  private static var plainListLimit: Int { 200 }

  package func writeMembership(
    of expression: Expression, in values: [Value], to writer: inout SQLWriter<SQLiteDialect>
  ) {
    guard values.count > Self.plainListLimit else {
      return writer.writePlainMembership(of: expression, in: values)
    }
    // SQLite reads the list once into a temporary index and looks up each row in it, or looks up each value of the list in
    // an index of the table.
    writer.write(operand: expression)
    writer.write(" IN (SELECT \(ListTable.value) FROM \(ListTable.function.name)(")
    writer.bind(.blob(ListBytes.encode(values)))
    writer.write("))")
  }
}
