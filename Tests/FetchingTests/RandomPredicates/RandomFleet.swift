import Foundation

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

/// A store of random voyages, with many edge cases among their values.
struct RandomFleet {
  let container: ModelContainer
  let voyages: [PersistentIdentifier]
  let captains: [PersistentIdentifier]
  let harbors: [PersistentIdentifier]

  /// The standard library misorders some texts of which one begins with the other: `"e\u{301}" < "\u{e9}x"` and `"\u{212A}" <
  /// "Ka"` are false. Stores do not, so that such texts are omitted here.
  static let texts: [String] = {
    let candidates =
      Fleet.texts + [
        "P1", "P2", "France", "Österreich", "caf\u{e9}s", "ａ", "ß", "ẞ", "ﬁ", "i\u{307}", "İ", "ı", "\u{0}", "a\u{0}",
        "\u{301}", "a\u{301}\u{302}", "a\u{302}\u{301}", "각", "\u{1100}\u{1161}\u{11A8}", "🇫🇷", "🇫", "'", "\"", "%", "_",
        "\\", "\u{FFFD}", "\u{10FFFF}", "\u{D7FF}", "\u{E000}", " ", "  a", "9", "10", "٣", "NaN", "null", "true",
        "K~", "\u{212A}~",
      ] + HostileTexts.all
    return candidates.reduce(into: []) { texts, text in
      if isInOrder(text, among: texts + otherTexts) { texts.append(text) }
    }
  }()
  private static let otherTexts = words + VoyageStatus.allCases.map(\.rawValue)
  static let integers = [0, 1, -1, 2, 3, 10, 42, 100, .max, .max - 1, .min, .min + 1]
  static let smallIntegers = [0, 1, 2, 3, -1, -7, 10, 50]
  static let reals: [Double] = [
    0, -0.0, 1, -1, 0.1, 2.5, -3.25, 10, .infinity, -.infinity, .nan, 1e300, -1e300, .leastNonzeroMagnitude,
    .greatestFiniteMagnitude, 9_007_199_254_740_992, 9_223_372_036_854_775_808,
  ]
  static let floats: [Float] = [0, -0.0, 0.1, 0.5, -1, .nan, .infinity, 16_777_216, .leastNonzeroMagnitude]
  static let wideIntegers: [UInt64] = [0, 1, 42, UInt64(Int64.max), UInt64(Int64.max) + 1, .max]
  static let decimals: [Decimal] = [
    0, 1, -1, 12.5, -12.5, 12.25, 1000, -1000, 0.001, 99_999_999_999_999_999, -99_999_999_999_999_999,
  ]
  static let dates: [Date] =
    [
      .distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: -0.5),
    ] + (-3..<4).map(Fleet.date)
  static let codes = (0..<5).map { Fleet.code($0 * 60) }
  static let links = ["https://example.org/a", "https://example.org/b", "x:y"].compactMap { URL(string: $0) }
  static let seals = [Data(), Data([0]), Data([0, 1]), Data([255])]
  static let words: [String] = {
    let candidates = ["a", "A", "ö", "o\u{308}", "", "K~", "\u{212A}~", "a\u{0}b", "日本", "\"", "1"]
    return (candidates + HostileTexts.all).reduce(into: []) { words, word in
      if isInOrder(word, among: words) { words.append(word) }
    }
  }()

  /// Checks a text against all texts.
  static func isInOrder(_ text: String) -> Bool {
    isInOrder(text, among: texts + otherTexts)
  }

  /// Whether Swift orders a text and others by their code points in normal form C.
  static func isInOrder(_ text: String, among others: [String]) -> Bool {
    func precedes(_ left: String, _ right: String) -> Bool {
      CanonicalText.normalized(left).utf8.lexicographicallyPrecedes(CanonicalText.normalized(right).utf8)
    }
    return others.allSatisfy {
      (text < $0) == precedes(text, $0) && ($0 < text) == precedes($0, text)
    }
  }

  init(seed: UInt64, size: Int) throws {
    var random = SeededGenerator(seed: seed)
    container = try ModelContainer(
      for: Voyage.self, SteamVoyage.self, Captain.self, Country.self, Licence.self, Harbor.self, Crate.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let writer = ModelContext(container)
    var source = ValueSource(random)
    let countries = (0..<3).map { _ in Country(source.text(), code: source.maybe { $0.text() }) }
    for country in countries { writer.insert(country) }
    let captains = (0..<6).map { _ in
      let captain = Captain(source.text(), age: source.maybe { $0.pick(Self.integers) })
      writer.insert(captain)
      captain.isRetired = source.flag()
      captain.country = source.maybe { $0.pick(countries) }
      if source.flag() {
        let licence = Licence(source.text())
        writer.insert(licence)
        captain.licence = licence
      }
      return captain
    }
    let harbors = (0..<5).map { number in
      let harbor = Harbor("\(number)\(source.text())", depth: source.pick(Self.smallIntegers))
      writer.insert(harbor)
      harbor.country = source.maybe { $0.pick(countries) }
      return harbor
    }
    for _ in 0..<size {
      let voyage = source.flag(1, of: 4) ? SteamVoyage(source.text()) : Voyage(source.text())
      writer.insert(voyage)
      source.fill(voyage)
      voyage.captain = source.maybe { $0.pick(captains) }
      voyage.harbors = source.flag() ? harbors.filter { _ in source.flag(1, of: 3) } : []
      for number in 0..<source.pick([0, 0, 1, 2, 3]) {
        let crate = Crate("\(number)\(source.text())", weight: source.pick(Self.reals))
        writer.insert(crate)
        crate.voyage = voyage
      }
    }
    try writer.save()
    random = source.random
    voyages = try writer.fetchIdentifiers(FetchDescriptor<Voyage>())
    self.captains = captains.map(\.persistentModelID)
    self.harbors = harbors.map(\.persistentModelID)
  }
}

