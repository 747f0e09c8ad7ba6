import Hummingbird

/// Names of header fields for which Hummingbird has no constants.
extension HTTPFields.Element.Name {
  static let lastEventID = named("Last-Event-ID")
  static let pageToken = named("X-Page-Token")
  static let referrerPolicy = named("Referrer-Policy")

  private static func named(_ name: StaticString) -> Self {
    guard let name = Self(name.description) else { preconditionFailure("\(name) is no name of a header field.") }
    return name
  }
}
