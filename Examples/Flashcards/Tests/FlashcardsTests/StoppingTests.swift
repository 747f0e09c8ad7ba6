import Foundation
import Testing

@testable import Flashcards

@Suite("Stopping")
struct StoppingTests {
  private static let get = " HTTP/1.1\r\nHost: localhost\r\n\r\n"

  @Test("SIGTERM and SIGINT end the streams of open pages, and close the document", arguments: [SIGTERM, SIGINT])
  func streams(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let document = folder.url.appending(path: "Test.flashcards")
    let program = try RunningProgram(document)
    #expect(program.line == "Flashcards shows \(document.path) at http://127.0.0.1:\(program.port)")
    let pages = try (0..<20).map { _ in try #require(Connection(port: program.port)) }
    for page in pages {
      try page.send("GET /events" + Self.get)
      #expect(try page.receive().hasPrefix("HTTP/1.1 200"))
    }
    let start = ContinuousClock.now
    program.send(signal)
    for page in pages { #expect(try page.receiveAll().hasSuffix("0\r\n\r\n")) }
    #expect(program.wait() == 0)
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(try FileManager.default.contentsOfDirectory(atPath: document.path) == ["Contents.store"])
  }

  @Test("Acknowledged changes survive a kill")
  func kill() throws {
    let folder = try TemporaryFolder()
    let document = folder.url.appending(path: "Test.flashcards")
    let program = try RunningProgram(document)
    let page = try #require(Connection(port: program.port))
    try page.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    let token = try #require(try page.receiveAll().firstMatch(of: /page-token" content="([^"]+)"/)?.1)
    let editor = try #require(Connection(port: program.port))
    try editor.send(
      "POST /decks HTTP/1.1\r\nHost: localhost\r\nX-Page-Token: \(token)\r\nContent-Length: 9\r\n\r\nname=Kept")
    #expect(try editor.receive().hasPrefix("HTTP/1.1 204"))
    program.send(SIGKILL)
    _ = program.wait()

    let again = try RunningProgram(document)
    let reader = try #require(Connection(port: again.port))
    try reader.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(try reader.receiveAll().contains("Kept"))
  }

  @Test("A document that cannot be opened ends the program with an error")
  func unusable() throws {
    #expect(throws: RunningProgram.EndedEarly.self) {
      try RunningProgram(URL(filePath: "/dev/null/Test.flashcards"))
    }
  }
}
