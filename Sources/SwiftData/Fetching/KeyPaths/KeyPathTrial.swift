/// Resolves a key path by applying it to models that are made for the trial.
///
/// In generic code, a key path names a requirement of a protocol. Only the class determines which of its members satisfies
/// the requirement, and key paths to requirements of two protocols can even be equal. So the key path is tried: it resolves
/// to a persisted property when it reads this property once, reads nothing else, and returns each value unchanged. The
/// probe values are varied, so that a getter that changes values changes one of them.
///
/// Results are not cached, because the behavior of a getter may depend on state that changes while the program runs.
struct KeyPathTrial {
  private let keyPath: AnyKeyPath
  private let recorder = ReadRecorder()

  /// The path of a key path; nil when it is not that of a persisted property, or must not be tried.
  static func path(_ keyPath: AnyKeyPath, _ runtime: ModelRuntime) -> KeyPathResolution.Path? {
    let valueType = type(of: keyPath).valueType
    let isIdentifier = unwrappedType(valueType) == PersistentIdentifier.self && !keyPath.isSingleStep
    guard isIdentifier || keyPath.beginsWithRequirement else { return nil }
    // A getter may not expect probe values, so it runs only when some property has its type.
    if !isIdentifier, keyPath.isSingleStep,
      !runtime.properties.contains(where: { type(of: $0.keyPath).valueType == valueType })
    {
      return nil
    }
    // A subclass may override the getter.
    guard let path = KeyPathTrial(keyPath).path(runtime),
      runtime.subclasses.allSatisfy({ KeyPathTrial(keyPath).path($0)?.name == path.name })
    else { return nil }
    return path
  }

  /// Whether a key path is that of its root model's identifier.
  static func isIdentifier(_ keyPath: AnyKeyPath, of type: any PersistentModel.Type) -> Bool {
    guard keyPath.beginsWithRequirement else { return false }
    let trial = KeyPathTrial(keyPath)
    defer { trial.recorder.end() }
    return (0..<2).allSatisfy { _ in
      guard let model = trial.recorder.makeModel(of: type) else { return false }
      let (found, reads) = trial.apply(to: model)
      return reads.isEmpty && found as? PersistentIdentifier == model.anyIdentifier
    }
  }

  /// The results of a key path for some values of its last attribute; nil when the result depends on something else as well,
  /// or is nil for one of the values.
  static func values(
    of keyPath: AnyKeyPath, through properties: [_ModelProperty], for samples: [Any], _ runtime: ModelRuntime
  ) -> [Any]? {
    let trial = KeyPathTrial(keyPath)
    defer { trial.recorder.end() }
    guard let root = trial.recorder.makeModel(of: runtime.type) else { return nil }
    let reads = trial.apply(to: root).reads
    guard reads.map(\.property).elementsEqual(properties, by: ===), let last = reads.last else { return nil }
    let values = samples.compactMap { sample -> Any? in
      last.property.put(sample, in: last.model)
      let (value, again) = trial.apply(to: root)
      return again.count == reads.count ? value : nil
    }
    guard values.count == samples.count else { return nil }
    if let optional = type(of: last.property.keyPath).valueType as? any OptionalValue.Type {
      // A member with a result for nil is a member of the optional.
      last.property.put(optional.none, in: last.model)
      guard trial.apply(to: root).value == nil else { return nil }
    }
    return trial.isNilWhereThereIsNoModel(reads, root) ? values : nil
  }

  private init(_ keyPath: AnyKeyPath) {
    self.keyPath = keyPath
  }

  private func path(_ runtime: ModelRuntime) -> KeyPathResolution.Path? {
    defer { recorder.end() }
    guard let root = recorder.makeModel(of: runtime.type) else { return nil }
    let reads = apply(to: root).reads
    guard let last = reads.last else { return constant(runtime).map { KeyPathResolution.Path(properties: [$0]) } }
    var target = root
    for read in reads {
      guard read.model === target else { return nil }
      if read.property === last.property, read.model === last.model { break }
      guard let next = read.property.toOne?.loadedTarget(of: target) else { return nil }
      target = next
    }
    var path = KeyPathResolution.Path(properties: reads.map(\.property))
    let isConfirmed: Bool
    if let relationship = last.property.relationship {
      path.isOfIdentifier = unwrappedType(type(of: keyPath).valueType) == PersistentIdentifier.self
      isConfirmed = confirms(relationship, last.model, root, reads.count, path.isOfIdentifier)
    } else {
      path.fields = keyPath.trailingFields
      isConfirmed = confirms(last.property, last.model, root, reads.count, path.fields)
    }
    return isConfirmed && isNilWhereThereIsNoModel(reads, root) ? path : nil
  }

