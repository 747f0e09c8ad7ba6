import Relational

extension HistoryRevision.Change {
  /// Converts the values of the previous columns to those of the present ones, as the migration converts rows.
  ///
  /// - Returns: Nil where a value cannot be converted.
  func converted(_ values: [Value]) -> [Value]? {
    if previous.isEmpty || present.isEmpty { return values }
    guard values.count == previous.count else { return nil }
    let names = PreviousNames(old: previous.map(\.part), new: present.map(\.part))
    // The only field of a structure may have another name now.
    let isPlain =
      previous.count == 1 && present.count == 1
      && (previous[0].property?.part ?? "") == (present[0].property?.part ?? "")
    func position(of column: String) -> Int? { previous.firstIndex { $0.name == names.previous(of: column) } }
    var converted: [Value] = []
    for column in present {
      guard let position = isPlain ? 0 : position(of: column.name) else {
        // A new field has no value, and a structure is present where it has any, as in rows.
        let isThere = (column.presents ?? []).contains { field in
          position(of: field).map { !values[$0].isNull } ?? false
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
  /// Whether an attribute with these columns can take the values of one with others unchanged.
  func haveTheSame(as others: [TableDefinition.Column]) -> Bool {
    count == others.count
      && zip(self, others).allSatisfy { $0.property?.part == $1.property?.part && $0.means($1) }
  }

  /// Whether the column types can represent some values.
  func canHave(_ values: [Value]) -> Bool {
    count == values.count && zip(self, values).allSatisfy { $0.type.has($1) }
  }
}

extension TableDefinition.Column.ColumnType {
  /// Whether a column can have a value. A column of integers has whole numbers that exceed 64 bits as bytes, and a column
  /// of reals has not-a-number as text.
  fileprivate func has(_ value: Value) -> Bool {
    switch (self, value) {
    case (_, .null), (.integer, .integer), (.integer, .blob), (.real, .real), (.real, .integer), (.text, .text),
      (.blob, .blob), (.real, .text(ColumnEncoding.notANumberText)):
      true
    default: false
    }
  }
}
