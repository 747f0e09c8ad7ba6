#if !canImport(Darwin)
  public import Foundation

  /// The folders that Foundation names on Apple's platforms. On Linux they follow the XDG folders of the user, as
  /// `FileManager.urls(for:in:)` has them; they need not be there. A later Foundation's own come before these.
  extension URL {
    /// The folder for documents of the user: `~/Documents` unless the user has chosen another.
    @_disfavoredOverload
    public static var documentsDirectory: URL { folder(.documentDirectory, "Documents") }

    /// The folder for files that programs keep for themselves: `$XDG_DATA_HOME`, or `~/.local/share`.
    @_disfavoredOverload
    public static var applicationSupportDirectory: URL { folder(.applicationSupportDirectory, ".local/share") }

    /// The folder for files that can be made again: `$XDG_CACHE_HOME`, or `~/.cache`.
    @_disfavoredOverload
    public static var cachesDirectory: URL { folder(.cachesDirectory, ".cache") }

    /// The folder for downloads of the user: `~/Downloads` unless the user has chosen another.
    @_disfavoredOverload
    public static var downloadsDirectory: URL { folder(.downloadsDirectory, "Downloads") }

    /// The desktop of the user: `~/Desktop` unless the user has chosen another.
    @_disfavoredOverload
    public static var desktopDirectory: URL { folder(.desktopDirectory, "Desktop") }

    /// The folder for pictures of the user: `~/Pictures` unless the user has chosen another.
    @_disfavoredOverload
    public static var picturesDirectory: URL { folder(.picturesDirectory, "Pictures") }

    /// The folder for music of the user: `~/Music` unless the user has chosen another.
    @_disfavoredOverload
    public static var musicDirectory: URL { folder(.musicDirectory, "Music") }

    /// The folder for films of the user: `~/Videos` unless the user has chosen another.
    @_disfavoredOverload
    public static var moviesDirectory: URL { folder(.moviesDirectory, "Videos") }

    /// The folder for files that programs keep for themselves, which Linux does not tell from
    /// ``applicationSupportDirectory``.
    @_disfavoredOverload
    public static var libraryDirectory: URL { folder(.libraryDirectory, ".local/share") }

    private static func folder(_ directory: FileManager.SearchPathDirectory, _ name: String) -> URL {
      FileManager.default.urls(for: directory, in: .userDomainMask).first
        ?? homeDirectory.appending(path: name, directoryHint: .isDirectory)
    }
  }
#endif
