/// A measurement of the memory for fetching all items.
enum MemoryUse: String, CaseIterable, Codable {
  case peak = "peak memory of fetching 100 k"
  case held = "memory of 100 k held"
}
