import SwiftSyntax

/// A definite-initialization analysis: finds the properties that some path through an initializer leaves without a value.
///
/// The macro gives the backing storage of each property (its slot) an initial value, so the compiler's own check never reports
/// a property that an initializer does not set. Without these values, no setter could be used in an initializer: the compiler
/// allows no setter before all stored properties have values.
///
/// Ambiguous code counts as setting every property that is assigned anywhere in it, or as not returning. So some mistakes are
/// missed, and nothing is reported falsely.
struct InitializerFlow {
  private let names: Set<String>
  /// The names of functions that certainly return.
  private let returning: Set<String>
  /// The names of the body's local variables: without `self.`, such a name is not a property.
  private let localNames: Set<String>
  /// The properties with a value at each `return`.
  private var assignedAtReturns: [Set<String>] = []
  /// The properties with a value at each `break` of the innermost loop or `switch`.
  private var assignedAtBreaks: [Set<String>] = []

  private static let neverReturning: Set<String> = ["abort", "exit", "fatalError", "preconditionFailure"]

  /// - Parameters:
  ///   - names: The properties that need a value.
  ///   - members: The names of the class's own members. A call through one of these returns.
  /// - Returns: The properties that have no value at the end of some path through the body.
  static func missing(
    of names: Set<String>, in body: CodeBlockItemListSyntax, members: Set<String>
  ) -> Set<String> {
    var flow = InitializerFlow(
      names: names,
      returning: members.union(["assert", "assertionFailure", "debugPrint", "precondition", "print", "self", "super"]),
      localNames: Set(body.flatMap(\.variableNames)))
    let end = flow.assigned(after: body, from: [])
    let common = (flow.assignedAtReturns + [end].compactMap(\.self)).reduce(names) { $0.intersection($1) }
    return names.subtracting(common)
  }

  private init(names: Set<String>, returning: Set<String>, localNames: Set<String>) {
    self.names = names
    self.returning = returning
    self.localNames = localNames
  }

  /// - Returns: The properties with a value after the statements; nil when no path reaches their end.
  private mutating func assigned(after items: CodeBlockItemListSyntax, from before: Set<String>) -> Set<String>? {
    var current: Set<String>? = before
    for item in items {
      guard let known = current else { return nil }
      current = assigned(after: item, from: known)
    }
    if let last = items.last, mayNotReturn(last) { return nil }
    return current
  }

  private mutating func assigned(after item: CodeBlockItemSyntax, from before: Set<String>) -> Set<String>? {
    switch item.item {
    case .expr(let expression):
      return assigned(after: expression, from: before)
    case .stmt(let statement):
      return assigned(after: statement, from: before)
    case .decl(let declaration):
      // The macro does not know which clause of `#if` is active.
      return declaration.is(IfConfigDeclSyntax.self) ? before.union(assigned(in: declaration)) : before
    }
  }

  private mutating func assigned(after statement: StmtSyntax, from before: Set<String>) -> Set<String>? {
    switch statement.as(StmtSyntaxEnum.self) {
    case .expressionStmt(let statement):
      return assigned(after: statement.expression, from: before)
    case .returnStmt(let statement):
      // A failable initializer that returns nil makes no model.
      if statement.expression?.is(NilLiteralExprSyntax.self) != true { assignedAtReturns.append(before) }
      return nil
    case .guardStmt(let statement):
      _ = assigned(after: statement.body.statements, from: before)
      return before
    case .doStmt(let statement):
      return assigned(after: statement, from: before)
    case .breakStmt(let statement):
      if statement.label == nil { assignedAtBreaks.append(before) }
      return nil
    case .throwStmt, .continueStmt, .fallThroughStmt:
      return nil
    case .forStmt(let statement):
      _ = collectingBreaks { $0.assigned(after: statement.body.statements, from: before) }
      return before
    case .whileStmt(let statement):
      return assigned(after: statement, from: before)
    default:
      // `repeat`, `defer`, labeled statements and future kinds of statements.
      return before.union(assigned(in: statement))
    }
  }

