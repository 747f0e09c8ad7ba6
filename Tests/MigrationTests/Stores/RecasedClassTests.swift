import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

enum LittleFixes: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Gps.self, Pdf.self, Scan.self] }

  @Model
  final class Gps {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  class Pdf {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Scan: Pdf {
    var pages = 1

    override init(_ number: Int) {
      super.init(number)
    }
  }
}

enum CapitalFixes: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [GPS.self, PDF.self, Scan.self] }

  @Model
  final class GPS {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  class PDF {
    var number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Model
  final class Scan: PDF {
    var pages = 1

    override init(_ number: Int) {
      super.init(number)
    }
  }
}

enum FixPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [LittleFixes.self, CapitalFixes.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: LittleFixes.self, toVersion: CapitalFixes.self)] }
}

@Suite("Classes renamed in capital letters only")
struct RecasedClassTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
  }

  private func capitals(hasPlan: Bool) throws -> ModelContainer {
    try ModelContainer(
      for: Schema(versionedSchema: CapitalFixes.self), migrationPlan: hasPlan ? FixPlan.self : nil,
      configurations: ModelConfiguration(url: store.url))
  }

  @Test(
    "A class with models keeps its name, whether or not its table has subclasses",
    arguments: ["Gps", "Pdf"], [false, true])
  func models(name: String, hasPlan: Bool) throws {
    let context = try store.open(LittleFixes.models).freshContext()
    if name == "Gps" { context.insert(LittleFixes.Gps(1)) } else { context.insert(LittleFixes.Pdf(1)) }
    try context.save()
    try context.container.close()
    let error = try expectRefusal(in: store.folder) { try capitals(hasPlan: hasPlan) }
    let issues = error?.details?.issues ?? []
    #expect(issues.map(\.entity) == [name])
    #expect(issues.first?.message.contains("Keep the name \(name).") == true)
    let later = try store.open(LittleFixes.models).freshContext()
    #expect(try later.fetchCount(FetchDescriptor<LittleFixes.Gps>()) == (name == "Gps" ? 1 : 0))
    #expect(try later.fetchCount(FetchDescriptor<LittleFixes.Pdf>()) == (name == "Pdf" ? 1 : 0))
  }

  @Test("A class without models can be renamed")
  func noModels() throws {
    try store.open(LittleFixes.models).close()
    let context = try capitals(hasPlan: false).freshContext()
    context.insert(CapitalFixes.GPS(1))
    context.insert(CapitalFixes.PDF(2))
    context.insert(CapitalFixes.Scan(3))
    try context.save()
    let later = try capitals(hasPlan: false).freshContext()
    #expect(try later.only(CapitalFixes.GPS.self).number == 1)
    #expect(try later.all(CapitalFixes.PDF.self, by: \.number).map(\.number) == [2, 3])
    #expect(try later.only(CapitalFixes.Scan.self).number == 3)
  }
}
