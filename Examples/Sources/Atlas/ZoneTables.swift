/// The two tables of the tz database that Atlas imports, parsed and checked against each other.
///
/// Parsing is strict and comes before a store is opened, so that a damaged table changes nothing.
struct ZoneTables: Equatable, Sendable {
  /// A line of `iso3166.tab`.
  struct CountryRow: Equatable, Sendable {
    var code: String
    var name: String
  }

  /// A line of `zone1970.tab`.
  struct ZoneRow: Equatable, Sendable {
    var countryCodes: [String]
    var coordinates: Coordinates
    var identifier: String
    var comment: String?
  }

  var countries: [CountryRow]
  var zones: [ZoneRow]

  var rowCount: Int { countries.count + zones.count }

  /// Parses the text of both tables; the files' names appear in errors only.
  init(
    countryTable: String, named countryFile: String, zoneTable: String, named zoneFile: String
  ) throws(ZoneTableError) {
    countries = try Self.parseCountries(TableReader(text: countryTable, file: countryFile))
    zones = try Self.parseZones(
      TableReader(text: zoneTable, file: zoneFile), knownCodes: Set(countries.map(\.code)))
  }
}

extension ZoneTables {
  private static func parseCountries(_ table: TableReader) throws(ZoneTableError) -> [CountryRow] {
    var seen: Set<String> = []
    return try table.rows { row throws(ZoneTableError) in
      let fields = try row.fields(2...2, "a code and a name")
      let code = String(fields[0])
      guard code.utf8.count == 2, code.utf8.allSatisfy(\.isUppercaseLetter) else {
        throw row.malformed("“\(code)” is not a two-letter country code")
      }
      guard seen.insert(code).inserted else { throw row.malformed("the country \(code) is listed twice") }
      return CountryRow(code: code, name: try row.text(fields[1], "name"))
    }
  }

  private static func parseZones(
    _ table: TableReader, knownCodes: Set<String>
  ) throws(ZoneTableError) -> [ZoneRow] {
    var seen: Set<String> = []
    return try table.rows { row throws(ZoneTableError) in
      let fields = try row.fields(3...4, "country codes, coordinates, a zone and perhaps a comment")
      let codes = fields[0].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      for (index, code) in codes.enumerated() {
        guard knownCodes.contains(code) else { throw row.malformed("“\(code)” is no country of the other table") }
        guard !codes[..<index].contains(code) else { throw row.malformed("the country \(code) is named twice") }
      }
      guard let coordinates = Coordinates(iso6709: fields[1]) else {
        throw row.malformed("“\(fields[1])” are not coordinates of the form ±DDMM±DDDMM or ±DDMMSS±DDDMMSS")
      }
      let identifier = String(fields[2])
      guard !identifier.isEmpty, identifier.utf8.allSatisfy(\.isZoneNameCharacter) else {
        throw row.malformed("“\(identifier)” is not the name of a time zone")
      }
      guard seen.insert(identifier).inserted else { throw row.malformed("the zone \(identifier) is listed twice") }
      var comment: String?
      if fields.count == 4 { comment = try row.text(fields[3], "comment") }
      return ZoneRow(countryCodes: codes, coordinates: coordinates, identifier: identifier, comment: comment)
    }
  }
}

extension UInt8 {
  fileprivate var isUppercaseLetter: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }

  fileprivate var isZoneNameCharacter: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "+"):
      true
    default: false
    }
  }
}
