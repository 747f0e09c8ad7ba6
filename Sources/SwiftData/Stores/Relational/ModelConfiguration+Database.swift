import Logging
import Relational
import SQLiteDriver

extension ModelConfiguration {
  /// Opens the database of a store. This is the only place that names the driver.
  ///
  /// - Parameters:
  ///   - sorting: The orders of text that its SQL knows.
  ///   - foldings: What its indexes for searches have in place of texts.
  ///   - isWorkingCopy: Whether the file is thrown away when the machine loses power.
  func openDatabase(
    _ sorting: TextSorting, _ foldings: [FoldingFunction], isWorkingCopy: Bool = false
  ) throws -> any Database {
    let dialect = SQLiteDialect()
    let logger = StatementObservation.logger ?? Log.sql
    let watch = statementLogging.blockingWatch(store: name, to: logger)
    let database = try SQLiteDatabase(
      configuration: SQLiteConfiguration(
        location: isStoredInMemoryOnly ? .memory : .file(url.path),
        isReadOnly: !allowsSave && !isStoredInMemoryOnly,
        synchronous: isWorkingCopy ? .off : durability == .full ? .full : .normal,
        busyTimeout: options.busyTimeout.inSeconds,
        waitObserver: waitObserver, logSizeLimit: options.logSizeLimit,
        functions: StringFunctions.all + [DatePart.function], aggregateFunctions: ArithmeticFunctions.all,
        sortKeys: sorting.functions, foldings: foldings,
        statementObserver: statementObserver(logger, watch), inspection: { try StoreOpening.inspect($0, dialect) }))
    if let watch { return WatchedDatabase(database, watch) }
    return database
  }

  /// Who is told of the statements of a store; nil when nobody wants to know.
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

  /// Says in the log that somebody waits, before that seems to be the end of the program.
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

extension Duration {
  /// As a time to wait, of which there are at most some days: the parts of what is longer may not fit into theirs.
  fileprivate var inSeconds: Double {
    let (seconds, attoseconds) = Swift.min(Swift.max(self, .zero), .seconds(1_000_000)).components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
