/// The values of one row of a list that is sorted by name.
package struct NameSeed: Sendable {
  package let name: String
  package let number: Int

  /// The values of 100,000 rows, not in the order of the names.
  package static var all: [NameSeed] {
    (0..<count).map { NameSeed(number: $0 * 7_919 % count) }
  }

  private static let count = 100_000

  private static let givenNames = [
    "Ada", "Agnes", "Albert", "Alma", "Amos", "Anna", "Anton", "Ben", "Carl", "Clara", "Dora", "Edgar", "Ella", "Emil",
    "Ernst", "Eva", "Felix", "Frieda", "Georg", "Greta", "Hanna", "Hans", "Hugo", "Ida", "Jakob", "Johanna", "Julius",
    "Karl", "Klara", "Konrad", "Lena", "Leo", "Louise", "Ludwig", "Maria", "Martha", "Max", "Mina", "Moritz", "Nora",
    "Oskar", "Otto", "Paula", "Paul", "Rosa", "Rudolf", "Sofie", "Theo", "Vera", "Willi",
  ]

  private static let familyNames = [
    "Adler", "Albrecht", "Bach", "Bauer", "Becker", "Berg", "Brandt", "Busch", "Dietrich", "Ernst", "Fischer", "Frank",
    "Friedrich", "Graf", "Haas", "Hahn", "Hartmann", "Herrmann", "Hoffmann", "Huber", "Jung", "Kaiser", "Keller",
    "Klein", "Koch", "Krause", "Lang", "Lehmann", "Maier", "Martin", "Neumann", "Peters", "Richter", "Roth", "Sauer",
    "Schmidt", "Vogel", "Wagner", "Weber", "Winkler",
  ]

  private init(number: Int) {
    let given = Self.givenNames[number % 50]
    let family = Self.familyNames[number / 50 % 40]
    // Numbers of equal length, and no two names that differ only in case, so the order of the bytes is the order of the names.
    name = "\(given) \(family) \(1_000 + number / 2_000)"
    self.number = number
  }
}
