package import Foundation

/// Damage to the files of a store.
package enum StoreDamage: CustomStringConvertible {
  /// Files are named by their path within the store's folder.
  case overwrite(file: String, at: Int, with: [UInt8])
  /// Flips bits.
  case flip(file: String, at: Int, mask: UInt8)
  case truncate(file: String, to: Int)
  case append(file: String, [UInt8])
  /// Copies a part of the file over another part.
  case copy(file: String, from: Int, to: Int, count: Int)
  case sql(String)
  case remove(file: String)
  case makeFolder(file: String)
  case link(file: String, to: String)
  case makePipe(file: String)
  /// Replaces the file by an empty one of this size.
  case stretch(file: String, to: UInt64)

  package var description: String {
    switch self {
    case .overwrite(let file, let offset, let bytes): "overwrite \(file) at \(offset) with \(bytes)"
    case .flip(let file, let offset, let mask): "flip \(file) at \(offset) by \(mask)"
    case .truncate(let file, let size): "truncate \(file) to \(size)"
    case .append(let file, let bytes): "append \(bytes.count) bytes to \(file)"
    case .copy(let file, let source, let target, let count): "copy \(count) of \(file) from \(source) to \(target)"
    case .sql(let sql): "SQL: \(sql.count > 1500 ? "\(sql.prefix(1500))…" : sql)"
    case .remove(let file): "remove \(file)"
    case .makeFolder(let file): "a folder in place of \(file)"
    case .link(let file, let target): "a link to \(target) in place of \(file)"
    case .makePipe(let file): "a pipe in place of \(file)"
    case .stretch(let file, let size): "stretch \(file) to \(size)"
    }
  }

  /// Damages the store at `url`. Damage that earlier damage makes impossible is skipped.
  package func apply(to store: URL) {
    switch self {
    case .sql(let sql): try? RawStore(store).execute(sql)
    case .overwrite(let file, let offset, let bytes):
      edit(file, of: store) { data in
        for (index, byte) in bytes.enumerated() where offset + index < data.count { data[offset + index] = byte }
      }
    case .flip(let file, let offset, let mask):
      edit(file, of: store) { if offset < $0.count { $0[offset] ^= mask } }
    case .truncate(let file, let size):
      edit(file, of: store) { $0 = $0.prefix(size) }
    case .append(let file, let bytes):
      edit(file, of: store) { $0 += bytes }
    case .copy(let file, let source, let target, let count):
      edit(file, of: store) { data in
        guard source + count <= data.count, target + count <= data.count else { return }
        data.replaceSubrange(target..<target + count, with: Data(data[source..<source + count]))
      }
    case .remove, .makeFolder, .link, .makePipe, .stretch: replace(store)
    }
  }

  /// Puts something else in place of a file.
  private func replace(_ store: URL) {
    func gone(_ file: String) -> String {
      let path = store.deletingLastPathComponent().appendingPathComponent(file).path
      try? FileManager.default.removeItem(atPath: path)
      return path
    }
    switch self {
    case .remove(let file): _ = gone(file)
    case .makeFolder(let file):
      try? FileManager.default.createDirectory(atPath: gone(file), withIntermediateDirectories: true)
    case .link(let file, let target):
      try? FileManager.default.createSymbolicLink(atPath: gone(file), withDestinationPath: target)
    case .makePipe(let file): _ = mkfifo(gone(file), 0o600)
    case .stretch(let file, let size):
      let path = gone(file)
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      let handle = FileHandle(forWritingAtPath: path)
      try? handle?.truncate(atOffset: size)
      try? handle?.close()
    default: break
    }
  }

  private func edit(_ file: String, of store: URL, _ body: (inout Data) -> Void) {
    let url = store.deletingLastPathComponent().appendingPathComponent(file)
    // Earlier damage may have put an endless file or a link here.
    guard FileListing.isRegular(url), var data = try? Data(contentsOf: url), data.count < 1 << 26 else { return }
    body(&data)
    try? data.write(to: url)
  }
}
