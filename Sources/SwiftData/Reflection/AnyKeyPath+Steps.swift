extension AnyKeyPath {
  /// Whether the first step is a requirement of a protocol, or of a class in code that is generic over its heirs.
  ///
  /// The library has no word for that. A key path's object has the description of its first step in the fifth of its
  /// words; were that different one day, nothing would count as a requirement and no path be tried.
  var beginsWithRequirement: Bool {
    guard MemoryLayout<Int>.size == 8 else { return false }
    // Every key path has the word that tells the size of its steps; the first step is read where there is room for one.
    let words = Unmanaged.passUnretained(self).toOpaque()
    let isEmpty = words.load(fromByteOffset: 24, as: UInt32.self) & 0xff_ffff < 8
    guard !isEmpty else { return false }
    let step = words.load(fromByteOffset: 32, as: UInt32.self)
    let (isComputed, isDispatched, hasArguments) = (step >> 24 & 0x7f == 2, step & 0x10_0000 != 0, step & 0x8_0000 != 0)
    return isComputed && isDispatched && hasArguments
  }

  /// Whether the path leads through nothing else to where it ends. Only what `debugDescription` says tells.
  var isSingleStep: Bool {
    trailingFields.isEmpty && debugDescription.split(separator: "<computed").count == 2
  }

  /// The stored properties of structs that come after the last computed step.
  var trailingFields: [String] {
    guard let end = debugDescription.lastIndex(of: ")") else { return [] }
    return debugDescription[end...].dropFirst().split(separator: ".").map { $0.filter { !"?!>".contains($0) } }
      .filter { !$0.isEmpty }
  }
}
