// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
]

/// Apple's platforms have a system module of this name; only other platforms need this repository's.
let swiftData: Target.Dependency = .product(
  name: "SwiftData", package: "OpenSwiftData", condition: .when(platforms: [.linux]))

let swiftDataPostgres: Target.Dependency = .product(
  name: "SwiftDataPostgres", package: "OpenSwiftData", condition: .when(platforms: [.linux]))

/// The library for tests, which no platform of Apple's has.
let swiftDataTesting: Target.Dependency = .product(
  name: "SwiftDataTesting", package: "OpenSwiftData", condition: .when(platforms: [.linux]))

let package = Package(
  name: "OpenSwiftDataExamples",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "atlas", targets: ["Atlas"]),
    .executable(name: "diary", targets: ["Diary"]),
    .executable(name: "readme-example", targets: ["ReadmeExample"]),
    .executable(name: "notes", targets: ["Notes"]),
    .executable(name: "terminal-list", targets: ["TerminalList"]),
  ],
  dependencies: [
    .package(name: "OpenSwiftData", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
  ],
  targets: [
    .executableTarget(
      name: "Atlas",
      dependencies: [
        swiftData, swiftDataPostgres, .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "Diary",
      dependencies: [swiftData, .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "TerminalList",
      dependencies: [swiftData, .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: strict
    ),
    .executableTarget(name: "ReadmeExample", dependencies: [swiftData], swiftSettings: strict),
    // The programs and the library that guides print, in the language modes that these give them.
    .executableTarget(name: "Notes", dependencies: [swiftData], swiftSettings: [.swiftLanguageMode(.v6)]),
    // What the tutorial has written of that program before its last step.
    .target(name: "NotesFirstSteps", dependencies: [swiftData], swiftSettings: [.swiftLanguageMode(.v6)]),
    .target(name: "Shop", dependencies: [swiftData], swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(name: "DiaryTests", dependencies: ["Diary", swiftData], swiftSettings: strict),
    .testTarget(name: "TerminalListTests", dependencies: ["TerminalList"], swiftSettings: strict),
    .testTarget(name: "ShopTests", dependencies: ["Shop", swiftData]),
    .testTarget(
      name: "ApplicationCodeTests",
      dependencies: [swiftData, swiftDataTesting, .product(name: "Logging", package: "swift-log")],
      swiftSettings: strict),
    // The code of the guides to changed models, with declarations of the names that they use.
    .testTarget(
      name: "MigrationGuideTests", dependencies: [swiftData, swiftDataTesting], exclude: ["Schemas"],
      swiftSettings: strict),
    .testTarget(
      name: "AtlasTests", dependencies: ["Atlas", "Notes", "NotesFirstSteps", "ReadmeExample"], swiftSettings: strict),
  ]
)
