import Relational

extension HistoryRevision.Change {
  /// The values of the former columns as those of the present ones, converted as those of rows are.
  ///
  /// - Returns: Nil where the attribute cannot have them any more.
  func converted(_ values: [Value]) -> [Value]? {
    if previous.isEmpty || present.isEmpty { return values }
    guard values.count == previous.count else { return nil }
    let names = PreviousNames(old: previous.map(\.part), new: present.map(\.part))
    // A structure of one field may have another one by now.
    let isPlain =
      previous.count == 1 && present.count == 1
      && (previous[0].property?.part ?? "") == (present[0].property?.part ?? "")
    func place(of column: String) -> Int? { previous.firstIndex { $0.name == names.previous(of: column) } }
    var converted: [Value] = []
    for column in present {
      guard let position = isPlain ? 0 : place(of: column.name) else {
        // A new field has no value, and a structure is there where it has some, as in rows.
        let isThere = (column.presents ?? []).contains { field in
          place(of: field).map { !values[$0].isNull } ?? false
        }
        converted.append(isThere ? .integer(1) : .null)
        continue
      }
      if previous[position].means(column) {
        converted.append(values[position])
        continue
      }
      let conversion = ValueConversion(from: previous[position].meaning, to: column.meaning)
      guard let value = conversion?.convert(values[position]) else { return nil }
      converted.append(value)
    }
    return converted
  }
}

extension [TableDefinition.Column] {
  /// Whether an attribute that has some columns can have the values that one with others had, as they are.
  func haveTheSame(as others: [TableDefinition.Column]) -> Bool {
    count == others.count
      && zip(self, others).allSatisfy { $0.property?.part == $1.property?.part && $0.means($1) }
  }

  /// Whether they are of types that can have some values at all.
  func canHave(_ values: [Value]) -> Bool {
    count == values.count && zip(self, values).allSatisfy { $0.type.has($1) }
  }
}

extension TableDefinition.Column.ColumnType {
  /// Whether a value can be one of a column. Whole numbers that are too large for a database are bytes there, and what is
  /// no number is a text.
  fileprivate func has(_ value: Value) -> Bool {
    switch (self, value) {
    case (_, .null), (.integer, .integer), (.integer, .blob), (.real, .real), (.real, .integer), (.text, .text),
      (.blob, .blob), (.real, .text(ColumnEncoding.notANumberText)):
      true
    default: false
    }
  }
}
