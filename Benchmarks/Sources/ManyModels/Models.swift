// Written by generate-models.
import Foundation
package import SwiftData

/// Classes that refer to no later ones, so any prefix of them is a schema.
package var manyModels: [any PersistentModel.Type] {
  [
    Entity001.self,
    Entity002.self,
    Entity003.self,
    Entity004.self,
    Entity005.self,
    Entity006.self,
    Entity007.self,
    Entity008.self,
    Entity009.self,
    Entity010.self,
    Entity011.self,
    Entity012.self,
    Entity013.self,
    Entity014.self,
    Entity015.self,
    Entity016.self,
    Entity017.self,
    Entity018.self,
    Entity019.self,
    Entity020.self,
    Entity021.self,
    Entity022.self,
    Entity023.self,
    Entity024.self,
    Entity025.self,
    Entity026.self,
    Entity027.self,
    Entity028.self,
    Entity029.self,
    Entity030.self,
    Entity031.self,
    Entity032.self,
    Entity033.self,
    Entity034.self,
    Entity035.self,
    Entity036.self,
    Entity037.self,
    Entity038.self,
    Entity039.self,
    Entity040.self,
    Entity041.self,
    Entity042.self,
    Entity043.self,
    Entity044.self,
    Entity045.self,
    Entity046.self,
    Entity047.self,
    Entity048.self,
    Entity049.self,
    Entity050.self,
    Entity051.self,
    Entity052.self,
    Entity053.self,
    Entity054.self,
    Entity055.self,
    Entity056.self,
    Entity057.self,
    Entity058.self,
    Entity059.self,
    Entity060.self,
    Entity061.self,
    Entity062.self,
    Entity063.self,
    Entity064.self,
    Entity065.self,
    Entity066.self,
    Entity067.self,
    Entity068.self,
    Entity069.self,
    Entity070.self,
    Entity071.self,
    Entity072.self,
    Entity073.self,
    Entity074.self,
    Entity075.self,
    Entity076.self,
    Entity077.self,
    Entity078.self,
    Entity079.self,
    Entity080.self,
    Entity081.self,
    Entity082.self,
    Entity083.self,
    Entity084.self,
    Entity085.self,
    Entity086.self,
    Entity087.self,
    Entity088.self,
    Entity089.self,
    Entity090.self,
    Entity091.self,
    Entity092.self,
    Entity093.self,
    Entity094.self,
    Entity095.self,
    Entity096.self,
    Entity097.self,
    Entity098.self,
    Entity099.self,
    Entity100.self,
  ]
}

@Model
final class Entity001 {
  var name = ""
  var amount = 0
  var created = Date.distantPast

  init() {}
}

@Model
final class Entity002 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity001?

  init() {}
}

@Model
final class Entity003 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity002?

  init() {}
}

@Model
final class Entity004 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity003?

  init() {}
}

@Model
final class Entity005 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity004?

  init() {}
}

@Model
final class Entity006 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity005?

  init() {}
}

@Model
final class Entity007 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity006?

  init() {}
}

@Model
final class Entity008 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity007?

  init() {}
}

@Model
final class Entity009 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity008?

  init() {}
}

@Model
final class Entity010 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity009?

  init() {}
}

@Model
final class Entity011 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity010?

  init() {}
}

@Model
final class Entity012 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity011?

  init() {}
}

@Model
final class Entity013 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity012?

  init() {}
}

@Model
final class Entity014 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity013?

  init() {}
}

@Model
final class Entity015 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity014?

  init() {}
}

@Model
final class Entity016 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity015?

  init() {}
}

@Model
final class Entity017 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity016?

  init() {}
}

@Model
final class Entity018 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity017?

  init() {}
}

@Model
final class Entity019 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity018?

  init() {}
}

@Model
final class Entity020 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity019?

  init() {}
}

@Model
final class Entity021 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity020?

  init() {}
}

@Model
final class Entity022 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity021?

  init() {}
}

@Model
final class Entity023 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity022?

  init() {}
}

@Model
final class Entity024 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity023?

  init() {}
}

@Model
final class Entity025 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity024?

  init() {}
}

@Model
final class Entity026 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity025?

  init() {}
}

@Model
final class Entity027 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity026?

  init() {}
}

@Model
final class Entity028 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity027?

  init() {}
}

@Model
final class Entity029 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity028?

  init() {}
}

@Model
final class Entity030 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity029?

  init() {}
}

