import Relational
import SystemSQLite

/// Registers aggregate functions written in Swift with one connection.
enum AggregateRegistration {
  /// The user data of the SQL function, from `register` until the connection closes.
  private final class Box {
    let function: AggregateFunction

    init(_ function: AggregateFunction) {
      self.function = function
    }
  }

  static func register(_ function: AggregateFunction, on connection: OpaquePointer?) throws {
    let code = sqlite3_create_function_v2(
      connection, function.name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
      Unmanaged.passRetained(Box(function)).toOpaque(), nil, { AggregateRegistration.step($0, $1, $2) },
      { AggregateRegistration.finish($0) }, { $0.map { Unmanaged<Box>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: connection) }
  }

  private static func step(
    _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let memory = memory(context, Int32(MemoryLayout<UnsafeRawPointer?>.size)) else {
      return sqlite3_result_error_nomem(context)
    }
    let accumulator: any Accumulator
    if let known = memory.pointee {
      accumulator = Unmanaged<Holder>.fromOpaque(known).takeUnretainedValue().accumulator
    } else {
      accumulator = makeAccumulator(context)
      memory.pointee = UnsafeRawPointer(Unmanaged.passRetained(Holder(accumulator)).toOpaque())
    }
    accumulator.add(FunctionRegistration.value(arguments?.pointee))
  }

  /// SQLite calls this once for each group, also for an empty group and for one whose query ends early.
  private static func finish(_ context: OpaquePointer?) {
    let accumulator: any Accumulator
    if let known = memory(context, 0)?.pointee {
      accumulator = Unmanaged<Holder>.fromOpaque(known).takeRetainedValue().accumulator
    } else {
      accumulator = makeAccumulator(context)
    }
    do {
      FunctionRegistration.set(try accumulator.result(), on: context)
    } catch {
      sqlite3_result_error(context, "\(error)", -1)
    }
  }

  /// Keeps an accumulator between two steps: an existential does not fit in the one word that SQLite provides. The first step
  /// retains it, and `finish`, the last call for a group, releases it.
  private final class Holder {
    let accumulator: any Accumulator

    init(_ accumulator: any Accumulator) {
      self.accumulator = accumulator
    }
  }

  /// The memory of the current group, initially zero. SQLite aligns it for any type; only `step` writes to it.
  private static func memory(_ context: OpaquePointer?, _ size: Int32) -> UnsafeMutablePointer<UnsafeRawPointer?>? {
    sqlite3_aggregate_context(context, size)?.assumingMemoryBound(to: UnsafeRawPointer?.self)
  }

  private static func makeAccumulator(_ context: OpaquePointer?) -> any Accumulator {
    // The pointer is the one that `register` passed to SQLite.
    let data = sqlite3_user_data(context)
    guard let data else { preconditionFailure("The function was registered without its box") }
    return Unmanaged<Box>.fromOpaque(data).takeUnretainedValue().function.makeAccumulator()
  }
}
