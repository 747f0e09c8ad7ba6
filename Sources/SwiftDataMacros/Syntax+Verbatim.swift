import SwiftSyntax

// The compiler takes an expansion as text and parses it itself. So the macros do not parse their output, which would take most
// of their time in a debug build: one token has all of the text.

extension DeclSyntax {
  init(verbatim text: String) {
    self.init(MissingDeclSyntax(placeholder: .identifier(text)))
  }
}

extension AccessorDeclSyntax {
  init(verbatim text: String) {
    self.init(accessorSpecifier: .identifier(text))
  }
}

extension AttributeSyntax {
  /// - Parameter text: All that follows the `@`.
  init(verbatim text: String) {
    self.init(attributeName: MissingTypeSyntax(placeholder: .identifier(text)))
  }
}

extension ExtensionDeclSyntax {
  init(verbatim text: String) {
    let nothing = TokenSyntax.identifier("")
    self.init(
      extensionKeyword: .identifier(text), extendedType: MissingTypeSyntax(placeholder: nothing),
      memberBlock: MemberBlockSyntax(leftBrace: nothing, members: [], rightBrace: nothing))
  }
}
