import Foundation
import Shop
import SwiftData
import Testing

@Test("Items are saved")
func savingItems() throws {
  let container = try ModelContainer(for: Item.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  let context = ModelContext(container)
  context.insert(Item(code: "A1", price: 12.5))
  try context.save()
  #expect(try ModelContext(container).fetch(FetchDescriptor<Item>()).map(\.price) == [12.5])
}
