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
    .package(name: "OpenSwiftData", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
  ],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "Timing", swiftSettings: strict),
    .target(name: "Reporting", swiftSettings: strict),
    .target(name: "Workload", swiftSettings: strict),
    .target(
      name: "RawPeer", dependencies: ["CSQLite", "Workload"], swiftSettings: strict,
      linkerSettings: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))]
    ),
    .target(
      name: "ManyModels", dependencies: [.product(name: "SwiftData", package: "OpenSwiftData")], swiftSettings: strict),
    .target(
      name: "SwiftDataPeer",
      dependencies: [
        "CSQLite", "ManyModels", "Timing", "Workload", .product(name: "SwiftData", package: "OpenSwiftData"),
      ],
      swiftSettings: strict
    ),
    .target(
      name: "GRDBPeer", dependencies: ["Workload", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: strict
    ),
    .target(
      name: "GRDBCodablePeer", dependencies: ["Workload", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: strict
    ),
    .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(name: "LibpqPeer", dependencies: ["CLibpq", "Workload"], swiftSettings: strict),
    .target(
      name: "PostgresPeer",
      dependencies: [
        "Workload", .product(name: "SwiftData", package: "OpenSwiftData"),
        .product(name: "SwiftDataPostgres", package: "OpenSwiftData"),
      ],
      swiftSettings: strict
    ),
    // A program of its own: only ./scripts/bench --postgres needs libpq.
    .executableTarget(
      name: "postgres-bench", dependencies: ["LibpqPeer", "PostgresPeer", "Reporting", "Timing", "Workload"],
      swiftSettings: strict),
    .executableTarget(
      name: "release-checks", dependencies: [.product(name: "SwiftData", package: "OpenSwiftData")],
      swiftSettings: strict),
    .executableTarget(
      name: "bench",
      dependencies: ["GRDBCodablePeer", "GRDBPeer", "RawPeer", "Reporting", "SwiftDataPeer", "Timing", "Workload"],
      swiftSettings: strict,
      // Debian's valgrind cannot read the compiler's debug information. It counts by function names.
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "--strip-debug"], .when(platforms: [.linux], configuration: .release))
      ]
    ),
  ]
)
