extension AnyKeyPath {
  /// What the description says after the root: the names of stored properties, and for a computed one, which includes each
  /// that `@Model` made, its identity.
  ///
  /// Swift's own description has the address of a function that calls the accessor. In a release build each file of a
  /// program can have its own, and each subclass has.
  var describedSteps: Substring? {
    let description = debugDescription
    let root = "\\\(Self.rootType)."
    guard description.hasPrefix(root) else { return nil }
    let steps = description.dropFirst(root.count)
    let parts = steps.split(separator: "<computed ", omittingEmptySubsequences: false)
    let identities = computedIdentities
    guard identities.count == parts.count - 1 else { return steps }
    return zip(identities, parts.dropFirst()).reduce(into: parts[0]) { text, step in
      text += "<computed \(step.0)" + step.1.drop { $0 != " " }
    }
  }

  /// The steps for people. Of a computed property the process knows the type and not the name.
  ///
  /// - Parameter known: Where some properties lead, as described steps, and their names: those that the path begins with
  ///   are named.
  func steps(naming known: [(steps: Substring, name: String)] = []) -> String {
    guard let described = describedSteps else { return "\(Self.rootType)" }
    let first = known.filter { described.hasPrefix($0.steps) }.max { $0.steps.count < $1.steps.count }
    let rest = first.map { described.dropFirst($0.steps.count) } ?? described
    return (first?.name ?? "") + rest.replacing(/<computed [0-9a-fA-Fx:]+ \((.+?)\)>/) { "<computed \($0.output.1)>" }
  }
}
