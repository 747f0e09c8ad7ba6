#if !canImport(Darwin)
  public import Foundation

  /// The folders that Foundation names on Apple's platforms. On Linux they are the user's XDG folders, as
  /// `FileManager.urls(for:in:)` returns them; they need not exist. A later Foundation's own properties take precedence.
  extension URL {
    /// The user's folder for documents: `~/Documents` unless the user has chosen another.
    @_disfavoredOverload
    public static var documentsDirectory: URL { folder(.documentDirectory, "Documents") }

    /// The folder for data of programs: `$XDG_DATA_HOME`, or `~/.local/share`.
    @_disfavoredOverload
    public static var applicationSupportDirectory: URL { folder(.applicationSupportDirectory, ".local/share") }

    /// The folder for caches: `$XDG_CACHE_HOME`, or `~/.cache`.
    @_disfavoredOverload
    public static var cachesDirectory: URL { folder(.cachesDirectory, ".cache") }

    /// The user's folder for downloads: `~/Downloads` unless the user has chosen another.
    @_disfavoredOverload
    public static var downloadsDirectory: URL { folder(.downloadsDirectory, "Downloads") }

    /// The user's desktop: `~/Desktop` unless the user has chosen another.
    @_disfavoredOverload
    public static var desktopDirectory: URL { folder(.desktopDirectory, "Desktop") }

    /// The user's folder for pictures: `~/Pictures` unless the user has chosen another.
    @_disfavoredOverload
    public static var picturesDirectory: URL { folder(.picturesDirectory, "Pictures") }

    /// The user's folder for music: `~/Music` unless the user has chosen another.
    @_disfavoredOverload
    public static var musicDirectory: URL { folder(.musicDirectory, "Music") }

    /// The user's folder for films: `~/Videos` unless the user has chosen another.
    @_disfavoredOverload
    public static var moviesDirectory: URL { folder(.moviesDirectory, "Videos") }

    /// The folder for data of programs, which is the same as ``applicationSupportDirectory`` on Linux.
    @_disfavoredOverload
    public static var libraryDirectory: URL { folder(.libraryDirectory, ".local/share") }

    private static func folder(_ directory: FileManager.SearchPathDirectory, _ name: String) -> URL {
      FileManager.default.urls(for: directory, in: .userDomainMask).first
        ?? homeDirectory.appending(path: name, directoryHint: .isDirectory)
    }
  }
#endif
