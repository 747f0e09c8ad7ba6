import SwiftData
import Testing

extension SwiftDataError {
  /// The error of a body that has to fail; nil, with an issue, when it throws no `SwiftDataError`.
  static func thrown(sourceLocation: SourceLocation = #_sourceLocation, by body: () throws -> Void) -> SwiftDataError? {
    #expect(throws: SwiftDataError.self, sourceLocation: sourceLocation, performing: body)
  }

  var reason: StoreFailureReason? { details?.storeFailureReason }
  var message: String { details?.message ?? "" }
  /// Everything that an error can show.
  var texts: String { "\(self) \(String(reflecting: self)) \(details.map { "\($0)" } ?? "")" }
}
