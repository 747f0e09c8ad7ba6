import Foundation
import SwiftData
import Testing

@testable import TestSupport

/// A model whose properties cover one family of types, with instances that are equal in every process.
protocol SampledModel: PersistentModel {
  init()
  var number: Int { get set }
  static var fields: [SampledField<Self>] { get }
  /// Sets the values of each instance; the first one keeps the initial values.
  static var samples: [(Self) -> Void] { get }
}

/// One property of a sampled model: how to compare it, and how to copy it.
struct SampledField<Model: PersistentModel> {
  let name: String
  let value: (Model) -> AnyHashable
  let copy: (_ source: Model, _ target: Model) -> Void

  init<Value: Hashable>(_ name: String, _ keyPath: ReferenceWritableKeyPath<Model, Value>) {
    self.init(name, keyPath) { AnyHashable($0) }
  }

  /// - Parameter key: Returns a value for comparisons, where the property's values are not exact enough.
  init<Value>(
    _ name: String, _ keyPath: ReferenceWritableKeyPath<Model, Value>, as key: @escaping (Value) -> AnyHashable
  ) {
    self.name = name
    value = { key($0[keyPath: keyPath]) }
    copy = { $1[keyPath: keyPath] = $0[keyPath: keyPath] }
  }
}

extension SampledModel {
  static func makeSamples() -> [Self] {
    ([{ _ in }] + samples).enumerated().map { number, fill in
      let model = Self()
      model.number = number
      fill(model)
      return model
    }
  }

  var values: [AnyHashable] {
    Self.fields.map { $0.value(self) }
  }

  func take(_ other: Self) {
    for field in Self.fields { field.copy(other, self) }
  }

  static func makeContainer(at url: URL) throws -> ModelContainer {
    try ModelContainer(for: Self.self, configurations: ModelConfiguration(url: url))
  }

  static func all(in context: ModelContext) throws -> [Self] {
    try context.fetch(FetchDescriptor<Self>()).sorted { $0.number < $1.number }
  }

  /// Compares the stored values with the samples, property by property.
  static func expectSamples(
    _ found: [Self], _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let expected = makeSamples()
    #expect(found.count == expected.count, comment, sourceLocation: sourceLocation)
    for (model, sample) in zip(found, expected) {
      for field in fields {
        #expect(
          field.value(model) == field.value(sample),
          "\(Self.self).\(field.name) of sample \(sample.number), \(comment)",
          sourceLocation: sourceLocation)
      }
    }
  }
}

/// The families, by the name that a test or a child process uses.
enum SampledModels {
  static let all: [String: any SampledModel.Type] = Dictionary(
    uniqueKeysWithValues: ([
      Integers.self, WideIntegers.self, Reals.self, Decimals.self, Texts.self, Bytes.self, Moments.self,
      Enumerations.self, Structures.self, OptionalStructures.self, EncodedValues.self, Lists.self, Groupings.self,
    ] as [any SampledModel.Type]).map { ("\($0)", $0) })

  static let names = all.keys.sorted()

  /// Compares the stored values with the samples of a family.
  static func expectSamples(of name: String, at path: String) throws {
    func check<Model: SampledModel>(_ type: Model.Type) throws {
      let container = try type.makeContainer(at: URL(fileURLWithPath: path))
      type.expectSamples(try type.all(in: ModelContext(container)), "in another process")
    }
    let type = try #require(all[name])
    try check(type)
  }
}
