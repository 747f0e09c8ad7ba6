import GRDB

final class Owner: FetchableRecord {
  static let select = "SELECT \"_id\", \"name\" FROM \"Owner\" ORDER BY \"name\""

  let id: Int64
  let name: String

  init(row: Row) {
    id = row[0]
    name = row[1]
  }
}