  private mutating func assigned(after statement: WhileStmtSyntax, from before: Set<String>) -> Set<String>? {
    let isEndless = statement.conditions.trimmedDescription == "true"
    let (_, atBreaks) = collectingBreaks { $0.assigned(after: statement.body.statements, from: before) }
    return isEndless ? merge(atBreaks) : before
  }

  private mutating func assigned(after statement: DoStmtSyntax, from before: Set<String>) -> Set<String>? {
    var paths = [assigned(after: statement.body.statements, from: before)]
    let firstThrowing = statement.body.statements.firstIndex(where: Self.mayThrow)
    guard !statement.catchClauses.isEmpty, let firstThrowing else { return merge(paths) }
    // A catch clause may run as soon as the first statement that can throw has begun.
    let earlier = statement.body.statements[..<firstThrowing].reduce(into: before) { $0.formUnion(assigned(in: $1)) }
    let item = statement.body.statements[firstThrowing]
    // Assignments in a compound statement may come before its part that throws.
    let caught = item.isSimple ? earlier : earlier.union(assigned(in: item))
    for clause in statement.catchClauses {
      paths.append(assigned(after: clause.body.statements, from: caught))
    }
    return merge(paths)
  }

  private mutating func assigned(after expression: ExprSyntax, from before: Set<String>) -> Set<String>? {
    switch expression.as(ExprSyntaxEnum.self) {
    case .ifExpr(let expression):
      return assigned(after: expression, from: before)
    case .switchExpr(let expression):
      return assigned(after: expression, from: before)
    default:
      if let name = expression.firstNameOfCallee, Self.neverReturning.contains(name) { return nil }
      return before.union(assigned(in: expression))
    }
  }

  private mutating func assigned(after expression: IfExprSyntax, from before: Set<String>) -> Set<String>? {
    let first = assigned(after: expression.body.statements, from: before)
    switch expression.elseBody {
    case nil: return merge([first, before])
    case .codeBlock(let block): return merge([first, assigned(after: block.statements, from: before)])
    case .ifExpr(let next): return merge([first, assigned(after: next, from: before)])
    }
  }

  private mutating func assigned(after expression: SwitchExprSyntax, from before: Set<String>) -> Set<String>? {
    var paths: [Set<String>?] = []
    let (_, atBreaks) = collectingBreaks { flow in
      for element in expression.cases {
        switch element {
        case .switchCase(let single): paths.append(flow.assigned(after: single.statements, from: before))
        case .ifConfigDecl(let clauses): paths.append(before.union(flow.assigned(in: clauses)))
        }
      }
      return nil
    }
    return merge(paths + atBreaks)
  }

  /// Runs `body` for a loop or `switch`, and collects the properties with a value at each `break` that leaves it.
  private mutating func collectingBreaks(
    _ body: (inout InitializerFlow) -> Set<String>?
  ) -> (end: Set<String>?, atBreaks: [Set<String>?]) {
    let outer = assignedAtBreaks
    assignedAtBreaks = []
    let end = body(&self)
    defer { assignedAtBreaks = outer }
    return (end, assignedAtBreaks)
  }

  /// The properties with a value on all of several paths.
  private func merge(_ paths: [Set<String>?]) -> Set<String>? {
    let paths = paths.compactMap(\.self)
    guard let first = paths.first else { return nil }
    return paths.dropFirst().reduce(first) { $0.intersection($1) }
  }

  private func assigned(in node: some SyntaxProtocol) -> Set<String> {
    let finder = AssignmentFinder(localNames: localNames)
    finder.walk(node)
    return finder.names.intersection(names)
  }

  /// Whether the last statement of a block calls a function that may return `Never`.
  private func mayNotReturn(_ item: CodeBlockItemSyntax) -> Bool {
    guard case .expr(let expression) = item.item, let name = expression.firstNameOfCallee else { return false }
    return !returning.contains(name)
  }

