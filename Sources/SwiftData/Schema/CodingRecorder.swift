/// Records the requests of a type to a decoder or an encoder at its top level.
final class CodingRecorder {
  struct Request {
    let key: String
    /// The requested type, with an `Optional` when the value may be missing.
    let type: Any.Type
  }

  private(set) var requests: [Request] = []
  /// Whether the type did anything but request values of a keyed container.
  private(set) var isIrregular = false
  private var hasContainer = false

  func openKeyedContainer() {
    // A type that opens two containers has a format of its own.
    if hasContainer { isIrregular = true }
    hasContainer = true
  }

  func request(_ key: some CodingKey, _ type: Any.Type) {
    requests.append(Request(key: key.stringValue, type: type))
  }

  func recordIrregularity() {
    isIrregular = true
  }
}

/// Ends a trial run of a coder.
struct TrialEnded: Error {}