/// Draws values for properties.
struct ValueSource {
  var random: SeededGenerator

  init(_ random: SeededGenerator) {
    self.random = random
  }

  mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }

  mutating func flag(_ part: Int = 1, of whole: Int = 2) -> Bool {
    Int.random(in: 0..<whole, using: &random) < part
  }

  mutating func maybe<Value>(_ make: (inout ValueSource) -> Value) -> Value? {
    flag(1, of: 3) ? nil : make(&self)
  }

  /// A text, or two of them in decomposed form.
  mutating func text() -> String {
    let text = pick(RandomFleet.texts)
    guard flag(1, of: 5) else { return text }
    let longer = (text + pick(RandomFleet.texts)).decomposedStringWithCanonicalMapping
    return RandomFleet.isInOrder(longer) ? longer : text
  }

  mutating func list<Element>(_ choices: [Element]) -> [Element] {
    (0..<pick([0, 0, 1, 2, 4])).map { _ in pick(choices) }
  }

  mutating func berth() -> Berth {
    Berth(pier: text(), number: pick(RandomFleet.smallIntegers), depth: maybe { $0.pick(RandomFleet.reals) })
  }

  mutating func fill(_ voyage: Voyage) {
    voyage.note = maybe { $0.text() }
    voyage.distance = pick(RandomFleet.integers)
    voyage.crew = maybe { $0.pick(RandomFleet.integers) }
    voyage.serial = pick(RandomFleet.wideIntegers)
    voyage.speed = pick(RandomFleet.reals)
    voyage.fuel = maybe { $0.pick(RandomFleet.reals) }
    voyage.ratio = pick(RandomFleet.floats)
    voyage.departure = pick(RandomFleet.dates)
    voyage.arrival = maybe { $0.pick(RandomFleet.dates) }
    voyage.isOpen = flag()
    voyage.isLate = maybe { $0.flag() }
    voyage.code = pick(RandomFleet.codes)
    voyage.price = pick(RandomFleet.decimals)
    voyage.link = maybe { $0.pick(RandomFleet.links) }
    voyage.seal = maybe { $0.pick(RandomFleet.seals) }
    voyage.status = pick(VoyageStatus.allCases)
    voyage.previousStatus = maybe { $0.pick(VoyageStatus.allCases) }
    voyage.category = flag() ? .cargo : .mail
    voyage.event = flag() ? .none : .storm(force: pick(RandomFleet.smallIntegers))
    voyage.berth = berth()
    voyage.lastBerth = maybe { $0.berth() }
    voyage.words = list(RandomFleet.words)
    voyage.numbers = list(RandomFleet.smallIntegers)
    voyage.lengths = list(RandomFleet.reals)
    voyage.stops = (0..<pick([0, 1, 2])).map { _ in berth() }
    for word in list(RandomFleet.words) { voyage.ranks[word] = pick(RandomFleet.smallIntegers) }
    voyage.pastStatuses = list(VoyageStatus.allCases)
    voyage.pastCategories = list([.cargo, .mail])
    voyage.marks = list(RandomFleet.codes)
    voyage.pages = list(RandomFleet.links)
    voyage.chart = maybe { $0.pick(RandomFleet.seals) }
    (voyage as? SteamVoyage)?.coal = pick(RandomFleet.smallIntegers)
  }
}
