/// The memory of one fetch, in megabytes.
struct Footprint: Codable {
  let peak: Double
  let held: Double

  subscript(use: MemoryUse) -> Double {
    switch use {
    case .peak: peak
    case .held: held
    }
  }
}
