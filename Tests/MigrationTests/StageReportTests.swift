import Foundation
import Logging
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

/// Run in processes of their own, in which nothing was logged before.
@Suite("Log messages and errors about plans and stages")
struct StageReportTests {
  /// The log messages about the plan when a store is opened with it.
  private static func messages(
    _ schemas: [any VersionedSchema.Type], _ stages: [MigrationStage], _ recorder: RecordingHandler, _ schema: Schema
  ) throws -> [String] {
    let store = try TrailStore()
    try store.writeFirst()
    let before = recorder.messages.count
    try TrailPlan.$chosenSchemas.withValue(schemas) {
      try TrailPlan.$chosenStages.withValue(stages) {
        _ = try ModelContainer(for: schema, migrationPlan: TrailPlan.self, configurations: store.configuration)
      }
    }
    return recorder.messages.dropFirst(before).filter { $0.contains("Trail") }
  }

  private static func bootstrap() -> RecordingHandler {
    let recorder = RecordingHandler(.notice)
    LoggingSystem.bootstrap { _ in recorder }
    return recorder
  }

  @Test("Changes that closures did not save are counted in the log")
  func unsaved() async {
    await #expect(processExitsWith: .success) {
      let recorder = StageReportTests.bootstrap()
      let stage = MigrationStage.custom(
        fromVersion: TrailV1.self, toVersion: TrailV2.self,
        willMigrate: { context in
          let hikes = try context.fetch(FetchDescriptor<TrailV1.Hike>())
          hikes[0].length = 1
          try context.save()
          hikes[1].length = 0
          context.delete(hikes[0])
        },
        didMigrate: { context in
          for title in ["a", "b"] { context.insert(TrailV2.Hike(title: title, length: 1)) }
        })
      let messages = try StageReportTests.messages(
        [TrailV1.self, TrailV2.self], [stage], recorder, Schema(versionedSchema: TrailV2.self))
      #expect(messages.count == 2, "\(messages)")
      let way = "of the stage from TrailV1 (1.0.0) to TrailV2 (2.0.0) has not saved:"
      #expect(messages.first?.hasPrefix("warning: willMigrate \(way) ") == true, "\(messages)")
      #expect(
        messages.first?.contains("1 deleted. Changes that a stage does not save are lost.") == true, "\(messages)")
      #expect(messages.last?.hasPrefix("warning: didMigrate \(way) 2 inserted. ") == true, "\(messages)")
      let silent = try StageReportTests.messages(
        [TrailV1.self, TrailV2.self], [TrailPlan.toSecond], recorder, Schema(versionedSchema: TrailV2.self))
      #expect(silent == [])
    }
  }

  @Test("Versions of equal shape are listed in the log")
  func equalShapes() async {
    await #expect(processExitsWith: .success) {
      let recorder = StageReportTests.bootstrap()
      let messages = try StageReportTests.messages(
        [TrailV1.self, TrailV1Again.self, TrailV2.self], [TrailPlan.toSecond], recorder,
        Schema(versionedSchema: TrailV2.self))
      #expect(
        messages == [
          "notice: No stage runs between these versions, which have equal shapes: TrailV1 (1.0.0) = TrailV1Again (1.0.1)"
        ])
    }
  }

  @Test("A schema newer than its plan is reported in the log")
  func aheadOfPlan() async {
    await #expect(processExitsWith: .success) {
      let recorder = StageReportTests.bootstrap()
      let messages = try StageReportTests.messages(
        [TrailV1.self, TrailV2.self], [TrailPlan.toSecond], recorder, Schema(TrailV2.models + [First.Item.self]))
      #expect(messages.count == 1, "\(messages)")
      #expect(
        messages.first?.hasPrefix(
          "warning: The container's schema is no version of TrailPlan. The changes since TrailV2")
          == true)
    }
  }

  @Test("The error about an unknown version lists versions of the plan with equal shape")
  func unknownVersion() throws {
    let store = try TrailStore()
    do {
      let context = try ModelContainer(for: StrayTrail.Hike.self, configurations: store.configuration).freshContext()
      context.insert(StrayTrail.Hike(title: "a"))
      try context.save()
      try context.container.close()
    }
    let error = try TrailPlan.$chosenSchemas.withValue([TrailV1.self, TrailV1Again.self, TrailV2.self]) {
      try TrailPlan.$chosenStages.withValue([TrailPlan.toSecond]) {
        try expectRefusal(in: store.folder) { try store.open(TrailV2.self) }
      }
    }
    let message = try #require(error?.details?.message)
    #expect(message.contains("Of equal shape are TrailV1 (1.0.0) = TrailV1Again (1.0.1)."))
    #expect(error?.details?.hint?.contains("add a VersionedSchema") == true)
  }

  @Test("A store whose version has no stage to a later one is refused with the stage to write")
  func noWay() throws {
    let store = try TrailStore()
    try store.writeFirst()
    let error = try TrailPlan.$chosenSchemas.withValue([]) {
      try TrailPlan.$chosenStages.withValue([TrailPlan.toSecond, TrailPlan.toFourth]) {
        try expectRefusal(in: store.folder) { try store.open(TrailV4.self) }
      }
    }
    #expect(
      error?.details?.message?.hasPrefix("The store has TrailV1 (1.0.0), and no stages of TrailPlan lead") == true)
    #expect(error?.details?.hint?.contains(".lightweight(fromVersion: TrailV1.self, toVersion: …)") == true)
    try store.expectFirst()
  }
}
