import Foundation
import SwiftData

@main
struct Notes {
  @MainActor
  static func main() {
    do {
      let container = try ModelContainer(for: Note.self)
      let commands = Commands(context: container.mainContext)
      try commands.run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      // An error of SwiftData says what is wrong, where, and what to do about it.
      print(error)
      exit(1)
    }
  }
}
