import Foundation
import Relational

/// Sort descriptors translated for a store.
struct TranslatedSort {
  var orderings: [Select.Ordering]
  /// The reason to sort in memory instead.
  var untranslated: Untranslatable?
}

/// Translates sort descriptors over models of one entity into SQL.
///
/// Text is ordered by its sort key, or by its bytes if a descriptor demands that: in Unicode's normal form C, as in unique
/// columns, bytes have the order of Swift strings.
struct SortTranslator {
  let layout: StoreLayout
  let entity: EntityLayout

  /// The orderings for the rows of `Projection.alias`.
  ///
  /// - Throws: `SwiftDataError.unsupportedPredicate` if one uses models that the store does not have.
  func translate<T>(_ descriptors: [SortDescriptor<T>]) throws -> TranslatedSort {
    let context = TranslationContext(layout: layout, store: .empty)
    var orderings: [Select.Ordering] = []
    for descriptor in descriptors {
      do {
        guard let keyPath = descriptor.keyPath else { throw Untranslatable("the descriptor has no key path") }
        let added = try self.orderings(keyPath, descriptor.order, context)
        guard added.allSatisfy({ layout.rules.supports($0.expression) }) else {
          throw Untranslatable("the database has no function for it")
        }
        orderings += added
      } catch var failure as Untranslatable {
        failure.keyPath = descriptor.keyPath.map(PredicateDescription.name)
        return TranslatedSort(orderings: [], untranslated: failure)
      }
    }
    return TranslatedSort(orderings: orderings)
  }

  private func orderings(
    _ keyPath: AnyKeyPath, _ order: SortOrder, _ context: TranslationContext
  ) throws -> [Select.Ordering] {
    let isDescending = order == .reverse
    let text = TextOrder.origin(of: keyPath)
    let model = ModelTerm(entity, source: Projection.alias)
    switch try model.end(of: text?.keyPath ?? keyPath, context) {
    case .scalar(var scalar):
      if let type = scalar.kind.rawType { scalar = try CaseValues.ranks(of: type, scalar, context) }
      guard scalar.kind.hasOrder else { throw Untranslatable("SQL cannot order \(scalar.kind)") }
      // Nil is the least value, and so the last one in a descending order.
      let nulls: Select.Ordering.Nulls? = scalar.mayBeNull ? (isDescending ? .last : .first) : nil
      let value = text.map { key(of: scalar.expression, isStandard: $0.isStandard) } ?? bytes(of: scalar)
      return [Select.Ordering(value, isDescending: isDescending, nulls: nulls)]
    case .identifier(let model):
      let nulls: Select.Ordering.Nulls? = model.presence.map { _ in isDescending ? .last : .first }
      let key = Select.Ordering(model.key.expression, isDescending: isDescending, nulls: nulls)
      guard model.layout.family.count > 1, let type = model.layout.typeColumn else { return [key] }
      // Identifiers are ordered by their entity's name first.
      let name = model.column(type, .text, isOptional: model.presence != nil, context).expression
      return [.init(name, isDescending: isDescending, nulls: nulls), key]
    default:
      throw Untranslatable("there is no single value to sort by")
    }
  }

  /// The value that is compared by its bytes: see `StoreLayout.keepsForms`.
  private func bytes(of scalar: ScalarTerm) -> SQLExpression {
    guard scalar.kind.isText else { return scalar.expression }
    // An expression over the cases of an enumeration has no index.
    if case .column = scalar.column { return scalar.expression }
    return TextComparison.normalized(scalar.expression)
  }

  /// The sort key of a text, written as in `TableDefinition.Index`, so that an index is found.
  private func key(of text: SQLExpression, isStandard: Bool) -> SQLExpression {
    let function = isStandard ? layout.sorting.localizedStandard : layout.sorting.localized
    return .function(.custom(function.name), [text])
  }
}

extension ScalarKind {
  private static func isAscending<Truth: Comparable & ExpressibleByBooleanLiteral>(_ type: Truth.Type) -> Bool {
    let (no, yes): (Truth, Truth) = (false, true)
    return no < yes
  }

  /// Whether the columns of the kind are in the order of the values.
  fileprivate var hasOrder: Bool {
    guard rawType == nil, let primitive else { return false }
    guard primitive == Bool.self else { return primitive is any Comparable.Type }
    // A program may make Bool comparable in another order.
    return (primitive as? any (Comparable & ExpressibleByBooleanLiteral).Type).map { Self.isAscending($0) } ?? false
  }
}
