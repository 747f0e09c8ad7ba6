import Foundation

/// Reads the values of a model from a snapshot.
final class SnapshotRowReader: _RowReader {
  /// One value, in the form of a column.
  fileprivate enum Cell {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case data(Data)
    case value(Any)
  }

  private let shape: SnapshotShape
  /// The columns of the properties: allocated in `init`, written in `begin`, and deallocated in `deinit`.
  private let columnMap: UnsafeMutablePointer<Int32>
  private var cells: [Cell]
  private var identifier: PersistentIdentifier?

  init(_ shape: SnapshotShape) {
    self.shape = shape
    cells = Array(repeating: .null, count: shape.properties.count)
    columnMap = .allocate(capacity: max(1, shape.properties.count))
    columnMap.initialize(repeating: -1, count: max(1, shape.properties.count))
    super.init(columns: UnsafePointer(columnMap))
  }

  deinit {
    columnMap.deallocate()
  }

  /// Prepares for a snapshot. Properties without a value in it keep theirs.
  ///
  /// - Parameter key: Returns the key of a target; throws for an invalid identifier.
  func begin(_ snapshot: DefaultSnapshot, key: (PersistentIdentifier) throws -> Int64) {
    identifier = snapshot.persistentIdentifier
    failure = nil
    rejected = 0
    for (index, property) in shape.properties.enumerated() {
      columnMap[index] = -1
      guard let value = snapshot.values[property.name] else {
        if let error = snapshot.unreadable[property.name] { reject(index, error) }
        continue
      }
      do {
        switch property.kind {
        case .attribute(let attribute):
          cells[index] = try Cell(value.attributeValue(attribute))
        case .toOne:
          guard case .target(let target) = value else { throw SnapshotValue.Mismatch() }
          cells[index] = try target.map { .integer(try key($0)) } ?? .null
        case .toMany, .ephemeral:
          continue
        }
        columnMap[index] = Int32(index)
      } catch {
        reject(index, error)
      }
    }
  }

  /// Whether no model can be made of the row, because a constant is unreadable and has no placeholder value.
  var lacksConstant: Bool {
    shape.properties.contains { property in
      property.property.isConstant && property.property.needsFallbackValue
        && rejected & _ModelState.bit(property.property.index) != 0
    }
  }

  override func isOtherNull(_ column: Int32) -> Bool {
    if case .null = cells[Int(column)] { true } else { false }
  }

  override func checkedInteger(_ column: Int32) -> Int64? {
    if case .integer(let value) = cells[Int(column)] { value } else { nil }
  }

  override func checkedReal(_ column: Int32) -> Double? {
    if case .real(let value) = cells[Int(column)] { value } else { nil }
  }

  override func otherText(_ column: Int32) -> String? {
    if case .text(let value) = cells[Int(column)] { value } else { nil }
  }

  override func data(_ column: Int32) -> Data? {
    if case .data(let value) = cells[Int(column)] { value } else { nil }
  }

  override func bytes(_ column: Int32, count: Int) -> UUID? {
    guard case .data(let value) = cells[Int(column)], value.count == count else { return nil }
    // Any bytes of the size of a UUID are a UUID.
    return value.withUnsafeBytes { $0.loadUnaligned(as: UUID.self) }
  }

  override func codable<Value: Decodable>(_ type: Value.Type, _ index: Int) -> Value? {
    anyValue(index)
  }

  override func transformable<Value>(_ type: Value.Type, _ index: Int) -> Value? {
    guard case .attribute(let attribute) = shape.properties[index].kind, let transformer = attribute.transformer,
      case .data(let data) = cells[index]
    else { return anyValue(index) }
    if let value = transformer.value(for: data) as? Value { return value }
    reject(index)
    return nil
  }

  private func anyValue<Value>(_ index: Int) -> Value? {
    switch cells[index] {
    case .value(let value as Value): return value
    case .null:
      if let optional = Value.self as? any OptionalValue.Type, let none = optional.none as? Value { return none }
      reject(index)
      return nil
    default:
      reject(index)
      return nil
    }
  }

  override func reject(_ index: Int) {
    reject(index, nil)
  }

  private func reject(_ index: Int, _ error: (any Error)?) {
    rejected |= _ModelState.bit(index)
    guard failure == nil else { return }
    let entity = shape.runtime.entityName.string
    let name = shape.properties[index].name
    failure =
      error as? SwiftDataError
      ?? SwiftDataError.modelValidationFailure.with(
        entity: entity, property: name,
        message: "The store gave a value for \(entity).\(name) that the property cannot have.",
        underlying: error is SnapshotValue.Mismatch ? nil : error, identifiers: identifier.map { [$0] } ?? [])
  }
}

extension SnapshotRowReader.Cell {
  fileprivate init(_ value: Any) {
    if let optional = value as? any OptionalValue {
      self = optional.wrapped.map { Self($0) } ?? .null
    } else if let primitive = value as? any _PrimitiveValue {
      self = Self.taking(primitive)
    } else if let raw = value as? any RawRepresentable, let primitive = raw.rawValue as? any _PrimitiveValue {
      self = Self.taking(primitive)
    } else {
      self = .value(value)
    }
  }

  private static func taking(_ primitive: any _PrimitiveValue) -> Self {
    let writer = Writer()
    primitive._write(writer, 0)
    return writer.cell
  }

  /// Receives the only column of a primitive value.
  private final class Writer: _RowWriter {
    var cell = SnapshotRowReader.Cell.null

    override func integer(_ value: Int64, _ column: Int32) { cell = .integer(value) }
    override func real(_ value: Double, _ column: Int32) { cell = .real(value) }
    override func text(_ value: String, _ column: Int32) { cell = .text(value) }
    override func data(_ value: Data, _ column: Int32) { cell = .data(value) }
    override func bytes(_ value: UnsafeRawBufferPointer, _ column: Int32) { cell = .data(Data(value)) }
  }
}
