extension AnyKeyPath {
  /// Whether the first step is a requirement of a protocol, or a property of a class in code that is generic over its
  /// subclasses.
  ///
  /// The standard library has no API for this. The fifth word of a key path's object is the header of its first step. With
  /// another layout, no step would count as a requirement, and no path would be tried.
  var beginsWithRequirement: Bool {
    guard MemoryLayout<Int>.size == 8 else { return false }
    // Every key path has the word with the size of its steps. The first step is read only when the size includes one.
    let words = Unmanaged.passUnretained(self).toOpaque()
    let isEmpty = words.load(fromByteOffset: 24, as: UInt32.self) & 0xff_ffff < 8
    guard !isEmpty else { return false }
    let step = words.load(fromByteOffset: 32, as: UInt32.self)
    let (isComputed, isDispatched, hasArguments) = (step >> 24 & 0x7f == 2, step & 0x10_0000 != 0, step & 0x8_0000 != 0)
    return isComputed && isDispatched && hasArguments
  }

  /// Whether the path has a single, computed step. Only `debugDescription` gives the steps.
  var isSingleStep: Bool {
    trailingFields.isEmpty && debugDescription.split(separator: "<computed").count == 2
  }

  /// The stored properties of structs that come after the last computed step.
  var trailingFields: [String] {
    guard let end = debugDescription.lastIndex(of: ")") else { return [] }
    return debugDescription[end...].dropFirst().split(separator: ".").map { $0.filter { !"?!>".contains($0) } }
      .filter { !$0.isEmpty }
  }

  /// The identity of a computed step, which is the same for each class that inherits the property.
  struct ComputedIdentity: Hashable, CustomStringConvertible {
    fileprivate let kind: UInt32
    fileprivate let word: UInt

    var description: String { "\(String(kind, radix: 16)):\(String(word, radix: 16))" }
  }

  /// The identities of the computed steps, by which Swift compares key paths; empty when the object of the key path has
  /// another layout than this code expects.
  ///
  /// The object has a word with the size of all steps. Each step has a header of half a word, the data of its kind, and,
  /// except for the last step, a word with the type at which the next step begins.
  var computedIdentities: [ComputedIdentity] {
    guard MemoryLayout<Int>.size == 8 else { return [] }
    let words = Unmanaged.passUnretained(self).toOpaque()
    let end = 32 + Int(words.load(fromByteOffset: 24, as: UInt32.self) & 0xff_ffff)
    var identities: [ComputedIdentity] = []
    var offset = 32
    while offset + 4 <= end {
      let step = words.load(fromByteOffset: offset, as: UInt32.self)
      offset += 4
      switch step >> 24 & 0x7f {
      case 1, 3:
        // The offset of a stored property is in the half word, or in the next one.
        let field = step & 0x7f_ffff
        if field == 0x7f_ffff { offset += 4 } else if field >= 0x7f_fffc { return [] }
      case 2:
        offset = (offset + 7) & ~7
        guard offset + 16 <= end else { return [] }
        identities.append(
          ComputedIdentity(kind: step & 0x30_0000, word: words.load(fromByteOffset: offset, as: UInt.self)))
        offset += step & 0x40_0000 == 0 ? 16 : 24
        if step & 0x8_0000 != 0 {
          guard offset + 16 <= end else { return [] }
          let size = words.load(fromByteOffset: offset, as: Int.self)
          guard size >= 0, size <= end - offset - 16 else { return [] }
          // A step that another module declares with generic arguments has one more word.
          offset += 16 + size + (step & 0x10 == 0 ? 0 : 8)
        }
      case 4: break
      default: return []
      }
      if offset < end { offset = ((offset + 7) & ~7) + 8 }
    }
    return offset <= end ? identities : []
  }
}
