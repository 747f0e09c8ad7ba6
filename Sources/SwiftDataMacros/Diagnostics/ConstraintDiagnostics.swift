import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The diagnostics of `#Index` and `#Unique` for a wrong place or wrong arguments.
enum ConstraintDiagnostics {
  static func report(_ node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext) {
    let name = node.macroName.text
    let model = context.lexicalContext.first?.as(ClassDeclSyntax.self)
    if model?.attributes.attribute(named: "Model") == nil {
      context.diagnose(
        .error("constraintOutsideOfModel", "#\(name) must stand in the body of a class with @Model"), at: node)
    }
    if node.arguments.isEmpty {
      context.diagnose(.error("emptyConstraint", "#\(name) needs the key paths of at least one property"), at: node)
    }
    for argument in node.arguments {
      guard let array = argument.expression.as(ArrayExprSyntax.self), array.elements.isEmpty else { continue }
      context.diagnose(
        .error("emptyConstraint", "#\(name) needs the key paths of at least one property"), at: argument)
    }
  }
}
