package import SwiftData

/// Three stages. The stages with code insert a remark each time they run.
package enum HotelPlan: SchemaMigrationPlan {
  package static var schemas: [any VersionedSchema.Type] { [HotelV1.self, HotelV2.self, HotelV3.self, HotelV4.self] }
  package static var stages: [MigrationStage] { [toSecond, toThird, toFourth] }

  private static let toSecond = MigrationStage.custom(
    fromVersion: HotelV1.self, toVersion: HotelV2.self, willMigrate: nil,
    didMigrate: { context in
      try changeAll(context) { (guest: HotelV2.Guest) in
        guest.charge = Hotel.charge(of: guest.number, nights: guest.nights)
      }
      try leave("charged", context)
    })

  private static let toThird = MigrationStage.lightweight(fromVersion: HotelV2.self, toVersion: HotelV3.self)

  private static let toFourth = MigrationStage.custom(
    fromVersion: HotelV3.self, toVersion: HotelV4.self,
    willMigrate: { context in
      try changeAll(context) { (guest: HotelV3.Guest) in
        if !guest.name.contains(" ") { guest.name = "? \(guest.name)" }
      }
      try changeAll(context) { (room: HotelV3.Room) in
        if room.number < Hotel.changedPictures.count { room.picture = Hotel.changedPictures[room.number] }
      }
      try leave("named", context)
    },
    didMigrate: { context in
      try changeAll(context) { (guest: HotelV4.Guest) in
        let parts = guest.familyName.split(separator: " ", maxSplits: 1).map(String.init)
        if parts.count == 2 { (guest.givenName, guest.familyName) = (parts[0], parts[1]) }
      }
      try leave("split", context)
    })

  /// Changes all models of a type, and saves several times in between.
  private static func changeAll<Model: PersistentModel>(
    _ context: ModelContext, _ change: (Model) -> Void
  ) throws {
    let models = try context.fetch(FetchDescriptor<Model>())
    let batchSize = models.count / 4 + 1
    for (index, model) in models.enumerated() {
      change(model)
      if index % batchSize == batchSize - 1 { try context.save() }
    }
    try context.save()
  }

  private static func leave(_ remark: String, _ context: ModelContext) throws {
    context.insert(HotelRemark(text: remark))
    try context.save()
  }
}
