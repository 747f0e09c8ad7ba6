import Foundation

/// The rows that a fetch found, in its order.
protocol RowList {
  var count: Int { get }
  func rows(at positions: Range<Int>) throws -> [RowKey]
}

extension [RowKey]: RowList {
  func rows(at positions: Range<Int>) -> [RowKey] { Array(self[positions]) }
}

/// The rows that a fetch found, in its order.
///
/// Those of a large result lie in a temporary file without a name, so that memory does not grow with it.
final class FetchedRows: RowList {
  /// How many rows are kept in memory unless a test asks for fewer: 256 KiB of them.
  static let capacity = 1 << 14

  private let capacity: Int
  /// The name of the store that the rows are in.
  private let store: String
  /// The last rows, which are not in the file yet.
  private var latest: [RowKey] = []
  private var file: RowFile?
  /// What was read from the file for a single row.
  private var window: [RowKey] = []
  private var windowStart = 0

  private(set) var count = 0

  var countInMemory: Int { latest.count + window.count }

  init(of store: String, capacity: Int = FetchedRows.capacity) {
    self.store = store
    self.capacity = capacity
  }

  /// - Throws: ``SwiftDataError/storeFailure`` when there is no room for the file.
  func append(_ row: RowKey) throws {
    if latest.count == capacity { try spill() }
    latest.append(row)
    count += 1
  }

  private func spill() throws {
    do {
      let file = try self.file ?? RowFile()
      try file.append(latest)
      self.file = file
      latest.removeAll(keepingCapacity: true)
    } catch {
      throw failure(.writing, error)
    }
  }

  /// The rows at some positions.
  ///
  /// - Throws: ``SwiftDataError/storeFailure`` when the file cannot be read.
  func rows(at positions: Range<Int>) throws -> [RowKey] {
    let filed = count - latest.count
    let kept = latest[max(0, positions.lowerBound - filed)..<max(0, positions.upperBound - filed)]
    guard let file, positions.lowerBound < filed else { return Array(kept) }
    do {
      return try file.rows(at: positions.clamped(to: 0..<filed)) + kept
    } catch {
      throw failure(.reading, error)
    }
  }

  /// The row at a position.
  func row(at position: Int) throws -> RowKey {
    let filed = count - latest.count
    if position >= filed { return latest[position - filed] }
    if !(windowStart..<windowStart + window.count).contains(position) {
      let size = min(capacity, 1024)
      let start = position - position % size
      window = try rows(at: start..<min(start + size, filed))
      windowStart = start
    }
    return window[position - windowStart]
  }

  private func failure(_ operation: SwiftDataError.StoreOperation, _ error: any Error) -> SwiftDataError {
    .storeFailure(
      operation, store: store, file: "the temporary file for the rows of a large fetch", error)
  }
}

/// Rows one after the other in a file without a name, which goes away with the process if not before.
private final class RowFile {
  private let handle: FileHandle
  private var count = 0

  private static let rowSize = MemoryLayout<RowKey>.stride

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("swiftdata-\(UUID().uuidString)")
    try Data().write(to: url, options: .withoutOverwriting)
    defer { try? FileManager.default.removeItem(at: url) }
    handle = try FileHandle(forUpdating: url)
  }

  func append(_ rows: [RowKey]) throws {
    try handle.seek(toOffset: UInt64(count * Self.rowSize))
    try handle.write(contentsOf: rows.withUnsafeBytes { Data($0) })
    count += rows.count
  }

  func rows(at positions: Range<Int>) throws -> [RowKey] {
    try handle.seek(toOffset: UInt64(positions.lowerBound * Self.rowSize))
    let data = try handle.read(upToCount: positions.count * Self.rowSize) ?? Data()
    guard data.count == positions.count * Self.rowSize else { throw CocoaError(.fileReadCorruptFile) }
    // A row is two integers, so any bytes are a valid row. These bytes are those that `append` wrote, because nobody
    // else can open a file without a name.
    return [RowKey](unsafeUninitializedCapacity: positions.count) { buffer, count in
      data.copyBytes(to: UnsafeMutableRawBufferPointer(buffer))
      count = positions.count
    }
  }
}
