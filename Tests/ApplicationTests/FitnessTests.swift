import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("A fitness log")
struct FitnessTests {
  private let context: ModelContext

  init() throws {
    context = ModelContext(
      try ModelContainer(
        for: Workout.self, RunWorkout.self, StrengthWorkout.self, Exercise.self, ExerciseSet.self, Athlete.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    context.allowsInMemoryEvaluation = false
    try fill()
  }

  private func fill() throws {
    let squat = Exercise("Squat", [.legs, .back])
    let press = Exercise("Bench press", [.chest])
    let row = Exercise("Row", [.back])
    for exercise in [squat, press, row] { context.insert(exercise) }
    let minute = 60.0
    let short = RunWorkout(
      start: Timeline.date(2024, 5, 6, 7), duration: 30 * minute, distance: 5, cadence: 170, effort: .easy)
    short.laps = ["1": 370, "2": 365]
    let long = RunWorkout(start: Timeline.date(2024, 5, 12, 9), duration: 110 * minute, distance: 20)
    let race = RunWorkout(
      start: Timeline.date(2024, 5, 18, 10), duration: 40 * minute, distance: 10, cadence: 182, effort: .hard)
    race.remark = "Personal best"
    let legs = StrengthWorkout(
      start: Timeline.date(2024, 5, 7, 18), duration: 50 * minute,
      sets: [.init(squat, 5, weight: 100), .init(squat, 5, weight: 110), .init(row, 10, weight: 40)])
    let upper = StrengthWorkout(
      start: Timeline.date(2024, 5, 14, 18), duration: 45 * minute,
      sets: [.init(row, 8, weight: 50), .init(squat, 3, weight: 120)], remark: "Tired")
    let yoga = Workout(start: Timeline.date(2024, 5, 8, 20), duration: 60 * minute, effort: .easy, remark: "Yoga")
    let ada = Athlete("Ada", weeklyGoal: 4)
    let ben = Athlete("Ben", weeklyGoal: 1)
    context.insert(ada)
    context.insert(ben)
    ada.workouts = [short, long, legs, yoga]
    ben.workouts = [race, upper]
    try context.save()
  }

  private func days(_ predicate: Predicate<Workout>) throws -> [Int] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.start)]))
      .map { Timeline.calendar.component(.day, from: $0.start) }
  }

  private func names(_ predicate: Predicate<Exercise>) throws -> [String] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)])).map(\.name)
  }

  @Test("Kinds of workouts are distinguished")
  func kinds() throws {
    #expect(try days(#Predicate { $0 is RunWorkout }) == [6, 12, 18])
    #expect(try days(#Predicate { !($0 is RunWorkout) && !($0 is StrengthWorkout) }) == [8])
    #expect(try days(#Predicate { $0 is StrengthWorkout && $0.remark != nil }) == [14])
    let all = try context.fetch(FetchDescriptor<Workout>(sortBy: [SortDescriptor(\.start)]))
    #expect(all.map { $0 is RunWorkout } == [true, false, false, true, false, true])
    #expect(try context.fetchCount(FetchDescriptor<StrengthWorkout>()) == 2)
  }

  @Test("Workouts are found by properties of one kind")
  func casts() throws {
    let far = 8.0
    #expect(
      try days(
        #Predicate { workout in
          if let run = workout as? RunWorkout { run.distance > far } else { false }
        }) == [12, 18])
    #expect(try days(#Predicate { ($0 as? RunWorkout)?.cadence == nil && $0.effort.rawValue == 2 }) == [12])
    #expect(
      try days(
        #Predicate { workout in
          (workout as? StrengthWorkout)?.sets.contains { $0.weight > 110 } == true || workout.duration > 6000
        }) == [12, 14])
  }

  @Test("Runs are found by pace, cadence and laps")
  func runs() throws {
    func kilometres(_ predicate: Predicate<RunWorkout>) throws -> [Double] {
      try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.distance)])).map(\.distance)
    }
    let pace = 330.0
    #expect(try kilometres(#Predicate { $0.distance > 0 && $0.duration / $0.distance <= pace }) == [10, 20])
    let easy = Effort.easy
    #expect(try kilometres(#Predicate { ($0.cadence ?? 0) > 175 || $0.effort == easy }) == [5, 10])
    #expect(try kilometres(#Predicate { $0.laps["1", default: 0] > 360 }) == [5])
    #expect(try kilometres(#Predicate { $0.laps.isEmpty && $0.athlete?.name == "Ada" }) == [20])
    let timeEach = #Expression<RunWorkout, Double> { $0.duration / $0.distance }
    let best = try context.fetchAggregates(.minimum(of: timeEach))
    #expect(best == 240)
  }

  @Test("Personal records are found, and the volume of each exercise")
  func records() throws {
    let load = #Expression<ExerciseSet, Double> { $0.weight * 10 }
    let records = try context.fetchGroups(
      by: \ExerciseSet.exercise?.name, computing: .maximum(of: \.weight), .sum(of: \.repetitions),
      .sum(of: load),
      sortBy: [.init(.maximum(of: \.weight), order: .reverse)])
    #expect(records.map(\.key) == ["Squat", "Row"])
    #expect(records.map(\.values.0) == [120, 50])
    #expect(records.map(\.values.1) == [13, 18])
    #expect(records.map(\.values.2) == [3300, 900])
    let doubled = #Expression<ExerciseSet, Int> { $0.repetitions * 2 }
    #expect(try context.fetchAggregates(.sum(of: doubled)) == 62)
  }

  @Test("Exercises are found by muscles and by their last use, including none")
  func exercises() throws {
    let muscle = MuscleGroup.back
    #expect(try names(#Predicate { $0.muscles.contains(muscle) }) == ["Row", "Squat"])
    #expect(try names(#Predicate { $0.muscles.count == 1 && $0.sets.isEmpty }) == ["Bench press"])
    let since = Timeline.date(2024, 5, 10)
    #expect(
      try names(
        #Predicate { exercise in
          exercise.sets.contains { set in
            if let workout = set.workout { workout.start > since } else { false }
          }
        }) == ["Row", "Squat"])
    #expect(
      try names(
        #Predicate { exercise in
          exercise.sets.contains { $0.weight >= 50 && $0.workout?.athlete?.name == "Ben" }
        }) == ["Row", "Squat"])
    #expect(try names(#Predicate { exercise in exercise.sets.filter { $0.weight >= 100 }.count >= 3 }) == ["Squat"])
  }

  @Test("Strength workouts are found by their exercises")
  func strength() throws {
    let heavy = FetchDescriptor<StrengthWorkout>(
      predicate: #Predicate { workout in
        workout.sets.allSatisfy { $0.weight >= 50 } && workout.duration < 3000
      })
    #expect(try context.fetch(heavy).map(\.remark) == ["Tired"])
    let muscle = MuscleGroup.legs
    let legs = FetchDescriptor<StrengthWorkout>(
      predicate: #Predicate { workout in
        workout.sets.contains { $0.exercise?.muscles.contains(muscle) == true && $0.weight < 105 }
      })
    #expect(try context.fetch(legs).map { $0.sets.count } == [3])
  }

  @Test("The time of each week, weekday and effort is summed")
  func weeks() throws {
    let weeks = try context.fetchGroups(
      by: .start(of: .weekOfYear, containing: \.start, in: Timeline.calendar), computing: .count,
      .sum(of: \Workout.duration))
    #expect(weeks.map(\.key) == [Timeline.date(2024, 5, 5), Timeline.date(2024, 5, 12)])
    #expect(weeks.map(\.values.0) == [3, 3])
    #expect(weeks.map(\.values.1) == [8400, 11700])
    let hours = try context.fetchGroups(
      by: .component(.hour, from: \Workout.start, in: Timeline.calendar), computing: .count,
      having: #Predicate { $0 >= 2 })
    #expect(hours.map(\.key) == [18])
    let efforts = try context.fetchGroups(by: \Workout.effort, computing: .count)
    #expect(efforts.map(\.key) == [.easy, .steady, .hard])
    #expect(efforts.map(\.value) == [2, 1, 3])
  }

  @Test("Athletes who reached their goal are found")
  func goals() throws {
    let start = Timeline.date(2024, 5, 12)
    let end = Timeline.date(2024, 5, 19)
    let reached = FetchDescriptor<Athlete>(
      predicate: #Predicate { athlete in
        athlete.workouts.filter { $0.start >= start && $0.start < end }.count >= athlete.weeklyGoal
      })
    #expect(try context.fetch(reached).map(\.name) == ["Ben"])
    let mixed = FetchDescriptor<Athlete>(
      predicate: #Predicate { athlete in
        athlete.workouts.contains { $0 is RunWorkout } && athlete.workouts.contains { $0 is StrengthWorkout }
      }, sortBy: [SortDescriptor(\.name)])
    #expect(try context.fetch(mixed).map(\.name) == ["Ada", "Ben"])
    let fast = FetchDescriptor<Athlete>(
      predicate: #Predicate { athlete in
        athlete.workouts.contains { (($0 as? RunWorkout)?.cadence ?? 0) > 180 }
      })
    #expect(try context.fetch(fast).map(\.name) == ["Ben"])
  }

  @Test("Workouts longer than a captured limit for their effort are found")
  func efforts() throws {
    let least = Effort.steady
    #expect(try days(#Predicate { $0.effort >= least && $0.duration < 3000 }) == [14, 18])
    #expect(try days(Workout.between(Timeline.date(2024, 5, 7), Timeline.date(2024, 5, 8))) == [7])
    let sorted = FetchDescriptor<Workout>(
      predicate: #Predicate { $0.athlete?.weeklyGoal == 4 },
      sortBy: [SortDescriptor(\.duration, order: .reverse), SortDescriptor(\.start)])
    #expect(try context.fetch(sorted).map(\.duration) == [6600, 3600, 3000, 1800])
  }

  @Test("One kind of workout is deleted with its sets, and the others are kept")
  func deleting() throws {
    try context.delete(model: StrengthWorkout.self, where: #Predicate { $0.remark == nil })
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<ExerciseSet>()) == 2)
    try context.delete(model: Workout.self, where: #Predicate { $0.duration >= 3600 })
    #expect(try days(#Predicate { _ in true }) == [6, 14, 18])
    try context.save()
    let fresh = ModelContext(context.container)
    #expect(try fresh.fetchCount(FetchDescriptor<RunWorkout>()) == 2)
    #expect(try fresh.fetchCount(FetchDescriptor<Workout>()) == 3)
  }

  @Test("An unsaved run is fetched along with saved ones")
  func pending() throws {
    let ada = try #require(
      try context.fetch(FetchDescriptor<Athlete>(predicate: #Predicate { $0.name == "Ada" })).first)
    let run = RunWorkout(start: Timeline.date(2024, 5, 20), duration: 1000, distance: 30)
    run.athlete = ada
    context.insert(run)
    #expect(try days(#Predicate { ($0 as? RunWorkout)?.distance ?? 0 > 15 }) == [12, 20])
    #expect(try context.fetchAggregates(.maximum(of: \RunWorkout.distance)) == 30)
    let sums = try context.fetchGroups(by: \RunWorkout.athlete, computing: .sum(of: \.distance))
    #expect(Set(sums.map { "\($0.key?.name ?? "") \($0.value)" }) == ["Ada 55.0", "Ben 10.0"])
  }
}
