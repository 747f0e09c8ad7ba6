import Reporting

/// The activity of an idle process with an open container.
struct IdleTable {
  let seconds: Double
  let results: [IdleResult]

  var text: String {
    TextTable(
      header: ["nothing to do for \(seconds.shortened) s", "other threads", "woken", "made to wait", "processor time"],
      rows: results.map { result in
        let activity = result.activity
        return [
          result.name, "\(activity.threads)", "\(activity.voluntarySwitches)", "\(activity.involuntarySwitches)",
          "\(activity.processorMicroseconds) µs",
        ]
      }
    ).text
  }
}
