/// A place on the globe, in degrees north and east.
struct Coordinates: Equatable, Sendable {
  var latitude: Double
  var longitude: Double

  init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Reads the two forms of ISO 6709 that the tz database uses: `±DDMM±DDDMM` and `±DDMMSS±DDDMMSS`.
  ///
  /// The result is `nil` for anything else, including places beyond the poles or the antimeridian.
  init?(iso6709 text: some StringProtocol) {
    let bytes = Array(text.utf8)
    let latitudeLength: Int
    switch bytes.count {
    case 11: latitudeLength = 5
    case 15: latitudeLength = 7
    default: return nil
    }
    guard
      let latitude = Self.degrees(in: bytes[..<latitudeLength], degreeDigits: 2, limit: 90),
      let longitude = Self.degrees(in: bytes[latitudeLength...], degreeDigits: 3, limit: 180)
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }

  /// Reads a sign, degrees, two digits of minutes and, when digits are left, two of seconds.
  private static func degrees(in bytes: ArraySlice<UInt8>, degreeDigits: Int, limit: Int) -> Double? {
    guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    let digits = bytes.dropFirst()
    guard
      let degrees = number(in: digits.prefix(degreeDigits)),
      let minutes = number(in: digits.dropFirst(degreeDigits).prefix(2)), minutes < 60,
      let seconds = number(in: digits.dropFirst(degreeDigits + 2)), seconds < 60
    else { return nil }
    let arcSeconds = (degrees * 60 + minutes) * 60 + seconds
    guard arcSeconds <= limit * 3600 else { return nil }
    return Double(sign == UInt8(ascii: "-") ? -arcSeconds : arcSeconds) / 3600
  }

  private static func number(in digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }
}
