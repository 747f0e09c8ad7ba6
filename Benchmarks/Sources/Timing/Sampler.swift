/// Times several subjects in turn, so that a slow period of the machine affects all of them equally.
package final class Sampler {
  /// The largest ratio to the best calibration for the calibrations around a repetition.
  private static let tolerance = 1.2

  private let effort: Effort
  private let calibration = Calibration()
  private var bestCalibration = Double.infinity

  package init(effort: Effort) {
    self.effort = effort
  }

  /// Times `subjects` until each has enough calm repetitions or the time limit is reached.
  package func measure(_ subjects: [any Repeatable]) throws -> [Summary] {
    let clock = ContinuousClock()
    let start = clock.now
    func hasSpent(_ share: Double) -> Bool {
      clock.now - start > .seconds(effort.budget * share)
    }

    for round in 0..<effort.warmUps where round == 0 || !hasSpent(0.25) {
      for subject in subjects { _ = try sample(subject) }
    }
    var rounds: [[Sample]] = []
    while !hasEnough(rounds, of: subjects.count) {
      if rounds.count >= effort.fewest, hasSpent(1) { break }
      // Every other round runs backwards, so that no subject always has the same predecessor.
      let isForward = rounds.count.isMultiple(of: 2)
      let round = try (isForward ? subjects : subjects.reversed()).map(sample)
      rounds.append(isForward ? round : round.reversed())
    }
    return subjects.indices.map { summary(of: $0, in: rounds) }
  }

  private func sample(_ subject: any Repeatable) throws -> Sample {
    try subject.prepare()
    let before = calibration.measure()
    let start = CPUClock.now
    try subject.run()
    let seconds = CPUClock.now - start
    let after = calibration.measure()
    try subject.finish()
    bestCalibration = min(bestCalibration, before, after)
    return Sample(seconds: seconds, unrest: max(before, after))
  }

  private func hasEnough(_ rounds: [[Sample]], of subjectCount: Int) -> Bool {
    (0..<subjectCount).allSatisfy { calm($0, in: rounds).count >= effort.repetitions }
  }

  private func calm(_ subject: Int, in rounds: [[Sample]]) -> [Sample] {
    rounds.map { $0[subject] }.filter { $0.unrest <= bestCalibration * Self.tolerance }
  }

  private func summary(of subject: Int, in rounds: [[Sample]]) -> Summary {
    let calm = calm(subject, in: rounds)
    if hasEnough(rounds, of: rounds[0].count) {
      return Summary(of: calm.map(\.seconds), isCalm: true)
    }
    // The same rounds for all subjects, so that the speed of the machine is the same for all.
    let calmest = rounds.sorted { unrest($0) < unrest($1) }.prefix(effort.repetitions)
    return Summary(of: calmest.map { $0[subject].seconds }, isCalm: false)
  }

  private func unrest(_ round: [Sample]) -> Double {
    round.map(\.unrest).max() ?? .infinity
  }
}
