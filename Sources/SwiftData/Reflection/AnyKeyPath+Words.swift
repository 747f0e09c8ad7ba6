extension AnyKeyPath {
  /// What the description says after the root: the names of stored properties, and for a computed one, which includes each
  /// that `@Model` made, the address of its accessor.
  var describedSteps: Substring? {
    let description = debugDescription
    let root = "\\\(Self.rootType)."
    return description.hasPrefix(root) ? description.dropFirst(root.count) : nil
  }

  /// The steps for people. Of a computed property the process knows the type and not the name.
  ///
  /// - Parameter known: Where some properties lead, as described steps, and their names: those that the path begins with
  ///   are named.
  func steps(naming known: [(steps: Substring, name: String)] = []) -> String {
    guard let described = describedSteps else { return "\(Self.rootType)" }
    let first = known.filter { described.hasPrefix($0.steps) }.max { $0.steps.count < $1.steps.count }
    let rest = first.map { described.dropFirst($0.steps.count) } ?? described
    return (first?.name ?? "") + rest.replacing(/<computed 0x[0-9a-fA-F]+ \((.+?)\)>/) { "<computed \($0.output.1)>" }
  }
}
