import Foundation
import Timing
import Workload

/// Measures one case with one peer, in a process of its own.
struct LiveMeasurement {
  private static let savesInRun = 200
  private static let streamedSaves = 100
  private static let secondsOfSave = 0.02

  let liveCase: LiveCase
  let peer: any LivePeer.Type
  let folder: StoreFolder
  let effort: Effort

  /// A value for each subject of the case.
  func callAsFunction() throws -> [LiveValue] {
    switch liveCase {
    case .unrelatedSave: try addedToSaves()
    case .newPosition, .newOwner, .newText, .unsavedMove, .savedMove, .otherContextMove: try [addedToChange()]
    case .insertion: try timesOfInsertion()
    case .streaming: try ratioOfStreaming()
    case .memory: try memory()
    case .smallResults, .largeResults: try [timeOfManyChanges()]
    case .otherProcess: throw BenchError("A worker cannot follow another worker.")
    }
  }

  private func makeStore(isFollowed: Bool = true, number: Int = 0) throws -> FollowedStore {
    try FollowedStore(liveCase, peer, in: folder, isFollowed: isFollowed, number: number)
  }

  private func makeBoth() throws -> (followed: FollowedStore, other: FollowedStore) {
    let stores = (followed: try makeStore(), other: try makeStore(isFollowed: false))
    try stores.followed.open()
    return stores
  }

  private func measure(_ works: [LiveWork]) throws -> [Summary] {
    try Sampler(effort: effort).measure(works)
  }

  // MARK: Time

  private func addedToSaves() throws -> [LiveValue] {
    let stores = try makeBoth()
    func work(_ store: FollowedStore) -> LiveWork {
      LiveWork {
        for _ in 0..<Self.savesInRun { try store.change() }
      } finish: {
        store.endTurn()
      }
    }
    let summaries = try measure([work(stores.followed), work(stores.other)])
    try stores.followed.check()
    let seconds = (summaries[0].median - summaries[1].median) / Double(Self.savesInRun)
    return [
      LiveValue(value: seconds * 1e6, isCalm: summaries[0].isCalm),
      LiveValue(value: Double(stores.followed.peer.notifications)),
    ]
  }

  /// The time of a change, with its save if it has one, until all results are up to date, less the time without open queries.
  private func addedToChange() throws -> LiveValue {
    let stores = try makeBoth()
    func change(_ store: FollowedStore) throws {
      try store.change()
      try store.bringUpToDate()
    }
    try change(stores.followed)
    // The number of changes for a run of some milliseconds.
    let count = try max(1, min(50, Int(0.005 / CPUClock.seconds { try change(stores.followed) })))
    func work(_ store: FollowedStore) -> LiveWork {
      LiveWork {
        for _ in 0..<count { try change(store) }
      } finish: {
        store.endTurn()
      }
    }
    let summaries = try measure([work(stores.followed), work(stores.other)])
    try stores.followed.check()
    guard stores.followed.peer.notifications > 0 else {
      throw BenchError("\(liveCase.rawValue): there was no notification.")
    }
    let seconds = (summaries[0].median - summaries[1].median) / Double(count)
    return LiveValue(value: seconds * 1e3, isCalm: summaries[0].isCalm)
  }

  /// For the save, the time of the saving thread: others may already fetch, which belongs to the update.
  private func timesOfInsertion() throws -> [LiveValue] {
    let stores = try makeBoth()
    var times: [Bool: [(save: Double, update: Double)]] = [:]
    func work(_ store: FollowedStore, isFollowed: Bool) -> LiveWork {
      LiveWork {
        let (start, all) = (CPUClock.ofThisThread, CPUClock.now)
        try store.change()
        let save = CPUClock.ofThisThread - start
        try store.bringUpToDate()
        times[isFollowed, default: []].append((save, CPUClock.now - all - save))
      } finish: {
        if isFollowed, times[true]?.count == 1 { try store.check() }
        try store.takeBack()
        store.endTurn()
      }
    }
    let summaries = try measure([
      work(stores.followed, isFollowed: true), work(stores.other, isFollowed: false),
    ])
    func median(_ isFollowed: Bool, _ value: ((save: Double, update: Double)) -> Double) -> Double {
      Summary(of: (times[isFollowed] ?? []).dropFirst(effort.warmUps).map(value), isCalm: true).median
    }
    let isCalm = summaries[0].isCalm
    return [
      LiveValue(value: median(true, \.save) / median(false, \.save), isCalm: isCalm),
      LiveValue(value: median(true, \.update) * 1e3, isCalm: isCalm),
    ]
  }

  /// Saves in both stores in turn at a steady pace, with turns of the main queue in between. Single saves vary much, so the
  /// medians of all saves are compared.
  private func ratioOfStreaming() throws -> [LiveValue] {
    let stores = try makeBoth()
    var times: (followed: [Double], other: [Double]) = ([], [])
    for _ in 0..<effort.warmUps + effort.fewest {
      var end = Date()
      func save(in store: FollowedStore) throws -> Double {
        end += Self.secondsOfSave / 2
        return try CPUClock.seconds {
          try store.change()
          RunLoop.main.run(until: end)
        }
      }
      for _ in 0..<Self.streamedSaves {
        times.followed.append(try save(in: stores.followed))
        times.other.append(try save(in: stores.other))
      }
    }
    try stores.followed.check()
    let count = effort.warmUps * Self.streamedSaves
    times.followed.removeFirst(count)
    times.other.removeFirst(count)
    let ratio = Summary(of: times.followed, isCalm: true).median / Summary(of: times.other, isCalm: true).median
    return [LiveValue(value: Double(stores.followed.peer.notifications)), LiveValue(value: ratio)]
  }

  /// The time of a change of all rows, less the time of the same change without open queries.
  private func timeOfManyChanges() throws -> LiveValue {
    let stores = try makeBoth()
    func work(_ store: FollowedStore) -> LiveWork {
      LiveWork {
        try store.change()
        try store.bringUpToDate()
      } finish: {
        try store.peer.save()
        try store.bringUpToDate()
        store.endTurn()
      }
    }
    let summaries = try measure([work(stores.followed), work(stores.other)])
    try stores.followed.check()
    return LiveValue(value: (summaries[0].median - summaries[1].median) * 1e3, isCalm: summaries[0].isCalm)
  }

  // MARK: Memory

  private func memory() throws -> [LiveValue] {
    let count = Double(liveCase.rowCount)
    var held: [Double] = []
    var kept: [Double] = []
    for number in 0..<effort.processes {
      let store = try makeStore(number: number)
      try store.peer.readAhead(liveCase.queries)
      store.endTurn()
      let before = try AllocatedMemory.current()
      try store.open()
      store.endTurn()
      held.append(Double(try AllocatedMemory.current() - before) / count)
      try store.peer.close()
      store.endTurn()
      kept.append(Double(try AllocatedMemory.current() - before) / count)
    }
    return [held, kept].map { LiveValue(value: Summary(of: $0, isCalm: true).median) }
  }
}

/// A timed run of a case.
private struct LiveWork: Repeatable {
  let body: () throws -> Void
  let end: () throws -> Void

  init(_ body: @escaping () throws -> Void, finish end: @escaping () throws -> Void) {
    self.body = body
    self.end = end
  }

  func prepare() throws {}
  func run() throws { try body() }
  func finish() throws { try end() }
}
