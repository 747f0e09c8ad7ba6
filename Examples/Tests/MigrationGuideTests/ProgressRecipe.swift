import Foundation
import SwiftData

func openPeople() throws -> ModelContainer {
  let progress = Progress(totalUnitCount: 100)
  let bar = Task.detached {
    while !Task.isCancelled {
      let percent = Int(progress.fractionCompleted * 100)
      FileHandle.standardError.write(Data("\rMigrating: \(percent) %".utf8))
      try await Task.sleep(for: .milliseconds(100))
    }
  }
  defer { bar.cancel() }
  progress.becomeCurrent(withPendingUnitCount: 100)
  defer { progress.resignCurrent() }
  return try ModelContainer(for: Person.self, migrationPlan: PeoplePlan.self)
}
