import FoundationSupplements
import Observation
import Testing

@Suite("Continuous observation")
@MainActor
struct ContinuousObservationTests {
  @Observable
  @MainActor
  final class Thermometer {
    var degrees = 20
    var place = "cellar"
  }

  /// The values with which the closure of an observation was called.
  @MainActor
  private final class Calls {
    var kinds: [ObservationTracking.Event.Kind] = []
    var degrees: [Int] = []
    var areOfDegrees: [Bool] = []
  }

  private let thermometer = Thermometer()
  private let calls = Calls()

  private func observe(_ options: ObservationTracking.Options) -> ObservationTracking.Token {
    withContinuousObservation(options: options) { [calls, thermometer] event in
      calls.kinds.append(event.kind)
      calls.degrees.append(thermometer.degrees)
      calls.areOfDegrees.append(event.matches(\Thermometer.degrees))
    }
  }

  /// Runs the pending calls.
  private func turn() async {
    for _ in 0..<10 { await Task.yield() }
  }

  @Test("The closure is called at first, and after each turn with changes")
  func callsAgain() async {
    let token = observe(.didSet)
    await turn()
    #expect(calls.degrees == [20])
    thermometer.degrees = 21
    thermometer.degrees = 22
    await turn()
    thermometer.degrees = 23
    await turn()
    #expect(calls.degrees == [20, 22, 23])
    #expect(calls.kinds == [.initial, .didSet, .didSet])
    #expect(calls.areOfDegrees == [false, true, true])
    token.cancel()
  }

  @Test("A property that the closure does not read does not call it")
  func ignoresOtherProperties() async {
    let token = observe(.didSet)
    await turn()
    thermometer.place = "attic"
    await turn()
    #expect(calls.degrees == [20])
    token.cancel()
  }

  @Test("An event has the requested kind", arguments: [true, false])
  func tellsKind(before: Bool) async {
    let token = observe(before ? .willSet : [.willSet, .didSet])
    await turn()
    thermometer.degrees = 5
    await turn()
    #expect(calls.kinds == [.initial, before ? .willSet : .didSet])
    #expect(calls.degrees == [20, 5])
    token.cancel()
  }

  @Test("Without options the closure is called once")
  func callsOnce() async {
    let token = observe([])
    await turn()
    thermometer.degrees = 5
    await turn()
    #expect(calls.kinds == [.initial])
    token.cancel()
  }

  @Test("After the token ends the closure is not called, even if a call is pending")
  func endsWithToken() async {
    let token = observe(.didSet)
    await turn()
    thermometer.degrees = 5
    token.cancel()
    await turn()
    thermometer.degrees = 6
    await turn()
    #expect(calls.degrees == [20])
  }

  @Test("The closure can end the observation, and its own changes do not call it")
  func endsFromInside() async {
    let calls = calls
    let thermometer = thermometer
    let token = withContinuousObservation(options: .didSet) { event in
      calls.degrees.append(thermometer.degrees)
      thermometer.degrees += 1
      if calls.degrees.count == 2 { event.cancel() }
    }
    await turn()
    #expect(calls.degrees == [20])
    for _ in 0..<3 {
      thermometer.degrees = 50
      await turn()
    }
    #expect(calls.degrees == [20, 50])
    token.cancel()
  }

  actor Station {
    let gauge = Gauge()
    private(set) var readings: [Int] = []
    private var token: ObservationTracking.Token?

    @Observable
    final class Gauge {
      var level = 0
    }

    func begin() {
      token = withContinuousObservation(options: .didSet) { _ in
        self.assertIsolated()
        self.read()
      }
    }

    /// The closure retains the actor.
    func end() {
      token = nil
    }

    private func read() {
      readings.append(gauge.level)
    }

    func raise() {
      gauge.level += 1
      gauge.level += 1
    }
  }

  @Test("On an actor the closure is called in its isolation")
  func staysOnActor() async {
    let station = Station()
    await station.begin()
    while await station.readings.isEmpty { await Task.yield() }
    await station.raise()
    while await station.readings.count < 2 { await Task.yield() }
    #expect(await station.readings == [0, 2])
    await station.end()
  }
}
