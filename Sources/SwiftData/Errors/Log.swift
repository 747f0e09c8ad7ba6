import Logging

/// Where what nobody can be told by an error is written.
enum Log {
  static let model = Logger(label: "swiftdata.model")
  static let fetch = Logger(label: "swiftdata.fetch")
  static let store = Logger(label: "swiftdata.store")
}
