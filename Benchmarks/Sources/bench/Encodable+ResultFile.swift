import Foundation

extension Encodable {
  /// Writes what was found out to a file for programs to read.
  func writeResults(to file: URL) throws {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(self).write(to: file)
  }
}
