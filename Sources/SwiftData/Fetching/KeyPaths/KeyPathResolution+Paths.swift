extension KeyPathResolution {
  /// The way of a key path of any number of steps; nil when one of them is not persisted.
  ///
  /// A key path does not tell its steps, and one through an optional cannot be put together again for comparison. Its
  /// debug description has them, though: a property that `@Model` made appears as the address of its accessor, as it
  /// does in the property's own key path.
  static func path(_ keyPath: AnyKeyPath, _ runtime: ModelRuntime) -> Path? {
    if let property = writtenProperty(keyPath, runtime) { return Path(properties: [property]) }
    return writtenPath(keyPath, runtime)
      ?? KeyPathTrial.path(keyPath, runtime, mayBeInherited: mayBeInherited(keyPath, runtime))
  }

  /// What a key path goes through that leads to an enumeration and on to something of it, such as its raw value; and
  /// the value of that for each case. Nil when the cases are not known.
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

  /// The properties that a key path goes through, and the description of the steps that come after.
  private static func writtenSteps(_ keyPath: AnyKeyPath, _ runtime: ModelRuntime) -> (path: Path, rest: Substring)? {
    guard let steps = keyPath.describedSteps else { return nil }
    let (path, rest, end) = follow(steps, runtime)
    return path.properties.isEmpty || end != nil ? nil : (path, rest)
  }

  /// Whether a key path of several steps may go through an inherited property, which has another accessor in each class:
  /// the class at whose models the known steps end inherits properties, one of which is of the next step's type.
  private static func mayBeInherited(_ keyPath: AnyKeyPath, _ runtime: ModelRuntime) -> Bool {
    guard let steps = keyPath.describedSteps, !keyPath.isSingleStep else { return false }
    let (_, rest, end) = follow(steps, runtime)
    guard let type = rest.prefixMatch(of: /<computed 0x[0-9a-fA-F]+ \((.+?)\)>/)?.output.1 else { return false }
    return end?.superclass?.properties.contains { "\(Swift.type(of: $0.keyPath).valueType)" == type } ?? false
  }

  /// - Returns: The properties that described steps go through, the steps that come after, and the class at whose models
  ///   the properties end; no class where they end at an attribute,
  ///   or where nothing comes after them.
  private static func follow(
    _ steps: Substring, _ runtime: ModelRuntime
  ) -> (path: Path, rest: Substring, end: ModelRuntime?) {
    var (path, rest, runtime) = (Path(properties: []), steps, runtime)
    while true {
      let matches = runtime.properties.compactMap { property -> (_ModelProperty, Substring)? in
        guard let own = property.keyPath.describedSteps, rest.hasPrefix(own) else { return nil }
        return (property, rest.dropFirst(own.count).drop { $0 == "?" || $0 == "!" })
      }
      guard matches.count == 1, let (property, remainder) = matches.first else { return (path, rest, runtime) }
      path.properties.append(property)
      guard remainder.first == "." else { return (path, remainder, remainder.isEmpty ? nil : runtime) }
      rest = remainder.dropFirst()
      guard let relationship = property.relationship else { return (path, rest, nil) }
      if relationship.isToMany { return (path, rest, runtime) }
      runtime = ModelRuntime.of(relationship.destinationType)
    }
  }

  /// A name for a key path that an error speaks of, as it is written in source as far as that can be told: the persisted
  /// properties that it goes through, and what comes after them.
  static func name(of keyPath: AnyKeyPath, _ runtime: ModelRuntime) -> String {
    if let path = path(keyPath, runtime) { return path.name }
    return keyPath.steps(
      naming: runtime.properties.compactMap { property in property.keyPath.describedSteps.map { ($0, property.name) } })
  }
}
