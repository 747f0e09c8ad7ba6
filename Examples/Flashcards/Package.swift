// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
]

/// Apple's platforms have a system module of this name; only other platforms need this repository's.
let swiftData: Target.Dependency = .product(
  name: "SwiftData", package: "OpenSwiftData", condition: .when(platforms: [.linux]))

let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")

let package = Package(
  name: "OpenSwiftDataFlashcards",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "flashcards", targets: ["Flashcards"])
  ],
  dependencies: [
    .package(name: "OpenSwiftData", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.9.0"),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
  ],
  targets: [
    .executableTarget(
      name: "Flashcards",
      dependencies: [
        swiftData, hummingbird,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
      ],
      resources: [.embedInCode("Resources")],
      swiftSettings: strict
    ),
    .testTarget(
      name: "FlashcardsTests",
      dependencies: [
        "Flashcards", swiftData, hummingbird,
        .product(name: "HummingbirdTesting", package: "hummingbird"),
      ],
      swiftSettings: strict
    ),
  ]
)
