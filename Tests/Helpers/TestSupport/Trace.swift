/// Says whether an object is still there.
///
/// `@unchecked Sendable` because it only asks for that, which any thread may.
final class Trace: @unchecked Sendable {
  let name: String
  private weak var object: AnyObject?

  init(_ name: String, _ object: AnyObject) {
    self.name = name
    self.object = object
  }

  var isThere: Bool { object != nil }
}
