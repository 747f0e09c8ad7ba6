import Relational
import SQLiteDriver

extension ModelConfiguration {
  /// Opens the database of a store. This is the only place that names the driver.
  func openDatabase() throws -> any Database {
    let dialect = SQLiteDialect()
    return try SQLiteDatabase(
      configuration: SQLiteConfiguration(
        location: isStoredInMemoryOnly ? .memory : .file(url.path),
        isReadOnly: !allowsSave && !isStoredInMemoryOnly,
        synchronous: durability == .full ? .full : .normal,
        functions: StringFunctions.all + [DatePart.function], aggregateFunctions: ArithmeticFunctions.all,
        collations: TextCollations.all, statementObserver: StatementObservation.observer,
        inspection: { try StoreOpening.inspect($0, dialect) }))
  }
}
