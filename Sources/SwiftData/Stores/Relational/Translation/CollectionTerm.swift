import Foundation
import Relational

/// All or some members of a to-many relationship, or elements of a value that is stored as JSON.
struct CollectionTerm {
  enum Members {
    case relationship(owner: ScalarTerm, PropertyLayout.Storage, EntityLayout)
    case json(JSONElements)
  }

  var members: Members
  /// The conditions that members have to meet.
  var filters: [(Term, TranslationContext) throws -> Condition] = []
  /// Whether there is a collection; nil if it is not optional.
  var presence: Presence?

  /// Whether any member meets a condition.
  func exists(
    _ context: TranslationContext, where condition: ((Term) throws -> Condition)? = nil
  ) throws -> Condition {
    guard condition != nil || !filters.isEmpty else { return .exact(SQLTest(.exists(try rows(context).select))) }
    let (select, member) = try members(context)
    var test = Condition.always(true)
    for filter in filters { test = test.and(try filter(member, context)) }
    if let condition { test = test.and(try condition(member)) }
    return test.map { truth in
      switch truth {
      case .always(false): return .always(false)
      case .always(true): return .test(SQLTest(.exists(select)))
      case .test(let test):
        var select = select
        select.condition = select.condition.map { .binary(.and, $0, test.expression) } ?? test.expression
        return .test(SQLTest(.exists(select)))
      }
    }
  }

  /// Whether the member of a relationship with a key is included.
  func contains(_ key: SQLExpression, _ context: TranslationContext) throws -> Condition {
    guard filters.isEmpty else {
      return try exists(context) { member in
        guard case .model(let member) = member else { throw Untranslatable("what is searched has no models") }
        return .exact(SQLTest(.binary(.equal, member.key.column, key)))
      }
    }
    var (select, member) = try rows(context)
    let isMember = SQLExpression.binary(.equal, member, key)
    select.condition = select.condition.map { .binary(.and, $0, isMember) } ?? isMember
    return .exact(SQLTest(.exists(select)))
  }

  /// The number of members.
  func count(_ context: TranslationContext) throws -> ScalarTerm {
    var select: Select
    if filters.isEmpty {
      select = try rows(context).select
    } else {
      let member: Term
      (select, member) = try members(context)
      for filter in filters {
        let test = try filter(member, context).exactTest()
        select.condition = select.condition.map { .binary(.and, $0, test.expression) } ?? test.expression
      }
    }
    select.columns = [.aggregate(.count, nil, distinct: false)]
    return ScalarTerm(.scalar(select), .int, isOptional: false)
  }

  /// The rows that name the members, with the expression of the members' key.
  private func rows(_ context: TranslationContext) throws -> (select: Select, key: SQLExpression) {
    let alias = context.makeAlias()
    if case .json(let elements) = members {
      let key = SQLExpression.column(table: alias, name: Select.Source.Element.key)
      return (Select(columns: [], from: .init(elements: elements.json.expression, alias: alias)), key)
    }
    guard case .relationship(let ownerKey, let storage, _) = members else {
      throw Untranslatable("the members are of an unknown kind")
    }
    let table: String
    let owner: String
    let member: String
    switch storage {
    case .referencedMembers(let members, let column, _):
      (table, owner, member) = (members, column, LayoutNames.primaryKey)
    case .joinedMembers(let join):
      (table, owner, member) = (join.table, join.owner, join.member)
    default:
      throw Untranslatable("the relationship is not to-many")
    }
    let isOwned = SQLExpression.binary(.equal, .column(table: alias, name: owner), ownerKey.expression)
    let select = Select(columns: [], from: .init(table: table, alias: alias), condition: isOwned)
    return (select, .column(table: alias, name: member))
  }

  /// The rows of the members themselves.
  func members(_ context: TranslationContext) throws -> (select: Select, member: Term) {
    var (select, key) = try rows(context)
    switch members {
    case .json(let elements):
      return (select, try elements.element(select.from.alias))
    case .relationship(_, .joinedMembers, let destination):
      return join(&select, key, destination, context)
    case .relationship(_, _, let destination):
      return (select, .model(ModelTerm(destination, source: select.from.alias)))
    }
  }

  private func join(
    _ select: inout Select, _ key: SQLExpression, _ destination: EntityLayout, _ context: TranslationContext
  ) -> (select: Select, member: Term) {
    let alias = context.makeAlias()
    select.joins = [
      .init(
        source: .init(table: destination.table, alias: alias),
        on: .binary(.equal, .column(table: alias, name: LayoutNames.primaryKey), key))
    ]
    return (select, .model(ModelTerm(destination, source: alias)))
  }
}
