// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "OpenSwiftData",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "SwiftData", targets: ["SwiftData"])
  ],
  traits: [
    .trait(name: "OpenCombine", description: "Hands on OpenCombine: publishers of notifications, and what they need.")
  ],
  dependencies: [
    .package(url: "https://github.com/swiftlang/swift-syntax.git", "600.0.1"..<"604.0.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
    .package(url: "https://github.com/OpenCombine/OpenCombine.git", .upToNextMinor(from: "0.14.0")),
  ],
  targets: [
    .target(
      name: "SwiftData",
      dependencies: [
        "FileWatching",
        "FoundationSupplements",
        "ProcessorCache",
        "ReferenceCounts",
        "Relational",
        "SQLiteDriver",
        "Support",
        "SwiftDataMacros",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "OpenCombineShim", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
      ],
      swiftSettings: strict
    ),
    .macro(
      name: "SwiftDataMacros",
      dependencies: [
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
      ],
      swiftSettings: strict
    ),
    .target(name: "Relational", swiftSettings: strict),
    .target(
      name: "SQLiteDriver",
      dependencies: ["Relational", "Support", "SystemSQLite"],
      swiftSettings: strict
    ),
    .systemLibrary(name: "SystemSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "FoundationSupplements", dependencies: ["MemorySearch", "Support"], swiftSettings: strict,
      // The module _FoundationICU, which Foundation has its orders of text from, does not say what to link.
      linkerSettings: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))]
    ),
    .target(name: "FileWatching", dependencies: ["Support"], swiftSettings: strict),
    .target(name: "MemorySearch"),
    .target(name: "ProcessorCache"),
    .target(name: "ReferenceCounts"),
    .target(name: "Support", swiftSettings: strict),
    .testTarget(
      name: "SwiftDataMacrosTests",
      dependencies: [
        "SwiftDataMacros",
        .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "FoundationSupplementsTests", dependencies: ["FoundationSupplements"], swiftSettings: strict),
    .testTarget(name: "FileWatchingTests", dependencies: ["FileWatching", "Support"], swiftSettings: strict),
    .testTarget(name: "RelationalTests", dependencies: ["Relational"], swiftSettings: strict),
    .testTarget(
      name: "SQLiteDriverTests", dependencies: ["Relational", "SQLiteDriver", "Support"], swiftSettings: strict),
    .testTarget(
      name: "SwiftDataTests",
      dependencies: [
        "FaultyDriver", "HelperPrograms", "MigrationTestModels", "MigrationTestProgram", "SwiftData", "Relational",
        "SQLiteDriver", "Support",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "LanguageModeTestsSwift5", dependencies: ["SwiftData"], swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "LanguageModeTestsSwift6", dependencies: ["SwiftData"], swiftSettings: [.swiftLanguageMode(.v6)]),
    .testTarget(
      name: "LanguageModeTestsMainActor", dependencies: ["SwiftData"],
      swiftSettings: [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "TrustTests",
      dependencies: [
        "AutosaveTestProgram", "FaultyDriver", "HelperPrograms", "KillTestModels", "KillTestWriter", "Relational",
        "SQLiteDriver", "SoakTestModels", "SoakTestProgram", "StoreFuzzer", "SwiftData", "store-fuzzer",
      ],
      swiftSettings: strict
    ),
    .target(
      name: "FaultyDriver", dependencies: ["Relational", "Support"], path: "Tests/Helpers/FaultyDriver",
      swiftSettings: strict
    ),
    .target(name: "HelperPrograms", path: "Tests/Helpers/HelperPrograms", swiftSettings: strict),
    .target(
      name: "KillTestModels", dependencies: ["SwiftData"], path: "Tests/Helpers/KillTestModels", swiftSettings: strict
    ),
    .executableTarget(
      name: "KillTestWriter", dependencies: ["KillTestModels"], path: "Tests/Helpers/KillTestWriter",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "AutosaveTestProgram", dependencies: ["KillTestModels", "SwiftData"],
      path: "Tests/Helpers/AutosaveTestProgram", swiftSettings: strict
    ),
    .target(
      name: "MigrationTestModels", dependencies: ["SwiftData"], path: "Tests/Helpers/MigrationTestModels",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "MigrationTestProgram", dependencies: ["MigrationTestModels", "SwiftData"],
      path: "Tests/Helpers/MigrationTestProgram", swiftSettings: strict
    ),
    .target(
      name: "SoakTestModels", dependencies: ["StoreFuzzer", "SwiftData"], path: "Tests/Helpers/SoakTestModels",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "SoakTestProgram",
      dependencies: ["SoakTestModels", "SwiftData", .product(name: "Logging", package: "swift-log")],
      path: "Tests/Helpers/SoakTestProgram", swiftSettings: strict
    ),
    .target(
      name: "StoreFuzzer", dependencies: ["Relational", "SQLiteDriver", "SwiftData"],
      path: "Tests/Helpers/StoreFuzzer", swiftSettings: strict
    ),
    .executableTarget(
      name: "store-fuzzer", dependencies: ["StoreFuzzer"], path: "Tests/Helpers/StoreFuzzerTool",
      swiftSettings: strict
    ),
  ]
)

// Only our own targets are built with a sanitizer, and the macros are not: the compiler runs them, and would take longer.
// The tests of the macros are left out, because SwiftPM would build all targets a second time for the host. Large suites
// that concern neither threads nor memory are left out to save time, and with them one whose models they have.
if let sanitizer = Context.environment["OSD_SANITIZER"] {
  package.targets.removeAll { target in
    target.type == .test
      && !["SwiftDataTests", "SQLiteDriverTests", "FoundationSupplementsTests", "TrustTests"].contains(target.name)
  }
  for target in package.targets where target.name == "SwiftDataTests" {
    target.exclude = ["Aggregates", "Applications", "Fetching", "Migration", "Schema", "Stores/TextIndexTests.swift"]
    target.exclude += [
      "ConvertedValuesTests", "DepartingRowsTests", "MediumVersions", "MovedLinksOfOthersTests", "MovedLinksTests",
      "MovedModelsTests", "NarrowerTargetTests", "OneToOneLinksTests", "PetVersions", "RecasedClassTests",
      "RemovedModelsTests", "RequiredValuesTests", "StructureFieldTests", "UnknownCasesTests",
    ].map { "Stores/Migrating/\($0).swift" }
  }
  for target in package.targets where ![.macro, .system].contains(target.type) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=\(sanitizer)"])]
    target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-fsanitize=\(sanitizer)"])]
    // The thread sanitizer does not see the standard library's mutexes, so `Support` uses another kind.
    if sanitizer == "thread" { target.swiftSettings?.append(.define("THREAD_SANITIZER")) }
    target.linkerSettings = (target.linkerSettings ?? []) + [.unsafeFlags(["-sanitize=\(sanitizer)"])]
  }
}
