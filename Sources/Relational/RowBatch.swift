/// Values for some columns of many rows, which one statement writes: see `Statement.run(_:)`.
///
/// Values are bound as those of a statement, to the row that was added last. Values that are not bound are null.
public final class RowBatch: Parameters {
  package enum Kind: UInt8 {
    case null, integer, real, text, blob
  }

  package struct Cell {
    package var kind = Kind.null
    /// The number, or the offset of the bytes.
    package var bits: Int64 = 0
    /// The number of bytes.
    package var count = 0
  }

  /// The batch as a driver reads it. Cells are in row-major order.
  package struct Contents {
    package let keys: UnsafeBufferPointer<Int64>
    package let cells: UnsafeBufferPointer<Cell>
    package let bytes: UnsafeRawBufferPointer
    package let width: Int
  }

  /// The largest number of rows for one statement: more would only take memory.
  package static let capacity = 1024
  private static let byteCapacity = 1 << 18

  // Exclusivity is unchecked, because each access ends before other code runs, except in `lend`, whose borrower does not write.
  @exclusivity(unchecked) private var keys: [Int64] = []
  @exclusivity(unchecked) private var cells: [Cell] = []
  @exclusivity(unchecked) private var bytes: [UInt8] = []
  private let width: Int
  private let firstParameter: Int
  /// The index of the last row's first cell, less the position of the first column.
  @exclusivity(unchecked) private var base = -1

  /// - Parameters:
  ///   - width: The number of columns.
  ///   - rowCount: The expected number of rows in all batches for which this object is used.
  ///   - firstParameter: The position by which the first column is bound.
  package init(width: Int, rowCount: Int = 0, firstParameter: Int = 1) {
    self.width = width
    self.firstParameter = firstParameter
    super.init()
    keys.reserveCapacity(min(rowCount, Self.capacity))
    cells.reserveCapacity(min(rowCount, Self.capacity) * width)
  }

  package var count: Int { keys.count }

  package var isFull: Bool { keys.count >= Self.capacity || bytes.count >= Self.byteCapacity }

  package func removeAll() {
    keys.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: bytes.count <= 2 * Self.byteCapacity)
    base = -1
  }

  /// Adds a row, to which later values are bound.
  package func addRow(_ key: Int64) {
    keys.append(key)
    base = cells.count - firstParameter
    for _ in 0..<width { cells.append(Cell()) }
  }

  package func lend<Result>(_ body: (Contents) throws -> Result) rethrows -> Result {
    try keys.withUnsafeBufferPointer { keys in
      try cells.withUnsafeBufferPointer { cells in
        try bytes.withUnsafeBytes { bytes in
          try body(Contents(keys: keys, cells: cells, bytes: bytes, width: width))
        }
      }
    }
  }

  // MARK: Binding

  private func set(_ cell: Cell, at position: Int32) {
    cells[base + Int(position)] = cell
  }

  public override func bindNull(at position: Int32) {
    set(Cell(), at: position)
  }

  public override func bind(_ value: Int64, at position: Int32) {
    set(Cell(kind: .integer, bits: value), at: position)
  }

  public override func bind(_ value: Double, at position: Int32) {
    set(Cell(kind: .real, bits: Int64(bitPattern: value.bitPattern)), at: position)
  }

  public override func bind(_ value: String, at position: Int32) {
    var value = value
    value.withUTF8 { text in
      set(Cell(kind: .text, bits: Int64(bytes.count), count: text.count), at: position)
      bytes.append(contentsOf: text)
    }
  }

  public override func bind(_ value: UnsafeRawBufferPointer, at position: Int32) {
    set(Cell(kind: .blob, bits: Int64(bytes.count), count: value.count), at: position)
    bytes.append(contentsOf: value)
  }
}
