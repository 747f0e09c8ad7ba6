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
    .library(name: "SwiftData", targets: ["SwiftData"]),
    // Stores on a PostgreSQL server. Only what depends on it needs libpq.
    .library(name: "SwiftDataPostgres", targets: ["SwiftDataPostgres"]),
    // What test targets of applications and of custom stores use beside SwiftData.
    .library(name: "SwiftDataTesting", targets: ["SwiftDataTesting"]),
    // What applications for Apple's platforms use beside SwiftData, for Linux. No module is called `os` or `OSLog`: other
    // packages of a build would take it for Apple's where they ask `canImport(os)`.
    .library(name: "AppleModules", targets: ["AppleFoundation", "AppleLogging"]),
  ],
  traits: [
    .trait(name: "OpenCombine", description: "Re-exports OpenCombine, and adds publishers of notifications."),
    // Names that a later Foundation may bring; see the guide "Moving an application's core to Linux".
    .trait(name: "FoundationNotifications", description: "Uses notifications(named:object:) of Foundation."),
    .trait(name: "FoundationUndoManager", description: "Uses UndoManager of Foundation."),
    .trait(name: "FoundationValueTransformer", description: "Uses ValueTransformer of Foundation."),
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
        "CShims",
        "FileWatching",
        "FoundationSupplements",
        "Relational",
        "SQLiteDriver",
        "Support",
        "SwiftDataMacros",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "OpenCombineShim", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
      ],
      swiftSettings: strict
    ),
    .target(
      name: "SwiftDataTesting", dependencies: ["Relational", "Support", "SwiftData"], swiftSettings: strict),
    .macro(
      name: "SwiftDataMacros",
      dependencies: [
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
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
      name: "SwiftDataPostgres",
      dependencies: [
        "PostgresDriver", "Relational", "SwiftData", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict
    ),
    .target(
      name: "PostgresDriver", dependencies: ["Relational", "Support", "SystemPostgres"], swiftSettings: strict),
    .systemLibrary(name: "SystemPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "FoundationSupplements", dependencies: ["CShims", "Support"], swiftSettings: strict,
      // The module _FoundationICU, which Foundation has its orders of text from, does not say what to link.
      linkerSettings: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))]
    ),
    .target(name: "FileWatching", dependencies: ["Support"], swiftSettings: strict),
    .target(name: "AppleFoundation", swiftSettings: strict),
    .target(
      name: "AppleLogging", dependencies: [.product(name: "Logging", package: "swift-log")], swiftSettings: strict),
    .target(name: "CShims"),
    .target(name: "Support", swiftSettings: strict),
    .testTarget(
      name: "FoundationSupplementsTests", dependencies: ["FoundationSupplements"], swiftSettings: strict),
    .testTarget(
      name: "AppleModulesTests",
      dependencies: ["AppleFoundation", "AppleLogging", .product(name: "Logging", package: "swift-log")],
      swiftSettings: strict),
    .testTarget(name: "FileWatchingTests", dependencies: ["FileWatching", "Support"], swiftSettings: strict),
    .testTarget(name: "RelationalTests", dependencies: ["Relational"], swiftSettings: strict),
    .testTarget(
      name: "SQLiteDriverTests", dependencies: ["Relational", "SQLiteDriver", "Support"], swiftSettings: strict),
    .testTarget(
      name: "PostgresDriverTests", dependencies: ["PostgresDriver", "Relational", "Support"], swiftSettings: strict),
    .testTarget(
      name: "SwiftDataPostgresTests",
      dependencies: [
        "FoundationSupplements", "HelperPrograms", "PostgresDriver", "PostgresTestModels", "PostgresTestProgram",
        "Relational", "SwiftData",
        "SwiftDataPostgres", "SwiftDataTesting", "Support", "SystemPostgres", "TestModels", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SwiftDataTests",
      dependencies: [
        "FaultyDriver", "FoundationSupplements", "Relational", "SQLiteDriver", "Support", "SwiftData", "TestModels",
        "TestSupport", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FetchingTests",
      dependencies: [
        "FaultyDriver", "FoundationSupplements", "Relational", "SQLiteDriver", "Support", "SwiftData", "TestModels",
        "TestSupport", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "MigrationTests",
      dependencies: [
        "FaultyDriver", "HelperPrograms", "MigrationTestModels", "MigrationTestProgram", "Relational", "SQLiteDriver",
        "Support", "SwiftData", "SwiftDataTesting", "TestModels", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SwiftDataTestingTests",
      dependencies: ["SwiftData", "SwiftDataTesting", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "HistoryTests", dependencies: ["Support", "SwiftData", "TestModels", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ApplicationTests", dependencies: ["SwiftData", "TestModels", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "LiveResultsTests",
      dependencies: ["HelperPrograms", "KillTestModels", "KillTestWriter", "Support", "SwiftData", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentTests",
      dependencies: ["HelperPrograms", "KillTestModels", "KillTestWriter", "Support", "SwiftData", "TestSupport"],
      swiftSettings: strict),
    // What several threads or actors do: run with the thread sanitizer too.
    .testTarget(
      name: "ConcurrencyTests",
      dependencies: [
        "FaultyDriver", "KillTestModels", "KillTestWriter", "Relational", "SQLiteDriver", "Support", "SwiftData",
        "TestSupport",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // Keeps the machine busy by itself.
    .testTarget(
      name: "SoakTests",
      dependencies: ["HelperPrograms", "SoakTestModels", "SoakTestProgram", "StoreFuzzer", "SwiftData", "TestSupport"],
      swiftSettings: strict),
    // Who releases what, and where: run with both sanitizers.
    .testTarget(
      name: "LifetimeTests",
      dependencies: [
        "FaultyDriver", "Relational", "SQLiteDriver", "Support", "SwiftData", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // What counts references by hand, reads memory by its address, or reads damaged files: run with the address
    // sanitizer too.
    .testTarget(
      name: "MemorySafetyTests",
      dependencies: [
        "FaultyDriver", "Relational", "SQLiteDriver", "StoreFuzzer", "Support", "SwiftData", "TestSupport",
        "store-fuzzer", .product(name: "Logging", package: "swift-log"),
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
        "AutosaveTestProgram", "HelperPrograms", "KillTestModels", "KillTestWriter", "SwiftData", "TestSupport",
      ],
      swiftSettings: strict
    ),
    .target(
      name: "TestSupport",
      dependencies: [
        "FaultyDriver", "HelperPrograms", "PostgresDriver", "Relational", "SQLiteDriver", "Support", "SwiftData",
        "SwiftDataPostgres", "SwiftDataTesting", "TestLaunch", .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/Helpers/TestSupport", swiftSettings: strict
    ),
    // Models that several files use, in a module of their own: in the same module, the compiler would expand a model's
    // macros again for each part that mentions it.
    .target(
      name: "TestModels", dependencies: ["SwiftData", "Support", "TestSupport"], path: "Tests/Helpers/TestModels",
      swiftSettings: strict
    ),
    .target(
      name: "FaultyDriver", dependencies: ["Relational", "Support", "SwiftDataTesting"],
      path: "Tests/Helpers/FaultyDriver", swiftSettings: strict
    ),
    .target(name: "TestLaunch", path: "Tests/Helpers/TestLaunch"),
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
      name: "PostgresTestModels", dependencies: ["SwiftData", "SwiftDataPostgres"],
      path: "Tests/Helpers/PostgresTestModels", swiftSettings: strict
    ),
    .executableTarget(
      name: "PostgresTestProgram", dependencies: ["PostgresTestModels", "SwiftData", "SwiftDataPostgres"],
      path: "Tests/Helpers/PostgresTestProgram", swiftSettings: strict
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

// A plug-in with the macros that is built already: builds for release figures and sanitizers use it, so that swift-syntax is
// compiled once. `scripts/plugin` hands its path to the compiler as well.
if Context.environment["OSD_MACRO_PLUGIN"] != nil {
  package.targets.removeAll { $0.type == .macro }
  package.dependencies.removeAll { dependency in
    if case .sourceControl(_, let location, _) = dependency.kind { location.contains("swift-syntax") } else { false }
  }
  for target in package.targets where target.name == "SwiftData" {
    target.dependencies.removeAll { if case .byNameItem("SwiftDataMacros", _) = $0 { true } else { false } }
  }
}

// The test targets that a build is for.
if let names = Context.environment["OSD_TEST_TARGETS"] {
  let wanted = Set(names.split(separator: " ").map(String.init))
  package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}

// A sanitizer is for our own targets.
if let sanitizer = Context.environment["OSD_SANITIZER"] {
  for target in package.targets where ![.macro, .system].contains(target.type) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=\(sanitizer)"])]
    target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-fsanitize=\(sanitizer)"])]
    // The thread sanitizer does not see the standard library's mutexes, so `Support` uses another kind.
    if sanitizer == "thread" { target.swiftSettings?.append(.define("THREAD_SANITIZER")) }
    target.linkerSettings = (target.linkerSettings ?? []) + [.unsafeFlags(["-sanitize=\(sanitizer)"])]
  }
}
