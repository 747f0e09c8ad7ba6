import Observation

/// Who observes one model. In an object of its own, because most models have no observers, and a registrar's own type
/// is opaque: even asking whether there is one takes a call.
@usableFromInline
final class ModelObservers {
  let registrar = ObservationRegistrar()
  /// Who is told of reads instead, if the model is made up for that.
  let recorder: ReadRecorder?
  /// The probe by which the observer was found. The observer holds on to it, as to everything that it met, until it is
  /// told of a change, and there is none to this; so it goes when the model goes.
  private let probe: ObservationProbe?

  init(recorder: ReadRecorder? = nil, probe: ObservationProbe? = nil) {
    self.recorder = recorder
    self.probe = probe
  }
}
