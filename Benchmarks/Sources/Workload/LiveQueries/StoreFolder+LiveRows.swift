package import Foundation

extension StoreFolder {
  /// The store with the rows of a case, which no case changes.
  package func liveRows(of liveCase: LiveCase) -> URL {
    file("live rows \(liveCase.rawValue)")
  }

  /// A copy of them for changes.
  package func copy(ofLiveRowsOf liveCase: LiveCase, named name: String) -> StoreCopy {
    StoreCopy(of: liveRows(of: liveCase), at: file("copy of live rows \(name)"))
  }
}
