import Testing

@testable import Atlas

@Suite("Coordinates of ISO 6709")
struct CoordinatesTests {
  @Test(
    "Coordinates are read with minutes or with seconds",
    arguments: [
      ("+4230+00131", 153_000, 5_460),
      ("-7824+10654", -282_240, 384_840),
      ("-720041+0023206", -259_241, 9_126),
      ("+9000-18000", 324_000, -648_000),
      ("-0000+00000", 0, 0),
    ]
  )
  func reading(text: String, latitudeSeconds: Double, longitudeSeconds: Double) throws {
    let coordinates = try #require(Coordinates(iso6709: text))
    #expect(coordinates.latitude == latitudeSeconds / 3600)
    #expect(coordinates.longitude == longitudeSeconds / 3600)
  }

  @Test(
    "Coordinates of any other form are refused",
    arguments: [
      "", "+4230", "4230+00131", "+4230 00131", "+4260+00131", "+4230+00160", "+9001+00131", "+4230+18001",
      "+423000+00131", "+4230+0013100", "+42300+00131", "+423060+0013100", "+4a30+00131", "+4230+0013１",
      "+42.5+001.31", " +4230+00131", "+4230+00131 ", "++230+00131", "+4230+00131+0",
    ]
  )
  func refusing(text: String) {
    #expect(Coordinates(iso6709: text) == nil)
  }
}
