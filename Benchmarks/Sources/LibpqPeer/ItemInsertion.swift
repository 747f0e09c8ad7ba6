/// The statements by which items are inserted.
enum ItemInsertion {
  static let statements = [
    ("begin", "BEGIN"), ("commit", "COMMIT"),
    ("keys", "SELECT nextval('\"Item__id_seq\"'::regclass) FROM generate_series(1, $1::bigint)"),
    (
      "insert many",
      """
      INSERT INTO "Item" (\(Item.columns)) SELECT * FROM UNNEST($1::bigint[], $2::text[], $3::text[], $4::bigint[],
      $5::double precision[], $6::double precision[], $7::boolean[], $8::bigint[])
      """
    ),
    ("insert", "INSERT INTO \"Item\" (\(Item.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"),
  ]

  /// The parameters of "insert many".
  static func arrays(of items: ArraySlice<Item>) -> Parameters {
    var parameters = Parameters()
    parameters.reserve(items.count * 160)
    parameters.append(items, integers: { $0.id })
    parameters.append(items, texts: { $0.name })
    parameters.append(items, texts: { $0.detail })
    parameters.append(items, integers: { Int64($0.count) })
    parameters.append(items, reals: { $0.price })
    parameters.append(items, reals: { $0.created.timeIntervalSinceReferenceDate })
    parameters.append(items, flags: { $0.flag })
    parameters.append(items, integers: { $0.ownerID })
    return parameters
  }

  /// The parameters of "insert".
  static func values(of item: Item) -> Parameters {
    var parameters = Parameters()
    parameters.append(item.id)
    parameters.append(item.name)
    parameters.append(item.detail)
    parameters.append(Int64(item.count))
    parameters.append(item.price)
    parameters.append(item.created.timeIntervalSinceReferenceDate)
    parameters.append(item.flag)
    parameters.append(item.ownerID)
    return parameters
  }
}
