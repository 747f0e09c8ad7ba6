import Relational
import SQLiteDriver

extension ModelConfiguration {
  /// Opens the database of a store. This is the only place that names the driver.
  ///
  /// - Parameter sorting: The orders of text that its SQL knows.
  func openDatabase(_ sorting: TextSorting) throws -> any Database {
    let dialect = SQLiteDialect()
    return try SQLiteDatabase(
      configuration: SQLiteConfiguration(
        location: isStoredInMemoryOnly ? .memory : .file(url.path),
        isReadOnly: !allowsSave && !isStoredInMemoryOnly,
        synchronous: durability == .full ? .full : .normal,
        functions: StringFunctions.all + [DatePart.function], aggregateFunctions: ArithmeticFunctions.all,
        sortKeys: sorting.functions, statementObserver: StatementObservation.observer,
        inspection: { try StoreOpening.inspect($0, dialect) }))
  }
}
