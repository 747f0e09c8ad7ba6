/// Records which persisted properties of its models are read, and sets them at the first read.
final class ReadRecorder {
  struct Read {
    let model: any PersistentModel
    let property: _ModelProperty
  }

  private(set) var reads: [Read] = []
  private var models: [any PersistentModel] = []

  /// A model without a row whose reads are recorded; nil when a property has a type that no value can be made for.
  func makeModel(of runtime: ModelRuntime, _ make: () -> any PersistentModel) -> (any PersistentModel)? {
    let required = runtime.toOnes.filter(\.isRequired).map { ModelRuntime.of($0.destinationType) }
    let involved = required + [runtime]
    guard !involved.contains(where: { $0.properties.contains(where: \.needsFallbackValue) }) else { return nil }
    let model = make()
    model._$withState { $0.observers = ModelObservers(recorder: self) }
    models.append(model)
    return model
  }

  func makeModel(of type: any PersistentModel.Type) -> (any PersistentModel)? {
    makeModel(of: ModelRuntime.of(type)) { type.makePlaceholder() }
  }

  func record(_ model: any PersistentModel, _ keyPath: AnyKeyPath) {
    if let index = ModelRuntime.of(model).index(of: keyPath) { record(model, index) }
  }

  func record(_ model: any PersistentModel, _ index: Int) {
    let property = ModelRuntime.of(model).properties[index]
    reads.append(Read(model: model, property: property))
    if !property.isLoaded(model) { fill(property, of: model) }
  }

  private func fill(_ property: _ModelProperty, of model: any PersistentModel) {
    if let relationship = property.relationship {
      relationship.fill(model, with: makeModel(of: relationship.destinationType).map { [$0] } ?? [])
    } else if let sample = property.samples.first {
      property.put(sample, in: model)
    }
  }

  /// Runs `body` and returns the reads.
  func reads<Result>(of body: () -> Result) -> (result: Result, reads: [Read]) {
    reads = []
    let result = body()
    return (result, reads)
  }

  /// Releases the models, which retain the recorder.
  func end() {
    for model in models { model._$withState { $0.observers = nil } }
    models = []
    reads = []
  }
}
