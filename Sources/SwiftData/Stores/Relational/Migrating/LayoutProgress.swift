import Foundation
import Relational

/// Reports the progress of a change of the tables, and finds out whether it was cancelled.
///
/// A step counts one, and one more for each row that it reads or writes. Rows are counted only for a given `Progress`.
struct LayoutProgress {
  private let progress: Progress?
  /// The units completed before each step, and after the last one.
  private let marks: [Int64]

  /// Reports nothing, but still checks whether the task was cancelled.
  init() {
    progress = nil
    marks = []
  }

  /// - Parameters:
  ///   - steps: The steps, none of which has run yet.
  ///   - whole: The progress of which the steps are one unit; nil to report nothing.
  init(_ steps: [LayoutChange], of whole: Progress?, _ connection: any Connection, _ dialect: any Dialect) throws {
    var marks: [Int64] = []
    if whole != nil {
      var counts = RowCounts()
      var done: Int64 = 0
      marks = [done]
      for step in steps {
        done += 1 + Int64(try counts.count(for: step, connection, dialect) ?? 0)
        marks.append(done)
      }
    }
    self.marks = marks
    // A total of zero would never be completed.
    let total = max(marks.last ?? 0, 1)
    progress = whole.map { Progress(totalUnitCount: total, parent: $0, pendingUnitCount: 1) }
  }

  /// Records that all steps before the one at a position are done.
  ///
  /// - Throws: `CancellationError`.
  func reach(_ position: Int) throws {
    try checkCancellation()
    guard let progress else { return }
    let isOver = position >= marks.count - 1
    progress.completedUnitCount = isOver ? progress.totalUnitCount : marks[position]
  }

  /// Records that rows of the current step are done.
  ///
  /// - Throws: `CancellationError`.
  func advance(by rowCount: Int) throws {
    progress?.completedUnitCount += Int64(rowCount)
    try checkCancellation()
  }

  /// - Throws: `CancellationError` when the progress, or the task, was cancelled.
  func checkCancellation() throws {
    if progress?.isCancelled == true || Task.isCancelled { throw CancellationError() }
  }
}
