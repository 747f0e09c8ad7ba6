import Foundation

/// An error that ends the demo, as one line for the user.
struct AtlasError: Error, CustomStringConvertible {
  let description: String

  /// The description of an error, after the location unless the error names it.
  init(at location: StoreLocation, because error: any Error) {
    let explanation = error as? any LocalizedError
    let reason = [explanation?.errorDescription ?? "\(error)", explanation?.recoverySuggestion].compactMap(\.self)
      .joined(separator: " ").replacing("\n", with: " ")
    description = reason.contains("\(location)") ? reason : "\(location): \(reason)"
  }
}
