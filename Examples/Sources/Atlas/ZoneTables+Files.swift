import Foundation

extension ZoneTables {
  /// Reads `iso3166.tab` and `zone1970.tab` in `folder`.
  init(folder: URL) throws(ZoneTableError) {
    let countryFile = folder.appending(path: "iso3166.tab")
    let zoneFile = folder.appending(path: "zone1970.tab")
    try self.init(
      countryTable: Self.text(of: countryFile), named: countryFile.path,
      zoneTable: Self.text(of: zoneFile), named: zoneFile.path)
  }

  private static func text(of file: URL) throws(ZoneTableError) -> String {
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw .unreadable(file: file.path, reason: "no such file")
    }
    guard let data = try? Data(contentsOf: file) else {
      throw .unreadable(file: file.path, reason: "the file cannot be read")
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw .unreadable(file: file.path, reason: "the file is not UTF-8 text")
    }
    return text
  }
}