@Model
final class Entity031 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity030?

  init() {}
}

@Model
final class Entity032 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity031?

  init() {}
}

@Model
final class Entity033 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity032?

  init() {}
}

@Model
final class Entity034 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity033?

  init() {}
}

@Model
final class Entity035 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity034?

  init() {}
}

@Model
final class Entity036 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity035?

  init() {}
}

@Model
final class Entity037 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity036?

  init() {}
}

@Model
final class Entity038 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity037?

  init() {}
}

@Model
final class Entity039 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity038?

  init() {}
}

@Model
final class Entity040 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity039?

  init() {}
}

@Model
final class Entity041 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity040?

  init() {}
}

@Model
final class Entity042 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity041?

  init() {}
}

@Model
final class Entity043 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity042?

  init() {}
}

@Model
final class Entity044 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity043?

  init() {}
}

@Model
final class Entity045 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity044?

  init() {}
}

@Model
final class Entity046 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity045?

  init() {}
}

@Model
final class Entity047 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity046?

  init() {}
}

@Model
final class Entity048 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity047?

  init() {}
}

@Model
final class Entity049 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity048?

  init() {}
}

@Model
final class Entity050 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity049?

  init() {}
}

@Model
final class Entity051 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity050?

  init() {}
}

@Model
final class Entity052 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity051?

  init() {}
}

@Model
final class Entity053 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity052?

  init() {}
}

@Model
final class Entity054 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity053?

  init() {}
}

@Model
final class Entity055 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity054?

  init() {}
}

@Model
final class Entity056 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity055?

  init() {}
}

@Model
final class Entity057 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity056?

  init() {}
}

@Model
final class Entity058 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity057?

  init() {}
}

@Model
final class Entity059 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity058?

  init() {}
}

@Model
final class Entity060 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity059?

  init() {}
}

@Model
final class Entity061 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity060?

  init() {}
}

@Model
final class Entity062 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity061?

  init() {}
}

@Model
final class Entity063 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity062?

  init() {}
}

@Model
final class Entity064 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity063?

  init() {}
}

@Model
final class Entity065 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity064?

  init() {}
}

@Model
final class Entity066 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity065?

  init() {}
}

@Model
final class Entity067 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity066?

  init() {}
}

@Model
final class Entity068 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity067?

  init() {}
}

@Model
final class Entity069 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity068?

  init() {}
}

@Model
final class Entity070 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity069?

  init() {}
}

@Model
final class Entity071 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity070?

  init() {}
}

@Model
final class Entity072 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity071?

  init() {}
}

@Model
final class Entity073 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity072?

  init() {}
}

@Model
final class Entity074 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity073?

  init() {}
}

@Model
final class Entity075 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity074?

  init() {}
}

@Model
final class Entity076 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity075?

  init() {}
}

@Model
final class Entity077 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity076?

  init() {}
}

@Model
final class Entity078 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity077?

  init() {}
}

@Model
final class Entity079 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity078?

  init() {}
}

@Model
final class Entity080 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity079?

  init() {}
}

@Model
final class Entity081 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity080?

  init() {}
}

@Model
final class Entity082 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity081?

  init() {}
}

@Model
final class Entity083 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity082?

  init() {}
}

@Model
final class Entity084 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity083?

  init() {}
}

@Model
final class Entity085 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity084?

  init() {}
}

@Model
final class Entity086 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity085?

  init() {}
}

@Model
final class Entity087 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity086?

  init() {}
}

@Model
final class Entity088 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity087?

  init() {}
}

@Model
final class Entity089 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity088?

  init() {}
}

@Model
final class Entity090 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity089?

  init() {}
}

@Model
final class Entity091 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity090?

  init() {}
}

@Model
final class Entity092 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity091?

  init() {}
}

@Model
final class Entity093 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity092?

  init() {}
}

@Model
final class Entity094 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity093?

  init() {}
}

@Model
final class Entity095 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity094?

  init() {}
}

@Model
final class Entity096 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity095?

  init() {}
}

@Model
final class Entity097 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity096?

  init() {}
}

@Model
final class Entity098 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity097?

  init() {}
}

@Model
final class Entity099 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity098?

  init() {}
}

@Model
final class Entity100 {
  var name = ""
  var amount = 0
  var created = Date.distantPast
  var previous: Entity099?

  init() {}
}
