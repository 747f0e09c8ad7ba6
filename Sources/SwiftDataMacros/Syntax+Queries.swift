import SwiftSyntax

extension AttributeListSyntax {
  /// The attribute of that name, written with or without its module.
  func attribute(named name: String) -> AttributeSyntax? {
    lazy.compactMap { $0.as(AttributeSyntax.self) }.first { attribute in
      let written = attribute.attributeName.trimmedDescription
      return written == name || written == "SwiftData.\(name)"
    }
  }

  /// An attribute for a global actor, judging by its name.
  var globalActor: AttributeSyntax? {
    lazy.compactMap { $0.as(AttributeSyntax.self) }.first { attribute in
      let written = attribute.attributeName.trimmedDescription
      return written.hasSuffix("Actor") && !["ModelActor", "SwiftData.ModelActor"].contains(written)
    }
  }

  var availability: [AttributeSyntax] {
    compactMap { $0.as(AttributeSyntax.self) }.filter { $0.attributeName.trimmedDescription == "available" }
  }
}

extension AttributeSyntax {
  var firstArgument: ExprSyntax? {
    guard case .argumentList(let arguments)? = arguments else { return nil }
    return arguments.first?.expression
  }
}

extension VariableDeclSyntax {
  func modifier(in keywords: [Keyword]) -> DeclModifierSyntax? {
    modifiers.first { modifier in keywords.contains { modifier.name.tokenKind == .keyword($0) } }
  }

  var isTypeMember: Bool {
    modifier(in: [.static, .class]) != nil
  }
}

extension MemberBlockItemListSyntax {
  /// The members of all clauses of `#if`, active or not.
  var conditional: [MemberBlockItemSyntax] {
    flatMap { item in
      item.decl.as(IfConfigDeclSyntax.self)?.clauses.flatMap { clause -> [MemberBlockItemSyntax] in
        guard case .decls(let members)? = clause.elements else { return [] }
        return Array(members) + members.conditional
      } ?? []
    }
  }
}

extension DeclGroupSyntax {
  /// `a struct`, `an enum` and so on.
  var kindWithArticle: String {
    let word = introducer.text
    return (word.first.map { "aeiou".contains($0) } == true ? "an " : "a ") + word
  }
}

extension TypeSyntax {
  /// The literal for an empty value of a well-known type.
  var emptyLiteral: String? {
    if self.is(ArrayTypeSyntax.self) { return "[]" }
    if self.is(DictionaryTypeSyntax.self) { return "[:]" }
    guard let name = self.as(IdentifierTypeSyntax.self)?.name.text else { return nil }
    switch name {
    case "String", "Substring": return "\"\""
    case "Bool": return "false"
    case "Array", "Set": return "[]"
    case "Dictionary": return "[:]"
    case "Double", "Float", "CGFloat", "Decimal": return "0"
    case "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64": return "0"
    default: return nil
    }
  }
}

extension TokenSyntax {
  /// The name without the backticks that a keyword needs.
  var nameWithoutBackticks: String {
    text.filter { $0 != "`" }
  }
}
