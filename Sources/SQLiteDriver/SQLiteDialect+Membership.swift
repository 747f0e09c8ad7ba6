package import Relational

extension SQLiteDialect {
  /// How many values are written as parameters of their own before one parameter carries them all.
  private static var plainListLimit: Int { 200 }

  package func writeMembership(
    of expression: Expression, in values: [Value], to writer: inout SQLWriter<SQLiteDialect>
  ) {
    guard values.count > Self.plainListLimit else {
      return writer.writePlainMembership(of: expression, in: values)
    }
    // SQLite reads the list once into an index of its own, in which it looks up what each row has; or it looks up what
    // is in that index in one of the table.
    writer.write(operand: expression)
    writer.write(" IN (SELECT \(ListTable.value) FROM \(ListTable.function.name)(")
    writer.bind(.blob(ListBytes.encode(values)))
    writer.write("))")
  }
}
