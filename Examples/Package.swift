// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
]

/// Apple's platforms have a module of this name in the system; only the others need the one of this repository.
let swiftData: Target.Dependency = .product(
  name: "SwiftData", package: "OpenSwiftData", condition: .when(platforms: [.linux]))

let package = Package(
  name: "OpenSwiftDataExamples",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "atlas", targets: ["Atlas"]),
    .executable(name: "readme-example", targets: ["ReadmeExample"]),
  ],
  dependencies: [
    .package(name: "OpenSwiftData", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
  ],
  targets: [
    .executableTarget(
      name: "Atlas",
      dependencies: [swiftData, .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: strict
    ),
    .executableTarget(name: "ReadmeExample", dependencies: [swiftData], swiftSettings: strict),
    .testTarget(name: "ApplicationCodeTests", dependencies: [swiftData], swiftSettings: strict),
    .testTarget(name: "AtlasTests", dependencies: ["Atlas", "ReadmeExample"], swiftSettings: strict),
  ]
)
