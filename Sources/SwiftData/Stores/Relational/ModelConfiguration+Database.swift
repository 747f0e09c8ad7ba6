import Foundation
import Logging
import Relational
import SQLiteDriver

extension ModelConfiguration {
  /// Opens the database of a store. Only this function names SQLite's driver.
  ///
  /// - Parameters:
  ///   - sorting: The sort keys that its SQL can use.
  ///   - foldings: The functions of its search indexes.
  ///   - isWorkingCopy: Whether the file may be lost with the power.
  func openDatabase(
    _ sorting: TextSorting = .current, _ foldings: [FoldingFunction] = [], isWorkingCopy: Bool = false
  ) throws -> any Database {
    let logger = StatementObservation.logger ?? Log.sql
    let watch = statementLogging.blockingWatch(store: name, to: logger)
    let observer = statementObserver(logger, watch)
    let database: any Database
    if let server {
      database = try server.openDatabase(
        DatabaseRequest(
          configuration: self, isReadOnly: !allowsSave && !isStoredInMemoryOnly,
          busyTimeout: options.busyTimeout.inSeconds, observer: observer,
          orders: layoutRules.sorting.serverOrders))
    } else {
      database = try openFile(sorting, foldings, observer, isWorkingCopy: isWorkingCopy)
    }
    if let watch { return WatchedDatabase(database, watch) }
    return database
  }

  private func openFile(
    _ sorting: TextSorting, _ foldings: [FoldingFunction], _ observer: StatementObserver?, isWorkingCopy: Bool
  ) throws -> any Database {
    let dialect = SQLiteDialect()
    return try SQLiteDatabase(
      configuration: SQLiteConfiguration(
        location: isStoredInMemoryOnly ? .memory : .file(url.path),
        isReadOnly: !allowsSave && !isStoredInMemoryOnly,
        synchronous: isWorkingCopy ? .off : durability == .full ? .full : .normal,
        busyTimeout: options.busyTimeout.inSeconds,
        waitObserver: waitObserver, logSizeLimit: options.logByteLimit,
        functions: StringFunctions.all + [DatePart.function], aggregateFunctions: ArithmeticFunctions.all,
        sortKeys: sorting.functions, foldings: foldings,
        statementObserver: observer, inspection: { try StoreOpening.inspect($0, dialect) }))
  }

  /// Observes the statements of a store; nil if nothing needs them.
  private func statementObserver(_ logger: Logger, _ watch: BlockingWatch?) -> StatementObserver? {
    let report = statementLogging.reporter(store: name, to: logger)
    let began = StatementObservation.observer
    if report == nil, began == nil, watch == nil { return nil }
    var ended = report
    if let watch {
      ended = { statement in
        report?(statement)
        watch.record(statement)
      }
    }
    return StatementObserver(began: began, ended: ended, includesValues: statementLogging.includesValues)
  }

  /// Logs that a caller waits for another one, before the program seems to hang.
  private var waitObserver: WaitObserver {
    let name = name
    return WaitObserver(after: min(1, options.busyTimeout.inSeconds / 2)) { holder in
      let other =
        switch holder {
        case .otherThread: "another context of the container"
        case .otherConnection: "another container or process"
        }
      Log.store.notice("The store \(name) waits for \(other) to finish a save or a transaction.")
    }
  }
}

extension TextSorting {
  /// The rules of the orders of a database server, by the names of the functions.
  fileprivate var serverOrders: [String: DatabaseRequest.TextRules] {
    [
      localizedStandard.name: .init(locale: .current, isNumeric: true),
      localized.name: .init(locale: .current, isNumeric: false),
    ]
  }
}

extension Duration {
  /// A time to wait, limited to some days so that its parts fit into their types.
  fileprivate var inSeconds: Double {
    let (seconds, attoseconds) = Swift.min(Swift.max(self, .zero), .seconds(1_000_000)).components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
