import Foundation
import Relational

/// Binds model values to the parameters of a statement, or of the rows of a batch.
final class StatementRowWriter: ColumnWriter {
  private let files: ExternalFiles?
  private var statement: Statement?
  /// The batch that gets the values if there is no statement.
  private var batch: RowBatch?
  /// The statement or the batch: they are set and released together.
  private var target: Unmanaged<Parameters>?
  private var shape: (any RowShape)?
  private var layout: EntityLayout?
  private var parameters: [Int32] = []
  private var externalParameters: Set<Int32> = []
  private var uniqueParameters: Set<Int32> = []
  /// The keys of models that this save inserts.
  private let keys: SaveKeys
  /// The files written so far, to be removed again if the save fails.
  private(set) var writtenFiles: [String] = []

  init(files: ExternalFiles?, keys: SaveKeys) {
    self.files = files
    self.keys = keys
  }

  /// Prepares for a row of an entity. The statement of the previous row is used again if it is the same.
  ///
  /// - Returns: The statement, to bind other parameters than properties and to run it.
  func begin(_ shape: any RowShape, _ layout: EntityLayout, on connection: any Connection) throws -> Statement {
    if let statement, self.shape === shape {
      statement.clear()
      return statement
    }
    let statement = try connection.statement(shape.sql)
    begin(shape, layout, statement)
    self.statement = statement
    return statement
  }

  /// Prepares for the rows of a batch, until `end`.
  func begin(_ shape: any RowShape, _ layout: EntityLayout, in batch: RowBatch) {
    begin(shape, layout, batch)
    self.batch = batch
  }

  private func begin(_ shape: any RowShape, _ layout: EntityLayout, _ target: Parameters) {
    end()
    self.target = .passUnretained(target)
    self.shape = shape
    self.layout = layout
    parameters = shape.parameters
    externalParameters = shape.externalParameters
    uniqueParameters = shape.uniqueParameters
  }

  /// Releases the statement, so that the connection can reuse it.
  func end() {
    statement?.reset()
    statement = nil
    batch = nil
    shape = nil
    target = nil
  }

  /// Binds a value without retaining the target.
  private func bind(_ body: (Parameters) -> Void) {
    target?._withUnsafeGuaranteedRef(body)
  }

  override func column(_ index: Int) -> Int32? {
    let parameter = parameters[index]
    return parameter > 0 ? parameter : nil
  }

  override func null(_ column: Int32) {
    bind { $0.bindNull(at: column) }
  }

  override func integer(_ value: Int64, _ column: Int32) {
    bind { $0.bind(value, at: column) }
  }

  override func real(_ value: Double, _ column: Int32) {
    bind { value.isNaN ? $0.bind(ColumnEncoding.notANumber, at: column) : $0.bind(value, at: column) }
  }

  override func text(_ value: String, _ column: Int32) {
    if !uniqueParameters.isEmpty, uniqueParameters.contains(column) {
      // The database compares unique texts by their bytes.
      return bind { $0.bind(CanonicalText.normalized(value), at: column) }
    }
    bind { $0.bind(value, at: column) }
  }

  override func data(_ value: Data, _ column: Int32) {
    if let files, value.count > ExternalFiles.threshold, externalParameters.contains(column) {
      do {
        let name = try files.write(value)
        writtenFiles.append(name)
        bind { $0.bind(name, at: column) }
      } catch {
        failure = failure ?? DatabaseError.file("an external file", error)
      }
      return
    }
    value.withUnsafeBytes { bytes in bind { $0.bind(bytes, at: column) } }
  }

  override func bytes(_ value: UnsafeRawBufferPointer, _ column: Int32) {
    bind { $0.bind(value, at: column) }
  }

  override func codable<Value: Encodable>(_ value: Value, _ index: Int, _ column: Int32) {
    guard let layout, case .attribute(let coding, _, _) = layout.properties[index].storage else { return }
    do {
      try encode(value, coding, column)
      if refused { throw Mismatch() }
      if layout.runtime.properties[index].needsFallbackValue { FallbackValues.record(value) }
    } catch {
      reject(index, error)
    }
  }

  override func transformable<Value>(_ value: Value, _ index: Int, _ column: Int32) {
    guard let layout, case .attribute(.transformable(let transformer), _, _) = layout.properties[index].storage else {
      return
    }
    let wrapped: Any
    if let optional = value as? any OptionalValue {
      guard let inner = optional.wrapped else { return null(column) }
      wrapped = inner
    } else {
      wrapped = value
    }
    if let data = transformer.data(for: wrapped) {
      self.data(data, column)
      if layout.runtime.properties[index].needsFallbackValue { FallbackValues.record(Value.self, data, transformer) }
    } else {
      reject(index, nil)
    }
  }

  override func reference(_ target: any PersistentModel, _ column: Int32) {
    if let key = keys.key(of: target) { integer(key, column) } else { null(column) }
  }

  private func reject(_ index: Int, _ error: (any Error)?) {
    guard failure == nil, let layout else { return }
    let name = layout.properties[index].name
    if error is SavedIdentifiers.Unknown {
      failure = SwiftDataError.modelValidationFailure.with(
        entity: layout.entity.name, property: name,
        message: "\(layout.entity.name).\(name) has the temporary identifier of a model that is not saved with it.",
        hint: "Insert the model in the same context, or save it first and take its persistentModelID after that.")
      return
    }
    failure = SwiftDataError.modelValidationFailure.with(
      entity: layout.entity.name, property: name,
      message: "The value of \(layout.entity.name).\(name) cannot be encoded.",
      hint: error is Mismatch
        ? "Its type encodes another form than it decodes. Use @Attribute(.codable) for the property, or correct its coding."
        : nil,
      underlying: error is Mismatch ? nil : error)
  }
}
