import SwiftDiagnostics
import SwiftSyntax

extension FixIt {
  static func replacing(
    _ old: some SyntaxProtocol, with new: some SyntaxProtocol, id: String, _ message: String
  ) -> FixIt {
    FixIt(
      message: MacroMessage.fixIt(id, message), changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
  }

  /// Replaces one keyword by another or by several words.
  static func replacing(keyword: TokenSyntax, with text: String) -> FixIt {
    let new = TokenSyntax(
      .identifier(text), leadingTrivia: keyword.leadingTrivia, trailingTrivia: keyword.trailingTrivia,
      presence: .present)
    return replacing(keyword, with: new, id: "replaceKeyword", "change '\(keyword.text)' to '\(text)'")
  }

  static func addingTransient(to declaration: VariableDeclSyntax) -> FixIt {
    let attribute = AttributeListSyntax.Element(AttributeSyntax("@Transient").with(\.trailingTrivia, .space))
    var new = declaration.with(\.leadingTrivia, [])
    new.attributes = [attribute] + new.attributes
    return replacing(
      declaration, with: new.with(\.leadingTrivia, declaration.leadingTrivia), id: "addTransient", "add '@Transient'")
  }

  static func removing(_ modifier: DeclModifierSyntax, from declaration: VariableDeclSyntax) -> FixIt {
    var new = declaration
    new.modifiers = declaration.modifiers.filter { $0.name.text != modifier.name.text }
    return replacing(
      declaration, with: new.with(\.leadingTrivia, declaration.leadingTrivia), id: "removeModifier",
      "remove '\(modifier.name.text)'")
  }

  /// Empty when the compiler passes the declaration without its attributes.
  static func removing(_ attribute: AttributeSyntax, from declaration: some DeclSyntaxProtocol) -> [FixIt] {
    // The attribute itself may belong to another syntax tree.
    let attributes = declaration.asProtocol((any WithAttributesSyntax).self)?.attributes
    let attached = attributes?.lazy.compactMap { $0.as(AttributeSyntax.self) }
      .first { $0.trimmedDescription == attribute.trimmedDescription }
    guard let attached else { return [] }
    let endsLine = attached.nextToken(viewMode: .sourceAccurate)?.leadingTrivia.contains(where: \.isNewline) ?? true
    let nothing = TokenSyntax(
      .unknown(""), leadingTrivia: endsLine ? [] : attached.leadingTrivia, presence: .present)
    let name = attribute.attributeName.trimmedDescription
    return [.replacing(attached, with: nothing, id: "removeAttribute", "remove '@\(name)'")]
  }
}
