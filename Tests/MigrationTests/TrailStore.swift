import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

/// A store of hikes in a folder of its own.
struct TrailStore {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  var url: URL { folder.file() }
  var configuration: ModelConfiguration { ModelConfiguration(url: url) }

  /// More than stays in a row.
  static let track = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

  func open(_ version: any VersionedSchema.Type, plan: Bool = true) throws -> ModelContainer {
    try ModelContainer(
      for: Schema(versionedSchema: version), migrationPlan: plan ? TrailPlan.self : nil, configurations: configuration)
  }

  /// Writes two hikes, with a file, of two walkers each in an order that is not that of their rows.
  func writeFirst() throws {
    let container = try open(TrailV1.self, plan: false)
    let context = container.freshContext()
    let (ada, grace) = (TrailV1.Walker(name: "Ada Lovelace"), TrailV1.Walker(name: "Grace"))
    let (loch, ben) = (
      TrailV1.Hike(title: "Loch", length: 4), TrailV1.Hike(title: "Ben", length: 17, track: Self.track)
    )
    for walker in [ada, grace] { context.insert(walker) }
    for hike in [loch, ben] { context.insert(hike) }
    loch.walkers = [grace, ada]
    ben.walkers = [ada, grace]
    try context.save()
    try container.close()
  }

  func writeSecond() throws {
    let context = try open(TrailV2.self, plan: false).freshContext()
    let ada = TrailV2.Walker(name: "Ada Lovelace")
    let hike = TrailV2.Hike(title: "Coast", length: 30)
    hike.isLong = true
    context.insert(ada)
    context.insert(hike)
    hike.walkers = [ada]
    try context.save()
  }

  /// The values of a store of the last version: name, length, whether it is long, bytes, walkers.
  func lastHikes() throws -> [String] {
    let context = try open(TrailV4.self, plan: false).freshContext()
    return try context.fetch(FetchDescriptor<TrailV4.Hike>(sortBy: [SortDescriptor(\.name)])).map { hike in
      let walkers = hike.walkers.map { "\($0.firstName)/\($0.lastName)" }.joined(separator: ",")
      return "\(hike.name) \(hike.length) \(hike.isLong) \(hike.track == Self.track) \(walkers)"
    }
  }

  static let lastHikes = ["Ben 17 true true Ada/Lovelace,?/Grace", "Loch 4 false false ?/Grace,Ada/Lovelace"]

  /// Checks that a store of the first version has the values of `writeFirst`.
  func expectFirst(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let context = try open(TrailV1.self, plan: false).freshContext()
    let hikes = try context.fetch(FetchDescriptor<TrailV1.Hike>(sortBy: [SortDescriptor(\.title)]))
    #expect(hikes.map(\.title) == ["Ben", "Loch"], sourceLocation: sourceLocation)
    #expect(hikes.first?.track == Self.track, sourceLocation: sourceLocation)
    #expect(
      hikes.map { $0.walkers.map(\.name) } == [["Ada Lovelace", "Grace"], ["Grace", "Ada Lovelace"]],
      sourceLocation: sourceLocation)
  }

  /// The files of external values.
  func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).filter { $0.contains("_EXTERNAL_DATA/") }
  }

  /// Working copies that are left.
  func leftovers() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).filter { $0.contains(".migration") }
  }
}
