import Dispatch
import Foundation
import SwiftData

// The code of a guide, with declarations of the names that it uses. It is compiled, and not run.

enum SavingAndAutosaveGuide {
  typealias Trip = ModelsAndContextsGuide.Trip

  @MainActor
  struct Alarm {
    func show(_ text: String) {}
  }

  static func save(_ container: ModelContainer) throws {
    let context = ModelContext(container)
    context.insert(Trip(name: "Coast", start: .now))
    try context.save()
  }

  static func report(_ context: ModelContext) throws {
    do {
      try context.save()
    } catch let error as SwiftDataError {
      for issue in error.details?.issues ?? [] { print(issue) }
      context.rollback()
    }
  }

  static func endOnSignal() -> any DispatchSourceSignal {
    let termination = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
    termination.setEventHandler { exit(0) }
    termination.activate()
    return termination
  }

  @MainActor
  static func watch(_ container: ModelContainer, _ alarm: Alarm) -> any NSObjectProtocol {
    let token = NotificationCenter.default.addObserver(
      forName: ModelContext.autosaveDidFail, object: container.mainContext, queue: nil
    ) { notification in
      guard let error = notification.userInfo?[ModelContext.NotificationKey.autosaveError] as? any Error else { return }
      // Posted in the isolation of the context.
      MainActor.assumeIsolated { alarm.show("\(error)") }
    }
    return token
  }
}
