/// What a type asks of a decoder, or tells an encoder, about its top level.
final class CodingRecorder {
  struct Request {
    let key: String
    /// The type asked for, with an `Optional` when the value may be missing.
    let type: Any.Type
  }

  private(set) var requests: [Request] = []
  /// Whether the type did something else than ask for the values of a keyed container.
  private(set) var isIrregular = false
  private var hasContainer = false

  func openKeyedContainer() {
    // Two containers over the same data are a format of the type's own.
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

/// Why a trial run of a coder ends.
struct TrialEnded: Error {}
