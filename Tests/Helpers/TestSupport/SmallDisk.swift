import Foundation

/// A file system of a few kilobytes, where the machine allows to mount one.
struct SmallDisk {
  private let path: String

  static let isAvailable = geteuid() == 0 && probe()

  private static func probe() -> Bool {
    guard let folder = try? TemporaryFolder(), let disk = try? SmallDisk(at: folder.url, kilobytes: 64) else {
      return false
    }
    disk.remove()
    return true
  }

  init(at url: URL, kilobytes: Int) throws {
    path = url.path
    guard Self.run("mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path]) else {
      throw CocoaError(.featureUnsupported)
    }
  }

  func remove() {
    _ = Self.run("umount", ["-l", path])
  }

  private static func run(_ tool: String, _ arguments: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
