import Foundation

/// An error that ends the demo, in one line for the person who started it.
struct AtlasError: Error, CustomStringConvertible {
  let description: String

  /// What an error says of itself, after the location that it is about unless it names it.
  init(at location: StoreLocation, because error: any Error) {
    let explanation = error as? any LocalizedError
    let reason = [explanation?.errorDescription ?? "\(error)", explanation?.recoverySuggestion].compactMap(\.self)
      .joined(separator: " ").replacing("\n", with: " ")
    description = reason.contains("\(location)") ? reason : "\(location): \(reason)"
  }
}
