// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "OpenSwiftData", path: "..")
  ],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "Timing", swiftSettings: strict),
    .target(name: "Workload", swiftSettings: strict),
    .target(name: "RawPeer", dependencies: ["CSQLite", "Workload"], swiftSettings: strict),
    .target(
      name: "SwiftDataPeer",
      dependencies: ["Workload", .product(name: "SwiftData", package: "OpenSwiftData")],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "bench",
      dependencies: ["RawPeer", "SwiftDataPeer", "Timing", "Workload"],
      swiftSettings: strict
    ),
  ]
)
