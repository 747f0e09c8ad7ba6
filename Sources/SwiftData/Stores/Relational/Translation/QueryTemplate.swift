import Relational

/// The statement for all descriptors of one shape.
struct QueryTemplate: Sendable {
  /// The values in which descriptors of one shape can differ.
  struct Values: Sendable {
    /// The values of the condition, in their order.
    var condition: [Value]
    var limit: Int?
    var offset: Int?
  }

  /// The source of a parameter's value.
  fileprivate enum Source {
    case condition(Int)
    case limit, offset
    /// A constant.
    case none
  }

  let orderings: [Select.Ordering]
  /// The statement of one of the descriptors.
  private let statement: RenderedStatement
  private let sources: [Source]

  /// Nil if the source of a parameter cannot be determined.
  ///
  /// Two statements with different values show where each of them is bound.
  ///
  /// - Parameters:
  ///   - orderings: The translated order of the descriptors.
  ///   - render: Renders the statement for some values.
  init?(_ values: Values, orderings: [Select.Ordering], _ render: (Values) -> RenderedStatement) {
    // Captured numbers are never like these. They are positive, as an offset has to be for the statement to have one.
    let first: Int64 = 0x6b1d_0f5e_0000_0000
    var probes: [Value: Source] = [:]
    func probeValue(for source: Source) -> Int64 {
      let number = first + Int64(probes.count)
      probes[.integer(number)] = source
      return number
    }
    var others = values
    for index in values.condition.indices { others.condition[index] = .integer(probeValue(for: .condition(index))) }
    if values.limit != nil { others.limit = Int(probeValue(for: .limit)) }
    if let offset = values.offset, offset > 0 { others.offset = Int(probeValue(for: .offset)) }
    let (statement, other) = (render(values), render(others))
    guard statement.sql == other.sql, statement.parameters.count == other.parameters.count else { return nil }
    var sources: [Source] = []
    for (value, other) in zip(statement.parameters, other.parameters) {
      if let source = probes[other] {
        guard value != other, value == values[source] else { return nil }
        sources.append(source)
      } else if value == other {
        sources.append(.none)
      } else {
        return nil
      }
    }
    self.orderings = orderings
    self.statement = statement
    self.sources = sources
  }

  /// The statement for a descriptor of the shape.
  func filled(with values: Values) -> RenderedStatement {
    var statement = statement
    for (index, source) in sources.enumerated() {
      if let value = values[source] { statement.parameters[index] = value }
    }
    return statement
  }
}

extension QueryTemplate.Values {
  fileprivate subscript(source: QueryTemplate.Source) -> Value? {
    switch source {
    case .condition(let index): condition[index]
    case .limit: limit.map { .integer(Int64($0)) }
    case .offset: offset.map { .integer(Int64($0)) }
    case .none: nil
    }
  }
}
