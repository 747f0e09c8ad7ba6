/// What Swift's stable binary interface says of enumerations without associated values.
enum EnumerationLayout {
  /// The number of cases of such an enumeration; nil for every other type, and for one that is or stands in generic code.
  static func caseCount<Value>(of type: Value.Type) -> Int? {
    let isLegible = MemoryLayout<Int>.size == 8 && _isPOD(type)
    // The kind of the type, and the address of what the compiler noted of its declaration. Every type has the first.
    // The rest is read of enumerations alone, all of which have it: the second, and seven words of 32 bits behind it.
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

  /// The case with a number, of an enumeration that has at least so many by `caseCount`: one of a byte at most, which
  /// is the number.
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
