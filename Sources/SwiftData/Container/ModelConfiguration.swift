public import Foundation

/// Where a store is, what it is called and which models it holds.
public struct ModelConfiguration: Identifiable, Hashable, Sendable {
  /// The app group whose container has the store. There are none outside Apple's systems, so the choice has no effect.
  public struct GroupContainer: Sendable {
    let groupIdentifier: String?

    public static var automatic: GroupContainer { GroupContainer(groupIdentifier: nil) }
    public static var none: GroupContainer { GroupContainer(groupIdentifier: nil) }

    public static func identifier(_ groupName: String) -> GroupContainer {
      GroupContainer(groupIdentifier: groupName)
    }
  }

  /// The CloudKit database that the store is synchronised with. There is none outside Apple's systems, so the choice has
  /// no effect.
  public struct CloudKitDatabase: Sendable {
    let containerIdentifier: String?

    public static var automatic: CloudKitDatabase { CloudKitDatabase(containerIdentifier: nil) }
    public static var none: CloudKitDatabase { CloudKitDatabase(containerIdentifier: nil) }

    public static func `private`(_ privateDBName: String) -> CloudKitDatabase {
      CloudKitDatabase(containerIdentifier: privateDBName)
    }
  }

  /// What of a saved change is still there after the machine lost its power. A crash of the program loses nothing.
  ///
  /// SwiftData of Apple's systems has no such choice.
  public enum Durability: Sendable {
    /// The last saves may be lost, the store stays intact: a save does not wait for the disk.
    case normal
    /// Every save that returned is kept: each waits until the disk has it.
    case full
  }

  /// What survives a loss of power. It is a matter of the connections that a container opens, not of the file.
  public var durability = Durability.normal

  /// The file of the store. A store in memory has one too, which is never written.
  public let url: URL
  /// The name: `default` unless it is given.
  public let name: String
  public let groupAppContainerIdentifier: String?
  public let cloudKitContainerIdentifier: String?
  public let groupContainer: GroupContainer
  public let cloudKitDatabase: CloudKitDatabase
  /// The models that the store holds; all of the container's when nil.
  public var schema: Schema?
  /// Whether contexts may save. When false the file is opened for reading only.
  public let allowsSave: Bool
  /// Whether the store has no file and ends with its container.
  public let isStoredInMemoryOnly: Bool

  /// A configuration of the default store, or of one in memory.
  public init(isStoredInMemoryOnly: Bool = false) {
    self.init(nil, schema: nil, isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// A configuration of the default store, or of one in memory, for some of the container's models.
  public init(for forTypes: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
    self.init(nil, schema: Schema(forTypes), isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// A configuration of a store in the default folder, whose file is called after `name`.
  ///
  /// The folder is the program's own in `$XDG_DATA_HOME`, or in `~/.local/share` when that is not set; on Apple's
  /// systems it is Application Support.
  ///
  /// - Parameters:
  ///   - name: The name of the configuration and, with `.store` at its end, of the file.
  ///   - schema: The models that the store holds; all of the container's when nil.
  ///   - isStoredInMemoryOnly: Whether there is no file.
  ///   - allowsSave: Whether contexts may save.
  ///   - groupContainer: No effect outside Apple's systems.
  ///   - cloudKitDatabase: No effect outside Apple's systems.
  public init(
    _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false, allowsSave: Bool = true,
    groupContainer: GroupContainer = .automatic, cloudKitDatabase: CloudKitDatabase = .automatic
  ) {
    self.name = name ?? "default"
    self.schema = schema
    self.isStoredInMemoryOnly = isStoredInMemoryOnly
    self.allowsSave = allowsSave
    self.groupContainer = groupContainer
    self.cloudKitDatabase = cloudKitDatabase
    groupAppContainerIdentifier = groupContainer.groupIdentifier
    cloudKitContainerIdentifier = cloudKitDatabase.containerIdentifier
    url =
      isStoredInMemoryOnly
      ? URL(fileURLWithPath: "/dev/null/\(self.name)-\(UUID().uuidString)")
      : StoreLocation.defaultFolder.appendingPathComponent("\(self.name).store")
  }

  /// A configuration of a store in a file of your choice. Its folder must exist.
  ///
  /// - Parameters:
  ///   - name: The name of the configuration; the file's when nil.
  ///   - schema: The models that the store holds; all of the container's when nil.
  ///   - url: The file.
  ///   - allowsSave: Whether contexts may save.
  ///   - cloudKitDatabase: No effect outside Apple's systems.
  public init(
    _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
    cloudKitDatabase: CloudKitDatabase = .automatic
  ) {
    self.name = name ?? url.deletingPathExtension().lastPathComponent
    self.schema = schema
    self.url = url
    self.allowsSave = allowsSave
    self.cloudKitDatabase = cloudKitDatabase
    isStoredInMemoryOnly = false
    groupContainer = .none
    groupAppContainerIdentifier = nil
    cloudKitContainerIdentifier = cloudKitDatabase.containerIdentifier
  }

  public var id: URL {
    url
  }

  /// Configurations are equal when they are of the same store.
  public static func == (lhs: ModelConfiguration, rhs: ModelConfiguration) -> Bool {
    lhs.url == rhs.url && lhs.name == rhs.name && lhs.allowsSave == rhs.allowsSave
      && lhs.isStoredInMemoryOnly == rhs.isStoredInMemoryOnly && lhs.schema == rhs.schema
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(url)
    hasher.combine(name)
  }

  /// Checks what can be told without opening the store.
  ///
  /// - Throws: ``SwiftDataError/loadIssueModelContainer`` when the URL is not a file's,
  ///   ``SwiftDataError/configurationFileNameTooLong`` when the file's name has more than 255 bytes, and
  ///   ``SwiftDataError/configurationFileNameContainsInvalidCharacters`` when the name cannot be a file's.
  public func validate() throws {
    guard !isStoredInMemoryOnly else { return }
    if let scheme = url.scheme, !url.isFileURL {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "\(url.absoluteString) is a URL of \(scheme), and a store is a file.",
        hint: "Make the URL with URL(fileURLWithPath:).")
    }
    let file = url.lastPathComponent
    if file.utf8.count > 255 || name.utf8.count > 255 {
      throw SwiftDataError.configurationFileNameTooLong.with(message: "\"\(name.prefix(40))…\" is too long a name.")
    }
    if name.contains(where: { $0 == "/" || $0 == "\0" }) || name.isEmpty {
      throw SwiftDataError.configurationFileNameContainsInvalidCharacters.with(
        message: "\"\(name)\" cannot be the name of a file.")
    }
  }
}

extension ModelConfiguration: DataStoreConfiguration {
  public typealias Store = DefaultStore
}

extension ModelConfiguration: CustomDebugStringConvertible {
  public var debugDescription: String {
    isStoredInMemoryOnly ? "\(name) (in memory)" : "\(name) (\(url.path)\(allowsSave ? "" : ", read-only"))"
  }
}

enum StoreLocation {
  /// The folder of stores that were given no file.
  static var defaultFolder: URL {
    let program = URL(fileURLWithPath: CommandLine.arguments.first ?? "swiftdata").lastPathComponent
    let environment = ProcessInfo.processInfo.environment
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      return URL(fileURLWithPath: data).appendingPathComponent(program)
    }
    let home =
      environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
      ?? FileManager.default.homeDirectoryForCurrentUser
    return
      home
      .appendingPathComponent(".local/share").appendingPathComponent(program)
  }
}
