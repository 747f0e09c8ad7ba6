#if canImport(Glibc) || canImport(Musl)
  #if canImport(Glibc)
    import Glibc
  #else
    import Musl
  #endif

  /// One event of the kernel.
  struct InotifyEvent: Equatable {
    /// The watch descriptor of the folder.
    var descriptor: Int32
    var mask: UInt32
    /// The file in the folder; empty when the event is about the folder.
    var name: [UInt8] = []

    /// Whether the kernel had to drop events, of any folder.
    var isOverflow: Bool { has(IN_Q_OVERFLOW) }
    /// Whether this is the last event of the folder, because the folder is gone or its watch was removed.
    var endsWatch: Bool { has(IN_IGNORED) }
    /// Whether the folder was removed, moved or unmounted, and the files with it.
    var concernsFolder: Bool { has(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) }

    /// The events to request. Every watch requests the same ones, because a second watch of a folder replaces the mask of the
    /// first. Writes are not requested: each would cost the writer an event.
    static let requestedMask = UInt32(
      IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
        | IN_ONLYDIR)

    private func has(_ bits: some BinaryInteger) -> Bool { mask & UInt32(truncatingIfNeeded: bits) != 0 }
  }

  extension InotifyEvent {
    /// Parses the bytes that were read from an inotify instance.
    static func all(in bytes: UnsafeRawBufferPointer) -> [InotifyEvent] {
      var events: [InotifyEvent] = []
      var rest = bytes[...]
      let headerSize = MemoryLayout<inotify_event>.size
      while rest.count >= headerSize {
        let header = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: inotify_event.self)
        rest = rest.dropFirst(headerSize)
        // The kernel pads the name with zeros.
        let name = rest.prefix(Int(header.len)).prefix { $0 != 0 }
        events.append(InotifyEvent(descriptor: header.wd, mask: header.mask, name: Array(name)))
        rest = rest.dropFirst(Int(header.len))
      }
      return events
    }
  }
#endif
