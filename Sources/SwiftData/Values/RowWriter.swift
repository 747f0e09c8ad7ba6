public import Foundation

/// One row that is written to a store, to which a model writes its values. `@Model` writes the code that uses it.
public class _RowWriter {
  init() {}

  /// The first column of the property at `index`; nil if the row leaves it out.
  public func column(_ index: Int) -> Int32? { nil }

  public func null(_ column: Int32) {}
  public func integer(_ value: Int64, _ column: Int32) {}
  public func real(_ value: Double, _ column: Int32) {}
  public func text(_ value: String, _ column: Int32) {}
  public func data(_ value: Data, _ column: Int32) {}
  /// Writes bytes that are valid during the call.
  public func bytes(_ value: UnsafeRawBufferPointer, _ column: Int32) {}

  func codable<Value: Encodable>(_ value: Value, _ index: Int, _ column: Int32) {}
  func transformable<Value>(_ value: Value, _ index: Int, _ column: Int32) {}
  func reference(_ target: any PersistentModel, _ column: Int32) {}
}
