import Foundation
import SwiftData
import Testing

@testable import TestSupport

/// A value that only a transformer can store.
struct Color: Hashable {
  var red: UInt8
  var green: UInt8
}

final class ColorTransformer: ValueTransformer, @unchecked Sendable {
  override func transformedValue(_ value: Any?) -> Any? {
    (value as? Color).map { Data([$0.red, $0.green]) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).flatMap { $0.count == 2 ? Color(red: $0[0], green: $0[1]) : nil }
  }
}

/// Cannot store anything red.
final class PickyTransformer: ValueTransformer, @unchecked Sendable {
  override func transformedValue(_ value: Any?) -> Any? {
    (value as? Color).flatMap { $0.red > 0 ? nil : Data([$0.green]) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).map { Color(red: 0, green: $0.first ?? 0) }
  }
}

@Model
final class Wall {
  @Attribute(.transformable(by: ColorTransformer.self)) var byType: Color
  @Attribute(.transformable(by: "SharedColor")) var byName: Color
  @Attribute(.transformable(by: ColorTransformer.self)) var optional: Color?
  @Attribute(.transformable(by: PickyTransformer.self)) var picky: Color = Color(red: 0, green: 0)

  init(_ color: Color) {
    byType = color
    byName = color
  }
}

@Suite("Transformable attributes")
struct TransformableTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer
  private let context: ModelContext
  private let green = Color(red: 0, green: 200)
  private let mixed = Color(red: 7, green: 9)

  init() throws {
    ValueTransformer.setValueTransformer(ColorTransformer(), forName: NSValueTransformerName("SharedColor"))
    folder = try TemporaryFolder()
    container = try ModelContainer(for: Wall.self, configurations: ModelConfiguration(url: folder.file()))
    context = ModelContext(container)
    context.autosaveEnabled = false
  }

  private func stored() throws -> Wall {
    try #require(try ModelContext(container).fetch(FetchDescriptor<Wall>()).first)
  }

  @Test("Values are stored through the transformer, by type and by name")
  func valuesAreTransformed() throws {
    let wall = Wall(mixed)
    context.insert(wall)
    try context.save()
    #expect(try stored().byType == mixed)
    #expect(try stored().byName == mixed)
    #expect(try stored().optional == nil)

    wall.byType = green
    wall.optional = mixed
    try context.save()
    #expect(try stored().byType == green)
    #expect(try stored().optional == mixed)

    wall.byType = mixed
    wall.optional = nil
    context.rollback()
    #expect(wall.byType == green)
    #expect(wall.optional == mixed)
  }

  @Test("Another process reads transformed values")
  func otherProcessReads() async throws {
    context.insert(Wall(mixed))
    try context.save()
    await #expect(processExitsWith: .success) { [path = folder.file().path as String] in
      ValueTransformer.setValueTransformer(ColorTransformer(), forName: NSValueTransformerName("SharedColor"))
      let configuration = ModelConfiguration(url: URL(fileURLWithPath: path))
      let container = try ModelContainer(for: Wall.self, configurations: configuration)
      let walls = try ModelContext(container).fetch(FetchDescriptor<Wall>())
      #expect(walls.map(\.byName) == [Color(red: 7, green: 9)])
    }
  }

  @Test("A value that its transformer refuses fails the save, and the error names the property")
  func refusedValue() throws {
    let wall = Wall(green)
    context.insert(wall)
    try context.save()
    wall.picky = mixed
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
    #expect(error?.details?.entity == "Wall")
    #expect(error?.details?.property == "picky")
    #expect(context.hasChanges)
    wall.picky = green
    try context.save()
    #expect(try stored().picky == green)
  }
}
