import Foundation
import SwiftData
import Testing

@testable import BookShop

@Suite("Stopping the book shop")
struct StoppingTests {
  @Test("SIGTERM and SIGINT let a request finish, and close the store", arguments: [SIGTERM, SIGINT])
  func finishing(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "shop.store")
    let program = try RunningShop(store: file)
    let body = #"{"isbn":"\#(dispossessed)","title":"The Dispossessed","author":"A","year":1974,"copies":3}"#
    let connection = try #require(Connection(port: program.port))
    // The response to the first request shows that the server has read the head of the second, too.
    try connection.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    try connection.send("POST /books HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
    try connection.send(body.prefix(20))
    #expect(try connection.receive().hasPrefix("HTTP/1.1 200"))

    program.send(signal)
    // The server refuses connections once it is stopping.
    while Connection(port: program.port) != nil { sched_yield() }
    try connection.send(body.dropFirst(20))
    #expect(try connection.receiveAll().contains("HTTP/1.1 201"))

    #expect(program.wait() == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["shop.store"])
    let container = try BookShop.open(ModelConfiguration(url: file))
    #expect(try ModelContext(container).fetch(FetchDescriptor<Book>()).map(\.isbn) == [dispossessed])
  }

  @Test("A shop whose store cannot be opened ends with an error")
  func unusableStore() throws {
    let folder = try TemporaryFolder()
    #expect(throws: RunningShop.EndedEarly.self) {
      try RunningShop(store: folder.url.appending(path: "nowhere/shop.store"))
    }
  }
}
