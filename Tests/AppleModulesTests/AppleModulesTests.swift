import AppleFoundation
import Testing

@Suite("Parts of Apple's Foundation that Linux's lacks")
struct AppleFoundationTests {
  @Test("Localized texts are returned unchanged, with their values")
  func localizedTexts() {
    let count = 3
    #expect(String(localized: "Trips") == "Trips")
    #expect(String(localized: "\(count) trips", comment: "How many") == "3 trips")
    #expect(String(localized: String.LocalizationValue("a")) == "a")
  }

  @Test("CFAbsoluteTimeGetCurrent() is relative to the reference date")
  func time() {
    let before = Date().timeIntervalSinceReferenceDate
    let time: CFAbsoluteTime = CFAbsoluteTimeGetCurrent()
    #expect(before <= time && time <= Date().timeIntervalSinceReferenceDate)
  }

  @Test("An app group has a folder of its name, and invalid names have none")
  func groups() throws {
    let name = "group.\(UUID().uuidString)"
    let folder = try #require(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: name))
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(folder.lastPathComponent == name)
    #expect(FileManager.default.fileExists(atPath: folder.path))
    for name in ["", "..", ".", "a/b"] {
      #expect(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: name) == nil)
    }
  }

  @Test("Foundation's networking is visible")
  func networking() {
    #expect(URLRequest(url: URL(filePath: "/")).httpMethod == "GET")
  }
}
