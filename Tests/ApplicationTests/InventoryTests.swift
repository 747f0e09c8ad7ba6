import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("An inventory app")
struct InventoryTests {
  private typealias Product = Depot.Product
  private typealias Supplier = Depot.Supplier
  private typealias Movement = Depot.Movement
  private typealias Warehouse = Depot.Warehouse

  private let context: ModelContext

  init() throws {
    context = ModelContext(
      try ModelContainer(
        for: Product.self, Supplier.self, Movement.self, Warehouse.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    context.allowsInMemoryEvaluation = false
    try fill()
  }

  private func fill() throws {
    let north = Supplier("Nordlicht", leadDays: 3, address: .init(street: "Hafen 1", city: "Kiel"))
    let south = Supplier("Südwind", leadDays: 10, address: .init(street: "Ring 2", addition: "Hof", city: "Graz"))
    let noname = Supplier("Noname", leadDays: 1, address: .init(street: "", city: "Kiel"))
    let hamburg = Warehouse("HH")
    let vienna = Warehouse("W")
    for supplier in [north, south, noname] { context.insert(supplier) }
    context.insert(hamburg)
    context.insert(vienna)
    let lamp = Product(sku: "L-1", name: "Lamp", price: 25, stock: 3, reorderLevel: 5, supplier: north)
    lamp.attributes = ["color": "red", "socket": "E27"]
    lamp.size = .init(width: 10, height: 30, depth: 10)
    lamp.barcodes = ["4001", "4002"]
    let bulb = Product(sku: "L-2", name: "Light bulb", price: 2.5, stock: 40, reorderLevel: 50, supplier: north)
    bulb.ordered = 100
    bulb.attributes = ["socket": "E27", "color": "white"]
    bulb.weight = 0.125
    let table = Product(sku: "T_1", name: "Table 100%", price: 199.95, reorderLevel: 1, supplier: south)
    table.attributes = ["color": "red"]
    table.size = .init(width: 100, height: 70, depth: 60)
    table.weight = 30
    let chair = Product(sku: "T_2", name: "Chair", price: 49.5, reorderLevel: 4, supplier: south)
    chair.isDiscontinued = true
    let loose = Product(sku: "X1", name: "Loose", price: 0, stock: 7, reorderLevel: 7)
    loose.barcodes = ["9"]
    for product in [lamp, bulb, table, chair, loose] { context.insert(product) }
    let moves = [
      Movement(10, .delivery, of: lamp, in: hamburg, on: Timeline.date(2024, 1, 1)),
      Movement(-7, .sale, of: lamp, in: hamburg, on: Timeline.date(2024, 2, 1)),
      Movement(60, .delivery, of: bulb, in: hamburg, on: Timeline.date(2024, 1, 1)),
      Movement(-30, .sale, of: bulb, in: hamburg, on: Timeline.date(2024, 3, 1)),
      Movement(15, .delivery, of: bulb, in: vienna, on: Timeline.date(2024, 2, 1)),
      Movement(-5, .loss, of: bulb, in: vienna, on: Timeline.date(2024, 3, 5)),
      Movement(2, .delivery, of: table, in: vienna, on: Timeline.date(2024, 1, 5)),
      Movement(-2, .sale, of: table, in: vienna, on: Timeline.date(2024, 1, 9)),
    ]
    for move in moves { context.insert(move) }
    try context.save()
  }

  private func skus(_ predicate: Predicate<Product>) throws -> [String] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.sku)])).map(\.sku)
  }

  private func suppliers(_ predicate: Predicate<Supplier>) throws -> [String] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.leadDays)])).map(\.name)
  }

  @Test("Products to reorder are found")
  func reorder() throws {
    #expect(try skus(Product.needsOrder) == ["L-1", "T_1"])
    #expect(try skus(#Predicate { $0.stock < $0.reorderLevel }) == ["L-1", "L-2", "T_1", "T_2"])
    #expect(try skus(#Predicate { $0.stock >= $0.reorderLevel && !$0.isDiscontinued }) == ["X1"])
    #expect(
      try suppliers(#Predicate { supplier in supplier.products.contains { $0.stock < $0.reorderLevel } })
        == ["Nordlicht", "Südwind"])
    #expect(
      try suppliers(
        #Predicate { supplier in !supplier.products.isEmpty && supplier.products.allSatisfy { $0.stock == 0 } })
        == ["Südwind"])
    let soon = 5
    #expect(try skus(#Predicate { $0.stock == 0 && ($0.supplier?.leadDays ?? 99) > soon }) == ["T_1", "T_2"])
  }

  @Test("Products are found by attributes, codes and prefixes of their number")
  func lookups() throws {
    #expect(try skus(Product.made(of: ["color": "red"])) == ["L-1", "T_1"])
    #expect(try skus(Product.made(of: ["color": "red", "socket": "E27"])) == ["L-1"])
    #expect(try skus(#Predicate { $0.attributes["socket"] != nil }) == ["L-1", "L-2"])
    #expect(try skus(#Predicate { $0.attributes["color", default: "none"] == "none" }) == ["T_2", "X1"])
    #expect(try skus(#Predicate { $0.barcodes.contains("4002") }) == ["L-1"])
    let prefix = "T_"
    #expect(try skus(#Predicate { $0.sku.starts(with: prefix) }) == ["T_1", "T_2"])
    let percent = "0%"
    #expect(try skus(#Predicate { $0.name.contains(percent) }) == ["T_1"])
    #expect(try skus(#Predicate { $0.supplier?.name.localizedStandardContains("sud") == true }) == ["T_1", "T_2"])
  }

  @Test("Products are found by size, weight and address")
  func composites() throws {
    let litre = 1000.0
    #expect(
      try skus(
        #Predicate { product in
          if let size = product.size { size.width * size.height * size.depth > 3 * litre } else { false }
        }) == ["T_1"])
    #expect(try skus(#Predicate { $0.weight * 8 == 1 }) == ["L-2"])
    #expect(try skus(#Predicate { $0.size == nil && $0.supplier != nil }) == ["L-2", "T_2"])
    let city = "Kiel"
    #expect(try suppliers(#Predicate { $0.address.city == city }) == ["Noname", "Nordlicht"])
    #expect(try skus(#Predicate { $0.supplier?.address.addition != nil }) == ["T_1", "T_2"])
    let byCity = FetchDescriptor<Product>(
      sortBy: [SortDescriptor(\.supplier?.address.city), SortDescriptor(\.price, order: .reverse)])
    #expect(try context.fetch(byCity).map(\.sku) == ["X1", "T_1", "T_2", "L-1", "L-2"])
  }

  @Test("The stock of each warehouse is computed")
  func stock() throws {
    let stock = try context.fetchGroups(
      by: \Movement.warehouse?.code, \Movement.product?.sku, computing: .sum(of: \.quantity),
      having: #Predicate { $0 != 0 })
    #expect(stock.map { "\($0.key.0 ?? "") \($0.key.1 ?? "") \($0.value)" } == ["HH L-1 3", "HH L-2 30", "W L-2 10"])
    let kinds = try context.fetchGroups(by: \Movement.kind, computing: .count, .sum(of: \.quantity))
    #expect(kinds.map(\.key) == [.delivery, .loss, .sale])
    #expect(kinds.map(\.values.0) == [4, 1, 3])
    #expect(kinds.map(\.values.1) == [87, -5, -39])
  }

  @Test("The last movement of each product is found, and products without recent movements")
  func movements() throws {
    let last = FetchDescriptor<Movement>(
      predicate: #Predicate { move in
        move.product?.movements.allSatisfy { $0.date <= move.date } == true
      }, sortBy: [SortDescriptor(\.product?.sku)])
    #expect(try context.fetch(last).map(\.quantity) == [-7, -5, -2])
    #expect(try skus(#Predicate { $0.movements.isEmpty }) == ["T_2", "X1"])
    let since = Timeline.date(2024, 2, 15)
    let sale = Depot.MovementKind.sale
    #expect(
      try skus(
        #Predicate { product in
          !product.movements.contains { $0.date > since && $0.kind == sale } && product.stock > 0
        }) == ["L-1", "X1"])
    let vienna = "W"
    let sold = #Predicate<Product> { product in
      product.movements.contains { $0.kind == sale && $0.warehouse?.code == vienna }
    }
    #expect(try skus(sold) == ["T_1"])
  }

  @Test("The value of the stock is computed")
  func worth() throws {
    let doubled = #Expression<Product, Int> { $0.stock * 2 }
    #expect(try context.fetchAggregates(.sum(of: doubled)) == 100)
    let low = Decimal(2)
    let high = Decimal(50)
    #expect(try skus(#Predicate { $0.price >= low && $0.price < high }) == ["L-1", "L-2", "T_2"])
    let (mean, most) = try context.fetchAggregates(
      .average(of: \Product.price), .maximum(of: \Product.price),
      matching: FetchDescriptor<Product>(predicate: #Predicate { $0.supplier?.name == "Nordlicht" }))
    #expect(mean == 13.75)
    #expect(most == 25)
    let heaviest = try context.fetchGroups(
      by: \Product.supplier?.name, computing: .sum(of: \.weight), sortBy: [.init(.sum(of: \.weight), order: .reverse)])
    #expect(heaviest.map(\.key) == ["Südwind", "Nordlicht", nil])
    #expect(heaviest.map(\.value) == [31, 1.125, 1])
  }

  @Test("A price list updates existing products and inserts the others")
  func upsert() throws {
    for (sku, price) in [("L-1", 20), ("N-1", 5), ("N-1", 6)] as [(String, Decimal)] {
      context.insert(Product(sku: sku, name: "Listed", price: price))
    }
    try context.save()
    #expect(try skus(#Predicate { $0.name == "Listed" }) == ["L-1", "N-1"])
    let prices = FetchDescriptor<Product>(
      predicate: #Predicate { $0.name == "Listed" }, sortBy: [SortDescriptor(\.price)])
    #expect(try context.fetch(prices).map(\.price) == [6, 20])
    #expect(try context.fetchCount(FetchDescriptor<Product>()) == 6)
  }

  @Test("A large stock is processed in batches")
  func batches() throws {
    for number in 0..<1200 {
      let product = Product(
        sku: "B\(number)", name: "Bolt \(number % 7)", price: Decimal(number % 100), stock: number % 50,
        reorderLevel: 25)
      product.barcodes = ["\(number)"]
      context.insert(product)
    }
    try context.save()
    let bolts = FetchDescriptor<Product>(
      predicate: #Predicate { $0.sku.starts(with: "B") && $0.stock < $0.reorderLevel },
      sortBy: [SortDescriptor(\.stock), SortDescriptor(\.sku, comparator: .lexical)])
    #expect(try context.fetchCount(bolts) == 600)
    let found = try context.fetch(bolts, batchSize: 100)
    #expect(found.count == 600)
    #expect(found.first?.sku == "B0")
    #expect(found[599].stock == 24)
    var total = 0
    try context.enumerate(bolts, batchSize: 250) { total += $0.stock }
    #expect(total == 24 * 300)
    #expect(try context.fetchAggregates(.sum(of: \.stock), matching: bolts) == total)
    var page = bolts
    page.fetchOffset = 590
    page.fetchLimit = 20
    #expect(try context.fetchIdentifiers(page).count == 10)
    let wanted = (0..<600).map { "B\($0 * 2)" }
    #expect(try context.fetchCount(FetchDescriptor<Product>(predicate: #Predicate { wanted.contains($0.sku) })) == 600)
    try context.delete(model: Product.self, where: #Predicate { $0.sku.starts(with: "B") && $0.stock >= 10 })
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Product>()) == 5 + 240)
  }

  @Test("Unsaved bookings are included in the stock")
  func pending() throws {
    let lamp = try #require(
      try context.fetch(FetchDescriptor<Product>(predicate: #Predicate { $0.sku == "L-1" })).first)
    lamp.stock += 10
    lamp.attributes["color"] = nil
    #expect(try skus(Product.needsOrder) == ["T_1"])
    #expect(try skus(Product.made(of: ["color": "red"])) == ["T_1"])
    #expect(try context.fetchAggregates(.sum(of: \Product.stock)) == 60)
    context.rollback()
    #expect(try skus(Product.needsOrder) == ["L-1", "T_1"])
    #expect(lamp.attributes == ["color": "red", "socket": "E27"])
  }
}
