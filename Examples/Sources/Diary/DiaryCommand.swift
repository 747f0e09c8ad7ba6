import ArgumentParser
import Foundation
import SwiftData

/// Creates stores of each release of a diary, and migrates them to the last one.
@main
struct DiaryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diary", abstract: "Takes the store of a diary from any release to the last one.",
    subcommands: [Make.self, Preview.self, Rehearse.self, Migrate.self])

  static let last = Schema(versionedSchema: DiaryV3.self)

  struct StoreArgument: ParsableArguments {
    @Argument(help: "The store's file.") var store: String

    var configuration: ModelConfiguration { ModelConfiguration(url: URL(filePath: store)) }

    var inspector: MigrationInspector {
      MigrationInspector(for: last, migrationPlan: DiaryPlan.self, configurations: configuration)
    }
  }

  struct Make: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Makes a store as a release would have.")

    @OptionGroup var target: StoreArgument
    @Option(help: "The release: 1, 2 or 3.") var release = 1
    @Option(help: "How many entries.") var count = 1000

    func run() throws {
      try DiaryStore(target.configuration).make(release: release, count: count)
      print("Release \(release) has written \(count) entries.")
    }
  }

  struct Preview: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Shows what a migration would do, and changes nothing.")

    @OptionGroup var target: StoreArgument

    func run() throws {
      print(try target.inspector.preview())
    }
  }

  struct Rehearse: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Runs the migration on a copy, and throws that away.")

    @OptionGroup var target: StoreArgument

    func run() throws {
      let steps = try target.inspector.rehearse()
      for step in steps { print(step) }
      if steps.isEmpty { print("No migration is needed.") }
    }
  }

  struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Takes the store to the last release.")

    @OptionGroup var target: StoreArgument

    func run() throws {
      let progress = Progress(totalUnitCount: 1000)
      let bar = ProgressLine(progress)
      progress.becomeCurrent(withPendingUnitCount: 1000)
      let container = try ModelContainer(
        for: last, migrationPlan: DiaryPlan.self, configurations: target.configuration)
      progress.resignCurrent()
      bar.end()
      let context = ModelContext(container)
      let (entries, tags) = (FetchDescriptor<DiaryV3.Entry>(), FetchDescriptor<DiaryV3.Tag>())
      print("The store has \(try context.fetchCount(entries)) entries and \(try context.fetchCount(tags)) tags.")
    }
  }
}

extension ParsableArguments {
  fileprivate var last: Schema { DiaryCommand.last }
}
