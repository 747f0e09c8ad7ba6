import Foundation

/// What is known to be wrong, and is left out so that the rest can be tried. One that is mended is to be deleted here.
///
/// `OSD_FLAWS` names those to leave out; when it is empty, everything is tried.
enum KnownFlaw: String, CaseIterable {
  /// A context with unsaved changes of a relationship misses what another context saves of it, also after its own save.
  case contention
  /// An optional to-many that could not be read is taken for empty, and setting it wipes what is stored.
  case unreadOptionalMembers
  /// A relationship without an inverse stays at a new model that was deleted before it was ever saved.
  case droppedOneWay
  /// Members among which is one that could not be looked up are set without it.
  case failedLookUp
  /// A context without changes keeps the other side of a one-to-one that another context led elsewhere.
  case staleOtherSide

  private static let open: Set<KnownFlaw> = {
    guard let names = ProcessInfo.processInfo.environment["OSD_FLAWS"] else { return Set(allCases) }
    return Set(names.split(separator: ",").compactMap { KnownFlaw(rawValue: String($0)) })
  }()

  var isOpen: Bool { Self.open.contains(self) }
}
