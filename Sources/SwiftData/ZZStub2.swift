import Foundation
import Relational
enum KeyPathResolution { static func propertyIndex(_ keyPath: AnyKeyPath, _ runtime: ModelRuntime) -> Int? { nil } }
enum PredicateInspection { static func usesRelationships<T: PersistentModel>(_ predicate: Predicate<T>) -> Bool { true } }
struct TranslatedPredicate { var condition: SQLExpression?; var isExact: Bool }
struct PredicateTranslator { init(layout: StoreLayout, entity: EntityLayout, store: InternedString) {}
  func translate<T: PersistentModel>(_ predicate: Predicate<T>) throws -> TranslatedPredicate { .init(condition: nil, isExact: false) } }
struct TranslatedSort { var orderings: [Select.Ordering] }
struct SortTranslator { init(layout: StoreLayout, entity: EntityLayout) {} 
  func translate<T>(_ d: [SortDescriptor<T>]) -> TranslatedSort? { nil } }
enum StringFunctions { static let all: [ScalarFunction] = [] }
extension FetchDescriptor { var sortsByRelationship: Bool { true } }
