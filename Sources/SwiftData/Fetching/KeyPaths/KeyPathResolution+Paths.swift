import Foundation

extension KeyPathResolution {
  /// The properties of a key path of any number of steps; nil when one of them is not persisted.
  ///
  /// A key path does not give its steps, and one through an optional cannot be composed again for comparison. Its description
  /// has the steps: a property of an `@Model` class appears with its identity, as it does in the property's own key path.
  static func path(_ keyPath: AnyKeyPath, _ runtime: ModelRuntime) -> Path? {
    if let property = writtenProperty(keyPath, runtime) { return Path(properties: [property]) }
    return writtenPath(keyPath, runtime) ?? KeyPathTrial.path(keyPath, runtime)
  }

  /// The path of a key path to a member of an enumeration, such as its raw value, and the value of the member for each case.
  /// Nil when the cases are not known.
  static func casePath(
    _ keyPath: AnyKeyPath, _ runtime: ModelRuntime
  ) -> (path: Path, cases: [CaseValues.CaseValue])? {
    guard let (path, rest) = writtenSteps(keyPath, runtime), rest.hasPrefix("<computed"),
      let last = path.properties.last,
      let cases = CaseValues.cases(of: unwrappedType(type(of: last.keyPath).valueType)),
      let values = KeyPathTrial.values(of: keyPath, through: path.properties, for: cases, runtime)
    else { return nil }
    return (path, zip(cases, values).map { CaseValues.CaseValue(raw: $0, value: $1) })
  }

  private static func writtenPath(_ keyPath: AnyKeyPath, _ runtime: ModelRuntime) -> Path? {
    guard let (path, rest) = writtenSteps(keyPath, runtime) else { return nil }
    if rest.isEmpty { return path }
    // Fields of structs are stored properties, which appear with their names.
    let fields = rest.split(separator: ".").map { String($0.filter { $0 != "?" && $0 != "!" }) }
    guard fields.allSatisfy({ !$0.contains("<") && !$0.isEmpty }) else { return nil }
    return Path(properties: path.properties, fields: fields)
  }

  /// The properties of a key path, and the description of the steps after them.
  private static func writtenSteps(_ keyPath: AnyKeyPath, _ runtime: ModelRuntime) -> (path: Path, rest: Substring)? {
    guard var rest = keyPath.describedSteps else { return nil }
    var runtime = runtime
    var path = Path(properties: [])
    while true {
      let matches = runtime.properties.compactMap { property -> (_ModelProperty, Substring)? in
        guard let own = property.keyPath.describedSteps, rest.hasPrefix(own) else { return nil }
        return (property, rest.dropFirst(own.count))
      }
      guard matches.count == 1, let (property, suffix) = matches.first else { return nil }
      let remainder = suffix.drop { $0 == "?" || $0 == "!" }
      path.properties.append(property)
      if remainder.isEmpty { return (path, remainder) }
      guard remainder.first == "." else { return nil }
      rest = remainder.dropFirst()
      guard let relationship = property.relationship else { return (path, rest) }
      if relationship.toMany != nil { return nil }
      runtime = ModelRuntime.of(relationship.destinationType)
    }
  }

  /// The name of a key path for errors, as source code spells it as far as reflection gives the names: its persisted
  /// properties, and the steps after them.
  static func name(of keyPath: AnyKeyPath, _ runtime: ModelRuntime) -> String {
    if let path = path(keyPath, runtime) { return path.name }
    return keyPath.steps(
      naming: runtime.properties.compactMap { property in property.keyPath.describedSteps.map { ($0, property.name) } })
  }
}
