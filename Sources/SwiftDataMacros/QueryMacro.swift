import SwiftSyntax
import SwiftSyntaxMacros

/// Adds a `Query` to a property, which shows its results.
struct QueryMacro: AccessorMacro, PeerMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    // The peer role reports an unsupported declaration.
    guard let property = QueriedProperty(declaration) else { return [] }
    return [AccessorDeclSyntax(verbatim: "get {\n  _\(property.name)._result(in: #isolation)\n}")]
  }

  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let property = QueriedProperty(declaration) else {
      context.diagnose(
        .error("query", "@Query needs a variable with a written type and no value, such as `var items: [Item]`"),
        at: node)
      return []
    }
    let arguments = node.arguments?.trimmedDescription ?? ""
    let type = "SwiftData.Query<\(property.element), \(property.type)>"
    return [DeclSyntax(verbatim: "private(set) var _\(property.name): \(type) = .init(\(arguments))")]
  }
}

/// A property that shows the results of a query.
private struct QueriedProperty {
  let name: String
  let type: String
  /// The type of the models.
  let element: String

  init?(_ declaration: some DeclSyntaxProtocol) {
    guard let variable = declaration.as(VariableDeclSyntax.self), variable.bindingSpecifier.tokenKind == .keyword(.var),
      let binding = variable.bindings.first, variable.bindings.count == 1, binding.initializer == nil,
      binding.accessorBlock == nil, let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
      let type = binding.typeAnnotation?.type
    else { return nil }
    self.name = name
    self.type = type.trimmedDescription
    element = Self.sectionedElement(type) ?? "\(type.trimmedDescription).Element"
  }

  /// The models of `SectionedResults<Item, String>`, whose elements are sections.
  private static func sectionedElement(_ type: TypeSyntax) -> String? {
    let simple = type.as(IdentifierTypeSyntax.self)
    let member = type.as(MemberTypeSyntax.self)
    guard (simple?.name ?? member?.name)?.text == "SectionedResults" else { return nil }
    return (simple?.genericArgumentClause ?? member?.genericArgumentClause)?.arguments.first?.argument
      .trimmedDescription
  }
}
