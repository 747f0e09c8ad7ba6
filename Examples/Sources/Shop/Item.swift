import Foundation
import SwiftData

@Model
public final class Item {
  @Attribute(.unique) public var code: String
  public var price: Decimal

  public init(code: String, price: Decimal) {
    self.code = code
    self.price = price
  }
}
