import Foundation
import Testing

@testable import FileWatching

struct DecodingTests {
  /// An event in the kernel's layout.
  private func bytes(_ descriptor: Int32, _ mask: UInt32, _ name: String, paddedTo length: Int) -> [UInt8] {
    var header = inotify_event()
    (header.wd, header.mask, header.len) = (descriptor, mask, UInt32(length))
    let padding = [UInt8](repeating: 0, count: length - name.utf8.count)
    return withUnsafeBytes(of: header, Array.init) + Array(name.utf8) + padding
  }

  @Test("Events are decoded one after the other")
  func severalEvents() {
    let all =
      bytes(1, 2, "store-wal", paddedTo: 16) + bytes(-1, 0x4000, "", paddedTo: 0) + bytes(7, 8, "b", paddedTo: 16)
    let events = all.withUnsafeBytes(InotifyEvent.all)
    #expect(
      events == [
        InotifyEvent(descriptor: 1, mask: 2, name: Array("store-wal".utf8)),
        InotifyEvent(descriptor: -1, mask: 0x4000),
        InotifyEvent(descriptor: 7, mask: 8, name: Array("b".utf8)),
      ])
  }

  @Test("Truncated bytes do not trap", arguments: 0...40)
  func truncatedBytes(count: Int) {
    let all = bytes(1, 2, "store-wal", paddedTo: 16) + bytes(2, 2, "b", paddedTo: 16)
    let events = all.prefix(count).withUnsafeBytes(InotifyEvent.all)
    #expect(events.count <= 2)
  }

  @Test(
    "A path is split into folder and name",
    arguments: [
      ("/a/b", "/a", "b"), ("/b", "/", "b"), ("b", ".", "b"), ("a/b", "a", "b"), ("./b", ".", "b"),
      ("/a//b", "/a/", "b"),
      ("", ".", ""),
    ])
  func splitPath(path: String, folder: String, name: String) {
    let file = WatchedFile(path: path)
    #expect(file.folder == folder)
    #expect(file.name == Array(name.utf8))
  }

  private static let durations: [(Duration, UInt64)] = [
    (.zero, 0), (.seconds(-1), 0), (.nanoseconds(-1), 0), (.nanoseconds(1), 1),
    (.seconds(3) + .nanoseconds(7), 3_000_000_007), (.seconds(Int64.min), 0),
    (.seconds(Int64.max) + .nanoseconds(999_999_999), 2_147_483_648_999_999_999),
  ]

  @Test("A duration is rounded to what timespec holds", arguments: durations)
  func roundedDuration(duration: Duration, nanoseconds: UInt64) {
    #expect(duration.wholeNanoseconds == nanoseconds)
  }
}
