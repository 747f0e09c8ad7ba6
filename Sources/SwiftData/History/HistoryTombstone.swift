/// The last values of a deleted model's attributes with ``Schema/Attribute/Option/preserveValueOnDeletion``.
///
/// Its elements are the values that are not nil, in the order in which the model declares the attributes.
public struct HistoryTombstone<Model: PersistentModel>: Sequence, @unchecked Sendable {
  public typealias Element = Any

  // Unchecked: values that are not `Sendable` are made for this tombstone only.
  private let values: [HistoryTombstoneValue]

  init(_ values: [HistoryTombstoneValue] = []) {
    self.values = values
  }

  /// The value of an attribute; nil when it was nil, or is not preserved.
  public subscript(keyPath: PartialKeyPath<Model>) -> (any Sendable)? {
    guard let index = KeyPathResolution.propertyIndex(keyPath, ModelRuntime.of(Model.self)) else { return nil }
    return values.first { $0.property == index }?.sendable
  }

  public func makeIterator() -> Iterator {
    Iterator(values: values[...])
  }

  public struct Iterator: IteratorProtocol {
    public typealias Element = Any

    fileprivate var values: ArraySlice<HistoryTombstoneValue>

    public mutating func next() -> Any? {
      values.popFirst()?.value
    }
  }
}

/// The last value of an attribute.
struct HistoryTombstoneValue {
  /// The index of the property in the model's runtime.
  var property: Int
  var value: Any

  private struct Unchecked {
    var value: Any
  }

  private struct Checked {
    var value: any Sendable
  }

  /// The value, as a `Sendable` one.
  var sendable: any Sendable {
    // `Sendable` is a marker protocol, so both structs have the same layout.
    unsafeBitCast(Unchecked(value: value), to: Checked.self).value
  }
}
