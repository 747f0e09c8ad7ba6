public import Foundation

/// Describes an SQLite store: its file, its name, and its models.
public struct ModelConfiguration: Identifiable, Hashable, Sendable {
  /// The app group whose container has the store.
  ///
  /// There are no app groups outside Apple's systems. The choice is accepted and has no effect.
  ///
  /// Values can be compared, and be matched as in `if case .none = configuration.groupContainer`.
  public struct GroupContainer: Hashable, Sendable {
    private let choice: ServiceChoice

    /// The group of the program; the choice when none is given.
    public static var automatic: GroupContainer { GroupContainer(choice: .automatic) }
    /// No group.
    public static var none: GroupContainer { GroupContainer(choice: .none) }

    /// The group with a name.
    public static func identifier(_ groupName: String) -> GroupContainer {
      GroupContainer(choice: .named(groupName))
    }

    var groupIdentifier: String? { choice.name }
  }

  /// The CloudKit database that the store is synchronised with.
  ///
  /// There is no CloudKit outside Apple's systems. The choice is accepted and has no effect.
  ///
  /// Values can be compared, and be matched as in `if case .none = configuration.cloudKitDatabase`.
  public struct CloudKitDatabase: Hashable, Sendable {
    private let choice: ServiceChoice

    /// The database of the program; the choice when none is given.
    public static var automatic: CloudKitDatabase { CloudKitDatabase(choice: .automatic) }
    /// No database.
    public static var none: CloudKitDatabase { CloudKitDatabase(choice: .none) }

    /// The private database of the CloudKit container with a name.
    public static func `private`(_ privateDBName: String) -> CloudKitDatabase {
      CloudKitDatabase(choice: .named(privateDBName))
    }

    var containerIdentifier: String? { choice.name }
  }

  /// The container of one of Apple's services that a configuration chooses.
  private enum ServiceChoice: Hashable {
    case automatic
    case none
    case named(String)

    var name: String? {
      if case .named(let name) = self { name } else { nil }
    }
  }

  /// The saved changes that survive when the machine loses power.
  ///
  /// When only the program crashes, no saved change is lost. Apple's SwiftData has no such setting.
  public enum Durability: Hashable, Sendable {
    /// A save does not wait for the disk.
    ///
    /// A loss of power may undo the last saves, but leaves the store intact.
    case normal
    /// A save waits until its changes are on the disk, so a loss of power undoes no save that has returned.
    case full
  }

  /// Settings that Apple's framework does not have.
  public var options = StoreOptions()

  /// The durability of the ``options``.
  public var durability: Durability {
    get { options.durability }
    set { options.durability = newValue }
  }

  /// The SQL statements to log, and the form of the log entries.
  ///
  /// The setting applies to the connections that a container opens with this configuration.
  public var statementLogging = StatementLogging()

  /// The URL of the store's file.
  ///
  /// A store in memory has a URL too, but no file is written there.
  public let url: URL
  /// The name of the configuration.
  ///
  /// Without a given name, it is the name of the file without its extension, or `default` when no URL is given either.
  public let name: String
  /// The name given to `GroupContainer.identifier(_:)`; nil for every other group container.
  public let groupAppContainerIdentifier: String?
  /// The name given to `CloudKitDatabase.private(_:)`; nil for every other database.
  public let cloudKitContainerIdentifier: String?
  /// The app group that was chosen, which has no effect.
  public let groupContainer: GroupContainer
  /// The CloudKit database that was chosen, which has no effect.
  public let cloudKitDatabase: CloudKitDatabase
  /// The models that the store holds; those of the container that no other configuration lists when nil.
  public var schema: Schema?
  /// Whether contexts may save.
  ///
  /// When it is false, the file is opened for reading only, and a save throws
  /// ``SwiftDataError/modelValidationFailure``.
  public let allowsSave: Bool
  /// Whether the store is kept in memory, without a file, and ends with its container.
  public let isStoredInMemoryOnly: Bool
  /// The database server that has the store; nil for a store in an SQLite database.
  var server: (any DatabaseServer)? = DatabaseServerInterception.make?()

