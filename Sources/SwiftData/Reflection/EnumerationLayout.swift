/// The layout of enumerations without associated values, by Swift's stable binary interface.
enum EnumerationLayout {
  /// The number of cases of such an enumeration; nil for every other type, and for one in a generic context.
  static func caseCount<Value>(of type: Value.Type) -> Int? {
    let isLegible = MemoryLayout<Int>.size == 8 && _isPOD(type)
    // Word 0 of the metadata is the kind, which every type has. For enumerations, word 1 is the address of the type
    // descriptor, of which seven words of 32 bits are read.
    let metadata = unsafeBitCast(type as Any.Type, to: UnsafePointer<UInt>.self)
    let enumerationKind: UInt = 0x201
    guard isLegible, metadata[0] == enumerationKind, let declaration = UnsafeRawPointer(bitPattern: metadata[1]) else {
      return nil
    }
    let flags = declaration.load(as: UInt32.self)
    let (kind, isGeneric) = (flags & 0x1f, flags & 0x80 != 0)
    let payloadCaseCount = declaration.load(fromByteOffset: 20, as: UInt32.self) & 0xff_ffff
    let count = Int(declaration.load(fromByteOffset: 24, as: UInt32.self))
    guard kind == 18, !isGeneric, payloadCaseCount == 0, (1...256).contains(count),
      MemoryLayout<Value>.size == (count == 1 ? 0 : 1)
    else { return nil }
    return count
  }

  /// The case with the number `tag`, which must be less than `caseCount`. The case is stored in one byte at most, which is
  /// the number.
  static func value<Value>(of type: Value.Type, tag: Int) -> Value {
    withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { buffer in
      buffer.storeBytes(of: UInt8(tag), as: UInt8.self)
      return buffer.load(as: type)
    }
  }

  /// The number of a case, in the order of the declaration.
  static func tag<Value>(of value: Value) -> Int {
    withUnsafeBytes(of: value) { Int($0.first ?? 0) }
  }
}
