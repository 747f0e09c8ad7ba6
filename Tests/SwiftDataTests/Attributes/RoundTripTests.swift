import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Storing and reading every attribute type")
struct RoundTripTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("Every attribute type is read by another context after a save", arguments: SampledModels.names)
  func anotherContext(name: String) throws {
    let url = folder.file()
    func check<Model: SampledModel>(_ type: Model.Type) throws {
      let container = try type.makeContainer(at: url)
      try store(type.makeSamples(), in: container)
      type.expectSamples(try type.all(in: ModelContext(container)), "in another context")
    }
    let type = try #require(SampledModels.all[name])
    try check(type)
  }

  @Test("Every attribute type is read by another process after a save", arguments: SampledModels.names)
  func anotherProcess(name: String) async throws {
    let url = folder.file()
    func save<Model: SampledModel>(_ type: Model.Type) throws {
      try store(type.makeSamples(), in: type.makeContainer(at: url))
    }
    let type = try #require(SampledModels.all[name])
    try save(type)
    await #expect(processExitsWith: .success) { [name = name as String, path = url.path as String] in
      try SampledModels.expectSamples(of: name, at: path)
    }
  }

  @Test("A rollback restores every attribute type", arguments: SampledModels.names)
  func rollback(name: String) throws {
    let url = folder.file()
    func check<Model: SampledModel>(_ type: Model.Type) throws {
      let container = try type.makeContainer(at: url)
      let context = try store(type.makeSamples(), in: container)
      let models = try type.all(in: context)
      for (model, other) in zip(models, models.reversed()) { model.take(other) }
      #expect(context.hasChanges)
      context.rollback()
      type.expectSamples(models, "after the rollback")
      #expect(!context.hasChanges)
      type.expectSamples(try type.all(in: ModelContext(container)), "in the store after the rollback")
    }
    let type = try #require(SampledModels.all[name])
    try check(type)
  }

  @Test("An update stores every attribute type", arguments: SampledModels.names)
  func update(name: String) throws {
    let url = folder.file()
    func check<Model: SampledModel>(_ type: Model.Type) throws {
      let container = try type.makeContainer(at: url)
      let samples = type.makeSamples()
      let models = samples.reversed().map { sample in
        let model = Model()
        model.take(sample)
        return model
      }
      let context = try store(models, in: container)
      for (model, sample) in zip(models, samples) {
        model.take(sample)
        model.number = sample.number
      }
      try context.save()
      type.expectSamples(try type.all(in: ModelContext(container)), "after an update")
    }
    let type = try #require(SampledModels.all[name])
    try check(type)
  }

  @Test("Saving unchanged values keeps the stored ones", arguments: SampledModels.names)
  func unchangedSave(name: String) throws {
    let url = folder.file()
    func check<Model: SampledModel>(_ type: Model.Type) throws {
      let container = try type.makeContainer(at: url)
      try store(type.makeSamples(), in: container)
      let context = ModelContext(container)
      for model in try type.all(in: context) { model.take(model) }
      try context.save()
      type.expectSamples(try type.all(in: ModelContext(container)), "after saving the same values")
    }
    let type = try #require(SampledModels.all[name])
    try check(type)
  }

  @discardableResult
  private func store<Model: SampledModel>(_ models: [Model], in container: ModelContainer) throws -> ModelContext {
    let context = ModelContext(container)
    context.autosaveEnabled = false
    for model in models { context.insert(model) }
    try context.save()
    return context
  }
}
