// swift-tools-version: 6.2
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

let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "OpenSwiftDataServerExample",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "book-shop", targets: ["BookShop"]),
    .executable(name: "load-test", targets: ["LoadTest"]),
  ],
  dependencies: [
    .package(name: "OpenSwiftData", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0"),
    .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.30.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.9.0"),
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
  ],
  targets: [
    .executableTarget(
      name: "BookShop",
      dependencies: [
        swiftData, swiftDataPostgres, hummingbird, argumentParser,
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
      ],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "LoadTest",
      dependencies: [
        argumentParser,
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "BookShopTests",
      dependencies: [
        "BookShop", "LoadTest", swiftData, hummingbird,
        .product(name: "HummingbirdTesting", package: "hummingbird"),
      ],
      swiftSettings: strict
    ),
  ]
)
