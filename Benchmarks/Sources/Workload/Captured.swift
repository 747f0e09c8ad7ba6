extension Selection {
  /// The numbers of half of the items, unordered: the captured values, which are also counts.
  package static let captured = (0..<50_000).map { $0 * 7_919 % 50_000 * 2 }
}

extension Seeds {
  /// The names of half of the items.
  package var capturedNames: [String] {
    Selection.captured.map { items[$0].name }
  }
}