  /// Whether the path gives nil when one of its relationships is nil.
  private func isNilWhereThereIsNoModel(_ reads: [ReadRecorder.Read], _ root: any PersistentModel) -> Bool {
    reads.indices.dropLast().reversed().allSatisfy { index in
      guard let relationship = reads[index].property.relationship, relationship.toOne?.isRequired != true else {
        return true
      }
      relationship.fill(reads[index].model, with: [])
      let (found, read) = apply(to: root)
      return found == nil && read.count == index + 1
    }
  }

  private func apply(to model: any PersistentModel) -> (value: Any?, reads: [ReadRecorder.Read]) {
    let (found, reads) = recorder.reads { (model as Any)[keyPath: keyPath] }
    return (found.flatMap(flattened), reads)
  }

  private func confirms(
    _ property: _ModelProperty, _ model: any PersistentModel, _ root: any PersistentModel, _ readCount: Int,
    _ fields: [String]
  ) -> Bool {
    guard let fieldPaths = Self.keyPaths(to: fields, in: type(of: property.keyPath).valueType) else { return false }
    let samples = property.samples
    return samples.count > 1
      && samples.allSatisfy { sample in
        property.put(sample, in: model)
        let (found, reads) = apply(to: root)
        let expected = fieldPaths.reduce(flattened(sample)) { value, path in
          value.flatMap { $0[keyPath: path] }.flatMap(flattened)
        }
        return reads.count == readCount && Self.isEqual(found, expected)
      }
  }

  private func confirms(
    _ relationship: any RelationshipProperty, _ model: any PersistentModel, _ root: any PersistentModel,
    _ readCount: Int, _ isIdentifier: Bool
  ) -> Bool {
    let targets = (0..<3).compactMap { _ in recorder.makeModel(of: relationship.destinationType) }
    guard targets.count == 3 else { return false }
    var samples: [[any PersistentModel]] = [[targets[1]], [targets[0]]]
    if relationship.toOne?.isRequired != true { samples.append([]) }
    if relationship.toMany != nil { samples.append([targets[2], targets[0], targets[1]]) }
    return samples.allSatisfy { sample in
      relationship.fill(model, with: sample)
      let (found, reads) = apply(to: root)
      guard reads.count == readCount else { return false }
      if isIdentifier {
        return relationship.toOne != nil && found as? PersistentIdentifier == sample.first?.anyIdentifier
      }
      let models: [any PersistentModel]?
      if relationship.toMany != nil {
        models = found as? [any PersistentModel]
      } else if let found {
        models = (found as? any PersistentModel).map { [$0] }
      } else {
        models = []
      }
      return models?.elementsEqual(sample, by: { $0 === $1 }) ?? false
    }
  }

  /// The constant of a key path. Reads of constants are not recorded, so it is recognized by its value.
  private func constant(_ runtime: ModelRuntime) -> _ModelProperty? {
    let valueType = type(of: keyPath).valueType
    let candidates = runtime.properties.filter {
      $0.isConstant && type(of: $0.keyPath).valueType == valueType && $0.samples.count > 1
    }
    return candidates.first { property in
      property.samples.allSatisfy { sample in
        let model = recorder.makeModel(of: runtime) { runtime.type.makeModel(with: sample, for: property.keyPath) }
        guard let model else { return false }
        let (found, reads) = apply(to: model)
        return reads.isEmpty && Self.isEqual(found, flattened(sample))
      }
    }
  }

  private static func keyPaths(to fields: [String], in type: Any.Type) -> [AnyKeyPath]? {
    var type = type
    var keyPaths: [AnyKeyPath] = []
    for field in fields {
      let known = StoredField.keyPaths(of: unwrappedType(type))
      guard let keyPath = known.first(where: { $0.name == field })?.keyPath else { return nil }
      keyPaths.append(keyPath)
      type = Swift.type(of: keyPath).valueType
    }
    return keyPaths
  }

  private static func isEqual(_ value: Any?, _ other: Any?) -> Bool {
    func open<Value: Equatable>(_ value: Value, _ other: Any) -> Bool { (other as? Value) == value }
    guard let value, let other else { return value == nil && other == nil }
    guard type(of: value) == type(of: other), let equatable = value as? any Equatable else { return false }
    return open(equatable, other)
  }
}

extension PersistentModel {
  fileprivate static func makeModel(with value: Any, for keyPath: AnyKeyPath) -> Self {
    let backingData = ModelBackingData(for: Self.self)
    backingData.keep(value, for: keyPath)
    return Self(backingData: backingData)
  }
}
