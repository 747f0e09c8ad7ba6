import GRDB

struct Owner: Codable, FetchableRecord, TableRecord {
  enum CodingKeys: String, CodingKey {
    case id = "_id"
    case name
  }

  enum Columns {
    static let name = Column(CodingKeys.name)
  }

  static let databaseTableName = "Owner"
  static let items = hasMany(Item.self, key: "items", using: ForeignKey([Item.Columns.ownerID]))

  let id: Int64
  let name: String
}
