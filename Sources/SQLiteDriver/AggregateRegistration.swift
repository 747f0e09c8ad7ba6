import Relational
import SystemSQLite

/// Makes Swift's aggregate functions callable from the SQL of one connection.
enum AggregateRegistration {
  /// What SQLite has from `register` on until the connection closes, and hands to each call.
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
    guard let place = place(context, Int32(MemoryLayout<UnsafeRawPointer?>.size)) else {
      return sqlite3_result_error_nomem(context)
    }
    let accumulator: any Accumulator
    if let known = place.pointee {
      accumulator = Unmanaged<Holder>.fromOpaque(known).takeUnretainedValue().accumulator
    } else {
      accumulator = makeAccumulator(context)
      place.pointee = UnsafeRawPointer(Unmanaged.passRetained(Holder(accumulator)).toOpaque())
    }
    accumulator.add(FunctionRegistration.value(arguments?.pointee))
  }

  /// Called once for each group, also for one without rows and for one that is given up half-way.
  private static func finish(_ context: OpaquePointer?) {
    let accumulator: any Accumulator
    if let known = place(context, 0)?.pointee {
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

  /// Keeps an accumulator between two steps. An existential takes more than the one word there is. The first step
  /// retains it, and `finish`, the last call for a group, releases it.
  private final class Holder {
    let accumulator: any Accumulator

    init(_ accumulator: any Accumulator) {
      self.accumulator = accumulator
    }
  }

  /// The memory of the current group, which begins as zeroes. SQLite aligns it for any type; only `step` writes there.
  private static func place(_ context: OpaquePointer?, _ size: Int32) -> UnsafeMutablePointer<UnsafeRawPointer?>? {
    sqlite3_aggregate_context(context, size)?.assumingMemoryBound(to: UnsafeRawPointer?.self)
  }

  private static func makeAccumulator(_ context: OpaquePointer?) -> any Accumulator {
    // SQLite gives back what `register` handed it.
    let data = sqlite3_user_data(context)
    guard let data else { preconditionFailure("The function was registered without its box") }
    return Unmanaged<Box>.fromOpaque(data).takeUnretainedValue().function.makeAccumulator()
  }
}
