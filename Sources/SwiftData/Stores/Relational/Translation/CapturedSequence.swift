import Foundation
import Relational

/// Captured collections of any size, in which a value of each row is searched.
///
/// Elements are handled with their type known: casts of a hundred thousand values take seconds.
enum CapturedSequence {
  static func contains(
    _ elements: some Sequence, _ member: Term, _ context: TranslationContext
  ) throws -> Condition {
    let present = PresentElements(elements)
    let isElement = try isOne(of: present.elements, member, context)
    return present.hasNil ? try Equality.isNil(member, context).or(isElement) : isElement
  }

  private static func isOne(
    of elements: any Collection, _ member: Term, _ context: TranslationContext
  ) throws -> Condition {
    if elements.isEmpty { return .always(false) }
    switch member {
    case .scalar(let scalar):
      return try isOne(of: elements, scalar, context)
    case .model(let model), .identifier(let model):
      if let identifiers = elements as? [PersistentIdentifier] {
        return CapturedModels.contains(identifiers, model, context)
      }
      return try CapturedModels.contains(elements.map { $0 as Any }, model, context)
    default:
      throw Untranslatable("the searched value is no single value")
    }
  }

  private static func isOne(
    of elements: any Collection, _ scalar: ScalarTerm, _ context: TranslationContext
  ) throws -> Condition {
    if scalar.kind.isText {
      guard let texts = elements as? [String] else {
        throw Untranslatable("text is searched in values of another type")
      }
      return .exact(TextComparison.isIn(scalar, texts))
    }
    var encoded = try EncodedElements(elements, as: scalar.kind).values
    if scalar.kind.hasUnequalNaN { encoded.removeAll { $0 == ColumnEncoding.notANumber } }
    if encoded.isEmpty { return .always(false) }
    return .exact(TextComparison.isIn(scalar, encoded))
  }
}

/// The elements of a sequence that are not nil, as an array without any layer of `Optional`.
private struct PresentElements {
  /// An array.
  var elements: any Collection
  var hasNil = false

  init<Elements: Sequence>(_ elements: Elements) {
    let array = Array(elements)
    self.elements = array
    guard let type = Elements.Element.self as? any OptionalValue.Type else { return }
    unwrap(array, type)
  }

  private mutating func unwrap<Wrapper: OptionalValue>(_ elements: any Collection, _ type: Wrapper.Type) {
    guard let optionals = elements as? [Wrapper] else { return }
    let (present, hasNil) = Wrapper.present(in: optionals)
    self.elements = present
    self.hasNil = self.hasNil || hasNil
    if let inner = Wrapper.wrappedType as? any OptionalValue.Type { unwrap(present, inner) }
  }
}

/// The column values of many values of one type.
private final class EncodedElements: ColumnWriter {
  private(set) var values: [Value] = []

  /// - Throws: ``Untranslatable`` if the elements are of another kind.
  init(_ elements: any Collection, as kind: ScalarKind) throws {
    super.init()
    values.reserveCapacity(elements.count)
    func type<Elements: Collection>(_ elements: Elements) -> Any.Type { Elements.Element.self }
    let elementType = type(elements)
    guard let primitive = kind.primitive, write(elements, elementType, primitive, isRaw: kind.rawType != nil) else {
      throw Untranslatable("\(elementType) is compared with \(kind)")
    }
  }

  private func write(
    _ elements: any Collection, _ type: Any.Type, _ primitive: any _PrimitiveValue.Type, isRaw: Bool
  ) -> Bool {
    guard isRaw else { return type == primitive && writePrimitives(elements, primitive) }
    guard let type = type as? any RawRepresentable.Type else { return false }
    return writeRawValues(elements, type, primitive)
  }

  private func writePrimitives<Primitive: _PrimitiveValue>(_ elements: any Collection, _ type: Primitive.Type) -> Bool {
    guard let elements = elements as? [Primitive] else { return false }
    for element in elements { element._write(self, 0) }
    return true
  }

  private func writeRawValues<Raw: RawRepresentable>(
    _ elements: any Collection, _ type: Raw.Type, _ primitive: any _PrimitiveValue.Type
  ) -> Bool {
    guard Raw.RawValue.self == primitive, let elements = elements as? [Raw] else { return false }
    return writePrimitives(elements.map(\.rawValue), primitive)
  }

  override func null(_ column: Int32) { values.append(.null) }
  override func integer(_ value: Int64, _ column: Int32) { values.append(.integer(value)) }
  override func real(_ value: Double, _ column: Int32) { values.append(ColumnEncoding.value(of: value)) }
  override func text(_ value: String, _ column: Int32) { values.append(.text(value)) }
  override func data(_ value: Data, _ column: Int32) { values.append(.blob(value)) }
  override func bytes(_ value: UnsafeRawBufferPointer, _ column: Int32) { values.append(.blob(Data(value))) }
}
