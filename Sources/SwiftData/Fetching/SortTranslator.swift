import Foundation
import Relational

/// Sort descriptors as a store follows them.
struct TranslatedSort {
  var orderings: [Select.Ordering]
}

/// Turns sort descriptors over models of one entity into SQL.
///
/// Text is ordered by its bytes, which is Swift's order for text in Unicode's normal form C.
struct SortTranslator {
  let layout: StoreLayout
  let entity: EntityLayout

  /// The orderings for the rows of `Projection.alias`; nil when the models have to be sorted in memory.
  func translate<T>(_ descriptors: [SortDescriptor<T>]) -> TranslatedSort? {
    let context = TranslationContext(layout: layout, store: InternedString(""))
    var orderings: [Select.Ordering] = []
    for descriptor in descriptors {
      guard let keyPath = descriptor.keyPath, let added = try? self.orderings(keyPath, descriptor.order, context)
      else { return nil }
      orderings += added
    }
    return TranslatedSort(orderings: orderings)
  }

  private func orderings(
    _ keyPath: AnyKeyPath, _ order: SortOrder, _ context: TranslationContext
  ) throws -> [Select.Ordering] {
    let isDescending = order == .reverse
    switch try ModelTerm(entity, source: Projection.alias).end(of: keyPath, context) {
    case .scalar(let scalar):
      guard scalar.kind.hasOrder else { throw Untranslatable("SQL does not know the order of \(scalar.kind)") }
      // Nil comes before everything, and last when everything is turned round.
      let nulls: Select.Ordering.Nulls? = scalar.mayBeNull ? (isDescending ? .last : .first) : nil
      return [Select.Ordering(scalar.expression, isDescending: isDescending, nulls: nulls)]
    case .identifier(let model):
      let key = Select.Ordering(model.key.expression, isDescending: isDescending)
      guard entity.family.count > 1, let type = entity.typeColumn else { return [key] }
      // Identifiers go by their entity's name first.
      return [.init(.column(table: Projection.alias, name: type), isDescending: isDescending), key]
    default:
      throw Untranslatable("there is no single value to sort by")
    }
  }
}

extension ScalarKind {
  /// Whether the columns of the kind are in the order of the values.
  fileprivate var hasOrder: Bool {
    guard rawType == nil, let primitive else { return false }
    return primitive is any Comparable.Type
  }
}
