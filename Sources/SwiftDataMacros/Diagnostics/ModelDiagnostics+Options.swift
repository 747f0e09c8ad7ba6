import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

extension ModelDiagnostics {
  private static let attributeOptions = [
    "unique", "transformable", "externalStorage", "allowsCloudEncryption", "preserveValueOnDeletion", "ephemeral",
    "spotlight", "codable",
  ]
  private static let relationshipOptions = ["unique"]
  private static let deleteRules = ["cascade", "deny", "noAction", "nullify"]

  static func reportUnknownOptions(of variable: VariableDeclSyntax, in context: some MacroExpansionContext) {
    for (name, options) in [("Attribute", attributeOptions), ("Relationship", relationshipOptions)] {
      guard let attribute = variable.attributes.attribute(named: name),
        case .argumentList(let arguments)? = attribute.arguments
      else { continue }
      for argument in arguments {
        switch argument.label?.text {
        case nil: report(argument.expression, known: options, kind: "option of @\(name)", in: context)
        case "deleteRule": report(argument.expression, known: deleteRules, kind: "delete rule", in: context)
        default: break
        }
      }
    }
  }

  /// The compiler rejects a member that does not exist; this suggests the likely spelling. It is a warning because the program
  /// may add members to the option type.
  private static func report(
    _ expression: ExprSyntax, known: [String], kind: String, in context: some MacroExpansionContext
  ) {
    guard let name = expression.implicitMember, !known.contains(name.text),
      let closest = name.text.closest(among: known)
    else { return }
    let fixIt = FixIt.replacing(
      name, with: name.with(\.tokenKind, .identifier(closest)), id: "replaceOption", "change to '\(closest)'")
    context.diagnose(
      .warning("unknownOption", "unknown \(kind) '\(name.text)'; did you mean '\(closest)'?"), at: name,
      fixIts: [fixIt])
  }
}

extension ExprSyntax {
  /// The name in `.name` or `.name(…)`.
  fileprivate var implicitMember: TokenSyntax? {
    let member =
      self.as(MemberAccessExprSyntax.self)
      ?? self.as(FunctionCallExprSyntax.self)?.calledExpression.as(MemberAccessExprSyntax.self)
    return member?.base == nil ? member?.declName.baseName : nil
  }
}

extension String {
  /// The word that was probably meant by this one, if any.
  func closest(among words: some Sequence<String>) -> String? {
    let closest = words.min { editDistance(to: $0) < editDistance(to: $1) }
    return closest.flatMap { editDistance(to: $0) <= max(2, $0.count / 3) ? $0 : nil }
  }

  /// The number of letters to add, remove or replace to turn this word into the other one.
  private func editDistance(to other: String) -> Int {
    var row = Array(0...other.count)
    for (i, letter) in enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, otherLetter) in other.enumerated() {
        let replaced = diagonal + (letter == otherLetter ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = Swift.min(replaced, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[other.count]
  }
}
