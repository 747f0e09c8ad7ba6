/// The resolution of conflicts when a save is about to overwrite changes of other contexts or processes.
///
/// Other contexts include those of the same container and of other containers. Set the policy as
/// ``ModelContext/mergePolicy``. An addition of OpenSwiftData.
public enum MergePolicy: Sendable, Hashable {
  /// The last save of a property wins. This is the default, and needs no detection of conflicts.
  case lastWriterWins
  /// A property that another context or process has saved since this context read it keeps that value: the unsaved change
  /// of the property is discarded when the context saves.
  case storeWins
  /// The values of this context are saved, and models that another context has deleted are inserted again.
  case contextWins
  /// The save throws ``SwiftDataError/mergeConflict``, and writes nothing.
  case throwOnConflict
}
