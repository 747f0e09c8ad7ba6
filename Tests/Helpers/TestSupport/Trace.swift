/// A weak reference to an object.
///
/// `@unchecked Sendable` because it only checks whether the object exists, which any thread may.
final class Trace: @unchecked Sendable {
  let name: String
  private weak var object: AnyObject?

  init(_ name: String, _ object: AnyObject) {
    self.name = name
    self.object = object
  }

  var isThere: Bool { object != nil }
}
