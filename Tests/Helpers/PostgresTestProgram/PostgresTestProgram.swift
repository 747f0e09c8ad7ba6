import Foundation
import PostgresTestModels
import SwiftData

/// Works on a bank with several threads: until a line arrives on the standard input, or a number of times.
@main
enum PostgresTestProgram {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 6, let threads = Int(arguments[5]) else {
      complain("usage: PostgresTestProgram bank|count|insert URL NAMESPACE NAME THREADS [TIMES]")
      exit(2)
    }
    let name = arguments[4]
    let times = arguments.count > 6 ? Int(arguments[6]) ?? 0 : 0
    guard let container = opened(url: arguments[2], namespace: arguments[3]) else { exit(1) }
    let group = DispatchGroup()
    let stop = StopSign()
    if arguments[1] == "bank" {
      Thread.detachNewThread {
        _ = readLine()
        stop.isSet = true
      }
    }
    for index in 0..<threads {
      group.enter()
      let kind = arguments[1]
      Thread.detachNewThread {
        defer { group.leave() }
        do {
          switch kind {
          case "bank": try work(as: "\(name).\(index)", container, until: stop)
          case "count": try BankClient.count(times, in: container)
          default: try BankClient.insert(times, as: "\(name).\(index)", in: container)
          }
        } catch {
          complain("\(name).\(index): \(error)")
        }
      }
    }
    group.wait()
    try container.close()
  }

  /// Connections may be terminated while the store is opened as well.
  private static func opened(url: String, namespace: String) -> ModelContainer? {
    for attempt in 0... {
      do {
        let isPooled = ProcessInfo.processInfo.environment["OSD_TEST_POOLER"] == "1"
        return try Bank.open(url: url, namespace: namespace, isPooled: isPooled)
      } catch {
        guard attempt >= 20 else { continue }
        complain("\(error)")
        return nil
      }
    }
    return nil
  }

  private static func work(as name: String, _ container: ModelContainer, until stop: StopSign) throws {
    let client = BankClient(name, container)
    while !stop.isSet {
      // A line is written by one call, so that lines of several threads do not mix.
      if let number = try client.step() {
        try FileHandle.standardOutput.write(contentsOf: Data("wrote \(name) \(number)\n".utf8))
      }
    }
  }

  private static func complain(_ text: String) {
    let line = text.replacing("\n", with: " ")
    FileHandle.standardError.write(Data("complaint: \(line)\n".utf8))
  }
}

/// `@unchecked Sendable` because the lock guards the value.
private final class StopSign: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false

  var isSet: Bool {
    get { lock.withLock { value } }
    set { lock.withLock { value = newValue } }
  }
}
