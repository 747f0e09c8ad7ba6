extension AnyKeyPath {
  /// The description after the root: the names of stored properties, and the identities of computed ones, which include
  /// the properties of an `@Model` class.
  ///
  /// Swift's own description has the address of a function that calls the accessor. In a release build that function can
  /// differ for each file of a program, and differs for each subclass.
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

  /// A description of the steps. A computed property has its type in place of its name, which reflection does not give.
  ///
  /// - Parameter known: Described steps of properties, and their names. The longest one that the path begins with is
  ///   replaced by its name.
  func steps(naming known: [(steps: Substring, name: String)] = []) -> String {
    guard let described = describedSteps else { return "\(Self.rootType)" }
    let first = known.filter { described.hasPrefix($0.steps) }.max { $0.steps.count < $1.steps.count }
    let rest = first.map { described.dropFirst($0.steps.count) } ?? described
    return (first?.name ?? "") + rest.replacing(/<computed [0-9a-fA-Fx:]+ \((.+?)\)>/) { "<computed \($0.output.1)>" }
  }
}