  private static func mayThrow(_ item: CodeBlockItemSyntax) -> Bool {
    let finder = ThrowFinder(viewMode: .sourceAccurate)
    finder.walk(item)
    return finder.isFound
  }
}

/// Finds the assigned names, `name` or `self.name`, outside of closures and functions.
private final class AssignmentFinder: SyntaxVisitor {
  var names: Set<String> = []
  private let localNames: Set<String>

  /// - Parameter localNames: The names of local variables, which need `self` to mean a property.
  init(localNames: Set<String>) {
    self.localNames = localNames
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    for (target, next) in zip(node.elements, node.elements.dropFirst()) where next.is(AssignmentExprSyntax.self) {
      take(target)
    }
    return .visitChildren
  }

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    if node.operator.is(AssignmentExprSyntax.self) { take(node.leftOperand) }
    return .visitChildren
  }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  private func take(_ target: ExprSyntax) {
    if let inner = target.withoutEffectKeyword {
      take(inner)
    } else if let tuple = target.as(TupleExprSyntax.self) {
      for element in tuple.elements { take(element.expression) }
    } else if let reference = target.as(DeclReferenceExprSyntax.self) {
      let name = reference.baseName.nameWithoutBackticks
      if !localNames.contains(name) { names.insert(name) }
    } else if let member = target.as(MemberAccessExprSyntax.self), member.base?.trimmedDescription == "self" {
      names.insert(member.declName.baseName.nameWithoutBackticks)
    }
  }
}

/// Finds statements that may throw, outside of closures and functions.
private final class ThrowFinder: SyntaxVisitor {
  var isFound = false

  override func visit(_ node: TryExprSyntax) -> SyntaxVisitorContinueKind {
    if node.questionOrExclamationMark == nil { isFound = true }
    return .visitChildren
  }

  override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind {
    if node.tryKeyword != nil { isFound = true }
    return .visitChildren
  }

  override func visit(_ node: ThrowStmtSyntax) -> SyntaxVisitorContinueKind {
    isFound = true
    return .skipChildren
  }

  /// A `do` statement with a catch clause for every error does not propagate errors of its body.
  override func visit(_ node: DoStmtSyntax) -> SyntaxVisitorContinueKind {
    guard node.catchClauses.contains(where: \.catchItems.isEmpty) else { return .visitChildren }
    walk(node.catchClauses)
    return .skipChildren
  }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}

extension ExprSyntax {
  /// The operand of `try`, `await` or `unsafe`. In the syntax of `try a = b`, the keyword wraps only `a`.
  fileprivate var withoutEffectKeyword: ExprSyntax? {
    self.as(TryExprSyntax.self)?.expression ?? self.as(AwaitExprSyntax.self)?.expression
      ?? self.as(UnsafeExprSyntax.self)?.expression
  }

  /// The first name in the callee of a call, such as `self` in `self.f()`; nil for other expressions.
  fileprivate var firstNameOfCallee: String? {
    if let inner = withoutEffectKeyword { return inner.firstNameOfCallee }
    guard let call = self.as(FunctionCallExprSyntax.self) else { return nil }
    return call.calledExpression.firstToken(viewMode: .sourceAccurate)?.nameWithoutBackticks
  }
}

extension CodeBlockItemSyntax {
  /// The names of the variables that the item declares.
  fileprivate var variableNames: [String] {
    guard case .decl(let declaration) = item, let variable = declaration.as(VariableDeclSyntax.self) else { return [] }
    return variable.bindings.compactMap {
      $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.nameWithoutBackticks
    }
  }

  /// Whether the item contains no statements.
  fileprivate var isSimple: Bool {
    switch item {
    case .decl: true
    case .expr(let expression): !expression.is(IfExprSyntax.self) && !expression.is(SwitchExprSyntax.self)
    case .stmt(let statement): statement.is(ReturnStmtSyntax.self) || statement.is(ThrowStmtSyntax.self)
    }
  }
}
