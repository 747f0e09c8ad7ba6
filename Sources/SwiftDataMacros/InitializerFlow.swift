import SwiftSyntax

/// Follows the control flow of an initializer and finds properties that a path leaves without a value.
///
/// The slots of a model have initial values, so the compiler reports no missing value. Slots without initial values would make
/// setters unusable in an initializer: the compiler allows no setter before all stored properties have values.
///
/// Syntax does not decide everything. Where it is ambiguous, a path is assumed to set all values or to end, so there are no
/// false reports.
struct InitializerFlow {
  private let names: Set<String>
  /// The names of functions that certainly return.
  private let returning: Set<String>
  /// The names of local variables in the whole body.
  private let hidden: Set<String>
  private var ends: [Set<String>] = []
  /// The properties with a value at the `break` statements of the innermost loop or `switch`.
  private var breaks: [Set<String>] = []

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
      hidden: Set(body.flatMap(\.variableNames)))
    let end = flow.run(body, [])
    let common = (flow.ends + [end].compactMap(\.self)).reduce(names) { $0.intersection($1) }
    return names.subtracting(common)
  }

  private init(names: Set<String>, returning: Set<String>, hidden: Set<String>) {
    self.names = names
    self.returning = returning
    self.hidden = hidden
  }

  /// - Returns: The properties with a value after the statements; nil when no path reaches their end.
  private mutating func run(_ items: CodeBlockItemListSyntax, _ given: Set<String>) -> Set<String>? {
    var given: Set<String>? = given
    for item in items {
      guard let before = given else { return nil }
      given = run(item, before)
    }
    if let last = items.last, mayNotReturn(last) { return nil }
    return given
  }

  private mutating func run(_ item: CodeBlockItemSyntax, _ given: Set<String>) -> Set<String>? {
    switch item.item {
    case .expr(let expression):
      return run(expression, given)
    case .stmt(let statement):
      return run(statement, given)
    case .decl(let declaration):
      // The macro does not know which clause of `#if` is active.
      return declaration.is(IfConfigDeclSyntax.self) ? given.union(assigned(in: declaration)) : given
    }
  }

  private mutating func run(_ statement: StmtSyntax, _ given: Set<String>) -> Set<String>? {
    switch statement.as(StmtSyntaxEnum.self) {
    case .expressionStmt(let statement):
      return run(statement.expression, given)
    case .returnStmt(let statement):
      if statement.expression?.is(NilLiteralExprSyntax.self) != true { ends.append(given) }
      return nil
    case .guardStmt(let statement):
      _ = run(statement.body.statements, given)
      return given
    case .doStmt(let statement):
      return run(statement, given)
    case .breakStmt(let statement):
      if statement.label == nil { breaks.append(given) }
      return nil
    case .throwStmt, .continueStmt, .fallThroughStmt:
      return nil
    case .forStmt(let statement):
      _ = leaving { $0.run(statement.body.statements, given) }
      return given
    case .whileStmt(let statement):
      return run(statement, given)
    default:
      // `repeat`, `defer`, labeled statements and future kinds of statements.
      return given.union(assigned(in: statement))
    }
  }

  private mutating func run(_ statement: WhileStmtSyntax, _ given: Set<String>) -> Set<String>? {
    let isEndless = statement.conditions.trimmedDescription == "true"
    let (_, left) = leaving { $0.run(statement.body.statements, given) }
    return isEndless ? merge(left) : given
  }

  private mutating func run(_ statement: DoStmtSyntax, _ given: Set<String>) -> Set<String>? {
    var ways = [run(statement.body.statements, given)]
    let failing = statement.body.statements.firstIndex(where: Self.mayThrow)
    guard !statement.catchClauses.isEmpty, let failing else { return merge(ways) }
    let before = statement.body.statements[..<failing].reduce(into: given) { $0.formUnion(assigned(in: $1)) }
    let item = statement.body.statements[failing]
    // Assignments in a compound statement may come before its failing part.
    let caught = item.isSimple ? before : before.union(assigned(in: item))
    for clause in statement.catchClauses {
      ways.append(run(clause.body.statements, caught))
    }
    return merge(ways)
  }

  private mutating func run(_ expression: ExprSyntax, _ given: Set<String>) -> Set<String>? {
    switch expression.as(ExprSyntaxEnum.self) {
    case .ifExpr(let expression):
      return run(expression, given)
    case .switchExpr(let expression):
      return run(expression, given)
    default:
      if let name = expression.calledName, Self.neverReturning.contains(name) { return nil }
      return given.union(assigned(in: expression))
    }
  }

  private mutating func run(_ expression: IfExprSyntax, _ given: Set<String>) -> Set<String>? {
    let first = run(expression.body.statements, given)
    switch expression.elseBody {
    case nil: return merge([first, given])
    case .codeBlock(let block): return merge([first, run(block.statements, given)])
    case .ifExpr(let next): return merge([first, run(next, given)])
    }
  }

  private mutating func run(_ expression: SwitchExprSyntax, _ given: Set<String>) -> Set<String>? {
    var ways: [Set<String>?] = []
    let (_, left) = leaving { flow in
      for element in expression.cases {
        switch element {
        case .switchCase(let single): ways.append(flow.run(single.statements, given))
        case .ifConfigDecl(let clauses): ways.append(given.union(flow.assigned(in: clauses)))
        }
      }
      return nil
    }
    return merge(ways + left)
  }

  /// Runs the body of a loop or `switch`, which a `break` can leave.
  private mutating func leaving(
    _ body: (inout InitializerFlow) -> Set<String>?
  ) -> (end: Set<String>?, left: [Set<String>?]) {
    let outer = breaks
    breaks = []
    let end = body(&self)
    defer { breaks = outer }
    return (end, breaks)
  }

  /// The properties with a value on all of several paths.
  private func merge(_ ways: [Set<String>?]) -> Set<String>? {
    let ways = ways.compactMap(\.self)
    guard let first = ways.first else { return nil }
    return ways.dropFirst().reduce(first) { $0.intersection($1) }
  }

  private func assigned(in node: some SyntaxProtocol) -> Set<String> {
    let finder = AssignmentFinder(hidden: hidden)
    finder.walk(node)
    return finder.names.intersection(names)
  }

  /// Whether the last statement of a block calls something that may be of type `Never`.
  private func mayNotReturn(_ item: CodeBlockItemSyntax) -> Bool {
    guard case .expr(let expression) = item.item, let name = expression.calledName else { return false }
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
  private let hidden: Set<String>

  /// - Parameter hidden: The names of local variables, which need `self` to mean a property.
  init(hidden: Set<String>) {
    self.hidden = hidden
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
    if let inner = target.withoutEffects {
      take(inner)
    } else if let tuple = target.as(TupleExprSyntax.self) {
      for element in tuple.elements { take(element.expression) }
    } else if let reference = target.as(DeclReferenceExprSyntax.self) {
      let name = reference.baseName.nameWithoutBackticks
      if !hidden.contains(name) { names.insert(name) }
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
  /// The operand of `try`, `await` or `unsafe`: in an assignment, these belong only to its left side.
  fileprivate var withoutEffects: ExprSyntax? {
    self.as(TryExprSyntax.self)?.expression ?? self.as(AwaitExprSyntax.self)?.expression
      ?? self.as(UnsafeExprSyntax.self)?.expression
  }

  /// The first name of a called expression, when the expression is a call.
  fileprivate var calledName: String? {
    if let inner = withoutEffects { return inner.calledName }
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
