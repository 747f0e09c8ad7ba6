import Foundation
import SwiftData

@testable import TestSupport

@Model
final class Texts: SampledModel {
  var number = 0
  var text = ""
  var optional: String?
  var url = URL(fileURLWithPath: "/tmp/first")
  var optionalURL: URL?

  init() {}

  static var fields: [SampledField<Texts>] {
    [
      .init("text", \.text) { .init(Data($0.utf8)) }, .init("optional", \.optional),
      .init("url", \.url) { .init([$0.baseURL?.absoluteString, $0.relativeString]) },
      .init("optionalURL", \.optionalURL) { .init([$0?.baseURL?.absoluteString, $0?.relativeString]) },
    ]
  }

  static let texts = [
    "plain", "👩‍👩‍👧‍👦 🇦🇶 ☃", "e\u{301}", "é", "a\0b", "\0", " 'quoted' \"twice\" \\ ; -- ", "line\nfeed\r\n\ttab",
    "\u{FEFF}mark", "\u{10FFFF}\u{FFFD}", "NaN", "NULL", String(repeating: "długi ", count: 200_000),
  ]

  static var samples: [(Texts) -> Void] {
    let base = URL(string: "https://example.com/folder/")
    let urls = [
      URL(string: "https://user@example.com:8080/a%20b?c=d&e#f"), URL(string: "page.html?x=1", relativeTo: base),
      URL(string: "../up", relativeTo: base), URL(string: "mailto:a@example.com"), URL(string: "relative/only"),
    ].compactMap(\.self)
    return texts.map { text in { ($0.text, $0.optional) = (text, text) } }
      + urls.map { url in { ($0.url, $0.optionalURL, $0.optional) = (url, url, "") } }
  }
}

@Model
final class Bytes: SampledModel {
  var number = 0
  var data = Data()
  var optional: Data?
  var uuid = Bytes.first
  var optionalUUID: UUID?

  init() {}

  static let first = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  static var fields: [SampledField<Bytes>] {
    [
      .init("data", \.data), .init("optional", \.optional), .init("uuid", \.uuid),
      .init("optionalUUID", \.optionalUUID),
    ]
  }

  static var samples: [(Bytes) -> Void] {
    let large = Data(repeating: 0xA5, count: 3_000_000)
    let blobs = [Data(), Data([0]), Data("text".utf8), Data(0...255), large]
    let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    return blobs.map { data in { ($0.data, $0.optional) = (data, data) } }
      + [{ ($0.uuid, $0.optionalUUID) = (zero, first) }]
  }
}
