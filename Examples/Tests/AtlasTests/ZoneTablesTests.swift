import Foundation
import Testing

@testable import Atlas

@Suite("The tables of the tz database")
struct ZoneTablesTests {
  private static let countries = "#code\tname\nCH\tSwitzerland\nCI\tCôte d'Ivoire\nDE\tGermany\n"
  private static let zones = """
    # codes\tcoordinates\tTZ\tcomments
    CH,DE\t+4723+00832\tEurope/Zurich\tBüsingen
    #
    CI\t+0519-00402\tAfrica/Abidjan

    """

  private func parse(countries: String = countries, zones: String = zones) throws -> ZoneTables {
    try ZoneTables(countryTable: countries, named: "iso3166.tab", zoneTable: zones, named: "zone1970.tab")
  }

  @Test("The tables are read in their order, without comments and empty lines")
  func reading() throws {
    let tables = try parse()
    #expect(tables.rowCount == 5)
    #expect(
      tables.countries == [
        .init(code: "CH", name: "Switzerland"),
        .init(code: "CI", name: "Côte d'Ivoire"),
        .init(code: "DE", name: "Germany"),
      ])
    let zurich = try #require(Coordinates(iso6709: "+4723+00832"))
    let abidjan = try #require(Coordinates(iso6709: "+0519-00402"))
    #expect(
      tables.zones == [
        .init(countryCodes: ["CH", "DE"], coordinates: zurich, identifier: "Europe/Zurich", comment: "Büsingen"),
        .init(countryCodes: ["CI"], coordinates: abidjan, identifier: "Africa/Abidjan", comment: nil),
      ])
  }

  @Test("The tables may have Windows line ends")
  func windowsLines() throws {
    let converted = try parse(
      countries: Self.countries.replacing("\n", with: "\r\n"), zones: Self.zones.replacing("\n", with: "\r\n"))
    #expect(try converted == parse())
  }

  @Test(
    "A malformed country is reported with its file and its line",
    arguments: [
      ("CH\tSwitzerland\nDE\n", 2, "expected a code and a name, separated by tabs, and found 1 field"),
      ("CH\tSwitzerland\tBern\n", 1, "expected a code and a name, separated by tabs, and found 3 fields"),
      ("# codes\n\nch\tSwitzerland\n", 3, "“ch” is not a two-letter country code"),
      ("CHE\tSwitzerland\n", 1, "“CHE” is not a two-letter country code"),
      ("CH\t \n", 1, "the name is empty"),
      ("CH\tSwitzerland\nDE\tGermany\nCH\tSchweiz\n", 3, "the country CH is listed twice"),
    ]
  )
  func malformedCountries(text: String, line: Int, reason: String) {
    let expected = ZoneTableError.malformed(file: "iso3166.tab", line: line, reason: reason)
    #expect(throws: expected) { try parse(countries: text) }
    #expect("\(expected)" == "iso3166.tab:\(line): \(reason)")
  }

  @Test(
    "A malformed zone is reported with its file and its line",
    arguments: [
      (
        "CH\t+4723+00832\n", 1,
        "expected country codes, coordinates, a zone and perhaps a comment, separated by tabs, and found 2 fields"
      ),
      ("CH\t+4723+00832\tEurope/Zurich\t\n", 1, "the comment is empty"),
      ("#\nFR\t+4852+00220\tEurope/Paris\n", 2, "“FR” is no country of the other table"),
      ("CH,\t+4723+00832\tEurope/Zurich\n", 1, "“” is no country of the other table"),
      ("CH,DE,CH\t+4723+00832\tEurope/Zurich\n", 1, "the country CH is named twice"),
      (
        "CH\t+4723\tEurope/Zurich\n", 1,
        "“+4723” are not coordinates of the form ±DDMM±DDDMM or ±DDMMSS±DDDMMSS"
      ),
      ("CH\t+4723+00832\tEurope Zurich\n", 1, "“Europe Zurich” is not the name of a time zone"),
      ("CH\t+4723+00832\t\n", 1, "“” is not the name of a time zone"),
      (
        "CH\t+4723+00832\tEurope/Zurich\nDE\t+4723+00832\tEurope/Zurich\n", 2,
        "the zone Europe/Zurich is listed twice"
      ),
    ]
  )
  func malformedZones(text: String, line: Int, reason: String) {
    #expect(throws: ZoneTableError.malformed(file: "zone1970.tab", line: line, reason: reason)) {
      try parse(zones: text)
    }
  }

  @Test("Tables without entries are refused")
  func emptyTables() {
    #expect(throws: ZoneTableError.empty(file: "iso3166.tab")) { try parse(countries: "# nothing\n") }
    #expect(throws: ZoneTableError.empty(file: "zone1970.tab")) { try parse(zones: "") }
  }

  @Test("A table that is missing or is not text is refused")
  func unreadableFiles() throws {
    let folder = try TemporaryFolder()
    #expect(throws: ZoneTableError.unreadable(file: folder.path("iso3166.tab"), reason: "no such file")) {
      try ZoneTables(folder: folder.url)
    }
    try Data([0x43, 0x48, 0x09, 0xFF]).write(to: folder.url.appending(path: "iso3166.tab"))
    try folder.write(Self.zones, to: "zone1970.tab")
    #expect(
      throws: ZoneTableError.unreadable(file: folder.path("iso3166.tab"), reason: "the file is not UTF-8 text")
    ) {
      try ZoneTables(folder: folder.url)
    }
  }

  @Test("All rows of this machine's tables are read")
  func machineTables() throws {
    let tables = try ZoneTables(folder: URL(filePath: "/usr/share/zoneinfo"))
    #expect(tables.countries.contains(.init(code: "NZ", name: "New Zealand")))
    let auckland = try #require(tables.zones.first { $0.identifier == "Pacific/Auckland" })
    #expect(auckland.countryCodes.contains("NZ"))
    #expect(auckland.coordinates.latitude < 0)
  }
}
