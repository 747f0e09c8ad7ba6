/// The customer of an order, with the delivery address.
struct Customer {
  /// The same number as in Northwind.
  static let count = 91

  let id: String
  let name: String
  let address: String
  let city: String
  let region: String?
  let postalCode: String?
  let country: String

  private static let names = ["Alfreds", "Berglunds", "Consolidated", "Drachenblut", "Ernst", "Galeria", "Hungry Owl"]
  private static let trades = ["Futterkiste", "snabbköp", "Holdings", "Delikatessen", "Handel", "del gastrónomo"]
  private static let streets = ["Obere Str.", "Berguvsvägen", "Fauntleroy Circus", "Rue des Bouchers", "Av. Brasil"]
  private static let places: [(city: String, region: String?, postalCode: String?, country: String)] = [
    ("Berlin", nil, "12209", "Germany"), ("México D.F.", nil, "05021", "Mexico"), ("London", nil, "WA1 1DP", "UK"),
    ("Luleå", nil, "S-958 22", "Sweden"), ("Strasbourg", nil, "67000", "France"), ("Cork", "Co. Cork", nil, "Ireland"),
    ("São Paulo", "SP", "05432-043", "Brazil"), ("Portland", "OR", "97219", "USA"), ("Graz", nil, "8010", "Austria"),
    ("Albuquerque", "NM", "87110", "USA"), ("Caracas", "DF", "1081", "Venezuela"),
  ]

  /// Makes the customer with `number`, always the same one.
  init(number: Int) {
    let place = Self.places[number % Self.places.count]
    let first = Self.names[number % Self.names.count]
    let trade = Self.trades[number % Self.trades.count]
    id = first.prefix(3).uppercased() + ItemSeed.label(number, digits: 2)
    name = "\(first) \(trade)"
    address = "\(Self.streets[number % Self.streets.count]) \(number + 10)"
    (city, region, postalCode, country) = place
  }
}
