/// Values for some columns of many rows, which one statement writes: see `Statement.run(_:)`.
///
/// Values are bound as those of a statement are, to the row that came last. What is not bound is null.
public final class RowBatch: Parameters {
  package enum Kind: UInt8 {
    case null, integer, real, text, blob
  }

  package struct Cell {
    package var kind = Kind.null
    /// The number, or where the bytes begin.
    package var bits: Int64 = 0
    /// How many bytes there are.
    package var count = 0
  }

  /// What a driver reads while the batch is lent to it. Cells come row by row.
  package struct Contents {
    package let keys: UnsafeBufferPointer<Int64>
    package let cells: UnsafeBufferPointer<Cell>
    package let bytes: UnsafeRawBufferPointer
    package let width: Int
  }

  /// How many rows are worth one statement at most: more would only take memory.
  package static let capacity = 1024
  private static let byteCapacity = 1 << 18

  // Exclusivity is unchecked, because each access is over before other code runs, but for those of `lend`, whose borrower
  // does not write.
  @exclusivity(unchecked) private var keys: [Int64] = []
  @exclusivity(unchecked) private var cells: [Cell] = []
  @exclusivity(unchecked) private var bytes: [UInt8] = []
  private let width: Int
  /// Where the cells of the last row begin, less one.
  @exclusivity(unchecked) private var base = -1

  /// - Parameters:
  ///   - width: The number of columns.
  ///   - rowCount: How many rows there will be in all batches that this one is used for.
  package init(width: Int, rowCount: Int = 0) {
    self.width = width
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

  /// Adds a row, to which values are bound from now on.
  package func addRow(_ key: Int64) {
    keys.append(key)
    base = cells.count - 1
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
