import Foundation

/// A list of rows in the order of a fetch.
protocol RowList {
  var count: Int { get }
  func rows(at positions: Range<Int>) throws -> [RowKey]
}

extension [RowKey]: RowList {
  func rows(at positions: Range<Int>) -> [RowKey] { Array(self[positions]) }
}

/// The rows that a fetch found, in its order.
///
/// The rows of a large result are in an unlinked temporary file, so that memory does not grow with the result.
final class FetchedRows: RowList {
  /// The number of rows in memory, unless a test asks for fewer: 256 KiB of rows.
  static let capacity = 1 << 14

  private let capacity: Int
  /// The name of the store.
  private let store: String
  /// The last rows, which are not in the file yet.
  private var latest: [RowKey] = []
  private var file: RowFile?
  /// The rows that were read from the file around a single row.
  private var window: [RowKey] = []
  private var windowStart = 0

  private(set) var count = 0

  var countInMemory: Int { latest.count + window.count }

  init(of store: String, capacity: Int = FetchedRows.capacity) {
    self.store = store
    self.capacity = capacity
  }

  /// - Throws: ``SwiftDataError/storeFailure`` if the file cannot be written, because the disk is full for example.
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

/// Rows in an unlinked file, which the system removes with its handle or the process.
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
    // A row is two integers, so any bytes are a valid row. They are the bytes that `append` wrote, because no other program
    // can open an unlinked file.
    return [RowKey](unsafeUninitializedCapacity: positions.count) { buffer, count in
      data.copyBytes(to: UnsafeMutableRawBufferPointer(buffer))
      count = positions.count
    }
  }
}