  /// Makes a configuration of the default store, or of a store in memory.
  public init(isStoredInMemoryOnly: Bool = false) {
    self.init(nil, schema: nil, isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// Makes a configuration of the default store, or of a store in memory, for some models and those related to them.
  ///
  /// - Parameters:
  ///   - forTypes: The models that the store holds.
  ///   - isStoredInMemoryOnly: Whether the store is kept in memory, without a file.
  public init(for forTypes: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
    self.init(nil, schema: Schema(forTypes), isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// Makes a configuration of a store in the default folder, or of a store in memory.
  ///
  /// The default folder has the name of the program's executable. It is in `$XDG_DATA_HOME`, or in `~/.local/share`
  /// when that variable is not set to an absolute path, and is created when it is missing.
  ///
  /// - Parameters:
  ///   - name: The name of the configuration, `default` when nil. The file has this name, with `.store` at its end.
  ///   - schema: The models that the store holds; those of the container that no other configuration lists when nil.
  ///   - isStoredInMemoryOnly: Whether the store is kept in memory, without a file.
  ///   - allowsSave: Whether contexts may save.
  ///   - groupContainer: Has no effect.
  ///   - cloudKitDatabase: Has no effect.
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

  /// Makes a configuration of a store in a file of your choice.
  ///
  /// - Parameters:
  ///   - name: The name of the configuration; the name of the file without its extension when nil.
  ///   - schema: The models that the store holds; those of the container that no other configuration lists when nil.
  ///   - url: The file. Its folder is made where it is missing, unless saves are not allowed.
  ///   - allowsSave: Whether contexts may save.
  ///   - cloudKitDatabase: Has no effect.
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

  /// Makes a configuration of a store in the default folder, or of a store in memory, with settings that Apple's
  /// framework does not have.
  ///
  /// - Parameters:
  ///   - name: As in ``init(_:schema:isStoredInMemoryOnly:allowsSave:groupContainer:cloudKitDatabase:)``.
  ///   - schema: As there.
  ///   - isStoredInMemoryOnly: As there.
  ///   - allowsSave: As there.
  ///   - options: The settings.
  public init(
    _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false, allowsSave: Bool = true,
    options: StoreOptions
  ) {
    self.init(name, schema: schema, isStoredInMemoryOnly: isStoredInMemoryOnly, allowsSave: allowsSave)
    self.options = options
  }

  /// Makes a configuration of a store in a file of your choice, with settings that Apple's framework does not have.
  ///
  /// - Parameters:
  ///   - name: As in ``init(_:schema:url:allowsSave:cloudKitDatabase:)``.
  ///   - schema: As there.
  ///   - url: The file. Its folder is made where it is missing, unless saves are not allowed.
  ///   - allowsSave: Whether contexts may save.
  ///   - options: The settings.
  public init(
    _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true, options: StoreOptions
  ) {
    self.init(name, schema: schema, url: url, allowsSave: allowsSave)
    self.options = options
  }

  /// The ``url``.
  public var id: URL {
    url
  }

  /// Two configurations are equal when they have the same ``url``, ``name``, ``schema``, ``allowsSave`` and
  /// ``isStoredInMemoryOnly``.
  public static func == (lhs: ModelConfiguration, rhs: ModelConfiguration) -> Bool {
    lhs.url == rhs.url && lhs.name == rhs.name && lhs.allowsSave == rhs.allowsSave
      && lhs.isStoredInMemoryOnly == rhs.isStoredInMemoryOnly && lhs.schema == rhs.schema
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(url)
    hasher.combine(name)
  }

  /// Checks the URL and the name, without opening the store.
  ///
  /// A configuration of a store in memory is always valid.
  ///
  /// - Throws: ``SwiftDataError/loadIssueModelContainer`` when the URL is not a file URL, or when a store on a database
  ///   server has a folder for backups,
  ///   ``SwiftDataError/configurationFileNameTooLong`` when the name of the file or of the configuration has more than
  ///   255 bytes, and ``SwiftDataError/configurationFileNameContainsInvalidCharacters`` when the name of the
  ///   configuration is empty or contains a slash or a null character.
  public func validate() throws {
    if server != nil, options.migrationBackupFolder != nil {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "The store \(name) is on a database server, and options.migrationBackupFolder is for files.",
        hint: "Leave the option out, and back up the database with the tools of the server before a migration.")
    }
    guard hasFile else { return }
    if url.scheme != nil, !url.isFileURL {
      throw SwiftDataError.loadIssueModelContainer.with(
        message: "The URL of a store must be a file URL (was \(url.absoluteString)).",
        hint: "Make the URL with URL(fileURLWithPath:).")
    }
    let file = url.lastPathComponent
    if file.utf8.count > 255 || name.utf8.count > 255 {
      throw SwiftDataError.configurationFileNameTooLong.with(
        message: "The name of the configuration \"\(name.prefix(40))…\", or of its file, has more than 255 bytes.")
    }
    if name.contains(where: { $0 == "/" || $0 == "\0" }) || name.isEmpty {
      throw SwiftDataError.configurationFileNameContainsInvalidCharacters.with(
        message: "\"\(name)\" is not a valid file name.")
    }
  }
}

extension ModelConfiguration {
  /// A configuration of a store on a database server.
  ///
  /// - Parameter url: Identifies the store among all stores.
  package init(_ name: String, schema: Schema?, url: URL, allowsSave: Bool, server: any DatabaseServer) {
    self.init(name, schema: schema, url: url, allowsSave: allowsSave)
    self.server = server
  }

  /// Whether the store is a file.
  var hasFile: Bool { !isStoredInMemoryOnly && server == nil }

  /// Identifies the store among those of a container.
  var address: String { server == nil ? url.withoutLinks.path : place }

  /// Where the store is, for messages.
  var place: String { server?.place(of: self) ?? url.path }

  /// The configuration with another file.
  func moved(to url: URL) -> ModelConfiguration { with(url, allowsSave: allowsSave) }

  /// The configuration with another server, or another namespace of it.
  func moved(to server: any DatabaseServer) -> ModelConfiguration {
    var configuration = self
    configuration.server = server
    return configuration
  }

  /// The configuration for reading only.
  var onlyRead: ModelConfiguration { with(url, allowsSave: false) }

  /// The configuration for writing.
  var writable: ModelConfiguration { isStoredInMemoryOnly ? self : with(url, allowsSave: true) }

  private func with(_ url: URL, allowsSave: Bool) -> ModelConfiguration {
    var configuration = ModelConfiguration(name, schema: schema, url: url, allowsSave: allowsSave)
    configuration.server = server
    configuration.options = options
    configuration.statementLogging = statementLogging
    return configuration
  }
}

extension ModelConfiguration: CustomDebugStringConvertible {
  public var debugDescription: String {
    isStoredInMemoryOnly ? "\(name) (in memory)" : "\(name) (\(place)\(allowsSave ? "" : ", read-only"))"
  }
}
