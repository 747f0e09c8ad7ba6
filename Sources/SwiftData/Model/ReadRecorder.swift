/// Notes which persisted properties are read of the models that it made, and gives them values at that moment.
final class ReadRecorder {
  struct Read {
    let model: any PersistentModel
    let property: _ModelProperty
  }

  private(set) var reads: [Read] = []
  private var models: [any PersistentModel] = []

  /// A model that stands for no row and whose reads are noted; nil when there is a property that no value can be made
  /// up for.
  func makeModel(of runtime: ModelRuntime, _ make: () -> any PersistentModel) -> (any PersistentModel)? {
    let required = runtime.toOnes.filter(\.isRequired).map { ModelRuntime.of($0.destinationType) }
    guard (required + [runtime]).allSatisfy({ !$0.properties.contains(where: \.needsSampleValue) }) else { return nil }
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

  /// Runs `body` and returns what it read.
  func reads<Result>(of body: () -> Result) -> (result: Result, reads: [Read]) {
    reads = []
    let result = body()
    return (result, reads)
  }

  /// Lets go of the models, which hold on to the recorder.
  func end() {
    for model in models { model._$withState { $0.observers = nil } }
    models = []
    reads = []
  }
}
