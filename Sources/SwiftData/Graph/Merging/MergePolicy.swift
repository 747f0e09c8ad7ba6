/// What a save does where others have changed what it is about to overwrite.
///
/// Others are other contexts of the container, other containers, and other processes. Set it as
/// ``ModelContext/mergePolicy``. An addition of OpenSwiftData.
public enum MergePolicy: Sendable, Hashable {
  /// Each property has the value that was saved last, whoever has seen the one before. The default, which costs nothing.
  case lastWriterWins
  /// What others have saved since this context read it stays, property by property: the unsaved change is dropped when the
  /// context saves.
  case storeWins
  /// What this context has is saved, and models that others have deleted are saved again.
  case contextWins
  /// The save throws ``SwiftDataError/mergeConflict``, and writes nothing.
  case throwOnConflict
}
