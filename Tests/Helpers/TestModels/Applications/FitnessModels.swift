import Foundation
import SwiftData

@testable import TestSupport

// Workouts of several kinds, which inherit from one model.

enum Effort: Int, Codable, CaseIterable, Comparable, Sendable {
  case easy = 1
  case steady = 2
  case hard = 3

  static func < (left: Effort, right: Effort) -> Bool { left.rawValue < right.rawValue }
}

enum MuscleGroup: String, Codable, CaseIterable, Sendable {
  case legs, back, chest
}

@Model
class Workout {
  #Index<Workout>([\.start])

  var start: Date
  var duration: TimeInterval
  var effort: Effort
  var remark: String?
  var athlete: Athlete?

  init(start: Date, duration: TimeInterval, effort: Effort = .steady, remark: String? = nil) {
    self.start = start
    self.duration = duration
    self.effort = effort
    self.remark = remark
  }
}

@Model
final class RunWorkout: Workout {
  var distance: Double
  var cadence: Int?
  /// Seconds for each kilometre, by its name.
  var laps: [String: Int] = [:]

  init(start: Date, duration: TimeInterval, distance: Double, cadence: Int? = nil, effort: Effort = .steady) {
    self.distance = distance
    self.cadence = cadence
    super.init(start: start, duration: duration, effort: effort)
  }
}

@Model
final class StrengthWorkout: Workout {
  @Relationship(deleteRule: .cascade, inverse: \ExerciseSet.workout) var sets: [ExerciseSet] = []

  init(start: Date, duration: TimeInterval, sets: [ExerciseSet], remark: String? = nil) {
    super.init(start: start, duration: duration, effort: .hard, remark: remark)
    self.sets = sets
  }
}

@Model
final class Exercise {
  @Attribute(.unique) var name: String
  var muscles: [MuscleGroup]
  @Relationship(deleteRule: .nullify, inverse: \ExerciseSet.exercise) var sets: [ExerciseSet] = []

  init(_ name: String, _ muscles: [MuscleGroup]) {
    self.name = name
    self.muscles = muscles
  }
}

@Model
final class ExerciseSet {
  var repetitions: Int
  var weight: Double
  var exercise: Exercise?
  var workout: StrengthWorkout?

  init(_ exercise: Exercise, _ repetitions: Int, weight: Double) {
    self.exercise = exercise
    self.repetitions = repetitions
    self.weight = weight
  }
}

@Model
final class Athlete {
  var name: String
  var weeklyGoal: Int
  @Relationship(deleteRule: .cascade, inverse: \Workout.athlete) var workouts: [Workout] = []

  init(_ name: String, weeklyGoal: Int) {
    self.name = name
    self.weeklyGoal = weeklyGoal
  }
}

extension Workout {
  static func between(_ start: Date, _ end: Date) -> Predicate<Workout> {
    #Predicate { $0.start >= start && $0.start < end }
  }
}
