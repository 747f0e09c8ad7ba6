import SystemPostgres

/// The parts of a server's address.
struct ServerAddress {
  /// The values that the address has, by libpq's keywords.
  private let values: [String: String]

  /// - Returns: Nil for a malformed connection string. The reason is not available, because libpq's message quotes the string.
  init?(_ server: PostgresConfiguration.Server) {
    switch server {
    case .parameters(let parameters):
      values = parameters
    case .url(let url, let replacements):
      if url.utf8.contains(0) { return nil }
      var message: UnsafeMutablePointer<CChar>?
      let options = PQconninfoParse(url, &message)
      PQfreemem(message)
      guard let options else { return nil }
      defer { PQconninfoFree(options) }
      var values: [String: String] = [:]
      var option = options
      while let keyword = option.pointee.keyword {
        if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
        option += 1
      }
      self.values = values.merging(replacements) { $1 }
    }
    // C would ignore what follows a zero: a name of another database, for example.
    if values.values.contains(where: { $0.utf8.contains(0) }) { return nil }
    // libpq would quote it, and it is a part of the password when that has a slash which is not encoded.
    guard port.utf8.allSatisfy({ $0 == UInt8(ascii: ",") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
      return nil
    }
    // The same for an "@" in the password, after which libpq reads the host. A host that begins with it is a socket.
    for host in (values["host"] ?? "").split(separator: ",") where !host.hasPrefix("/") {
      if host.dropFirst().contains("@") { return nil }
    }
  }

  private var port: String { values["port"] ?? "" }

  /// The host, the port and the database.
  var place: String {
    let host = values["host"] ?? values["hostaddr"] ?? ""
    let database = values["dbname"] ?? ""
    // A password with a slash that is not encoded ends in the name of the database.
    return "\(host)\(port.isEmpty ? "" : ":\(port)")/\(database.contains("@") ? "" : database)"
  }
}

extension PostgresConfiguration.Server {
  /// The host, the port and the database, without user and password; empty for a malformed address.
  package var place: String { ServerAddress(self)?.place ?? "" }
}
