import Observation

/// The observers of one model. A separate object, because most models have no observers, and the registrar's type is
/// opaque: even comparing an optional registrar with nil takes a call.
@usableFromInline
final class ModelObservers {
  let registrar = ObservationRegistrar()
  /// Records reads instead of the registrar, if the model was made by a `ReadRecorder`.
  let recorder: ReadRecorder?
  /// The probe that detected the observer. Observation retains everything that an observer has read until a change
  /// notification, and a probe never changes; so the probe is released with the model.
  private let probe: ObservationProbe?

  init(recorder: ReadRecorder? = nil, probe: ObservationProbe? = nil) {
    self.recorder = recorder
    self.probe = probe
  }
}
