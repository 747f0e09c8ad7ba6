import Testing

/// Expansions of `@Model` as source text.
@Suite("Expansions of @Model")
struct ModelExpansionTests {
  @Test("A final class gets storage, accessors and the members of PersistentModel")
  func finalClass() {
    expectExpansion(
      of: #"""
        @Model
        final class Trip {
          var name: String
          var days: Int? = nil

          init(name: String) {
            self.name = name
          }
        }
        """#,
      is: #"""
        final class Trip {
          var name: String {
          @storageRestrictions(initializes: _name)
          init(initialValue) {
            _name = .init(initialValue)
          }
          get {
            _name.get(self, 0, _$state.isObserved)
          }
          @inline(never) set {
            _name.set(&_name, newValue, self, 0, _$state.isUntracked)
          }
          }

          @exclusivity(unchecked) private var _name = SwiftData._slot(of: (String).self)
          var days: Int? {
          @storageRestrictions(initializes: _days)
          init(initialValue) {
            _days = .init(initialValue)
          }
          get {
            _days.get(self, 1, _$state.isObserved)
          }
          @inline(never) set {
            _days.set(&_days, newValue, self, 1, _$state.isUntracked)
          }
          }

          @exclusivity(unchecked) private var _days = SwiftData._slot(of: (Int?).self)

          init(name: String) {
            self.name = name
          }

          @exclusivity(unchecked) nonisolated(unsafe) final var _$state = SwiftData._ModelState()

          nonisolated final var _$statePointer: UnsafeMutablePointer<SwiftData._ModelState> {
            withUnsafeMutablePointer(to: &_$state) { $0 }
          }

          nonisolated var persistentBackingData: any SwiftData.BackingData<Trip> {
            get {
              SwiftData._backingData(of: self)
            }
            set {
              SwiftData._adopt(newValue, by: self)
            }
          }

          nonisolated static var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
            @_optimize(none) get {
              [
                SwiftData.Schema.PropertyMetadata(name: "name", keypath: \Trip.name, defaultValue: nil, metadata: nil),
                SwiftData.Schema.PropertyMetadata(name: "days", keypath: \Trip.days, defaultValue: nil as Int?, metadata: nil),
              ]
            }
          }

          nonisolated init(backingData: any SwiftData.BackingData<Trip>) {
            SwiftData._adopt(backingData, by: self)
          }

          nonisolated init(_$origin origin: SwiftData._ModelOrigin, row: borrowing SwiftData._RowReader) {
            _$load(row)
            _$state.begin(origin)
          }

          nonisolated func _$load(_ row: SwiftData._RowReader) {
            _name.read(row, 0)
            _days.read(row, 1)
          }

          nonisolated func _$store(_ row: SwiftData._RowWriter) {
            _name.write(row, 0)
            _days.write(row, 1)
          }

          internal nonisolated func access<_$Value>(keyPath: KeyPath<Trip, _$Value>) {
            _$state.access(self, keyPath)
          }

          internal nonisolated func withMutation<_$Value, _$Result>(keyPath: KeyPath<Trip, _$Value>, _ mutation: () throws -> _$Result) rethrows -> _$Result {
            try SwiftData._withMutation(of: self, keyPath: keyPath, mutation)
          }
        }

        extension Trip: nonisolated SwiftData.PersistentModel {}

        extension Trip: nonisolated Observation.Observable {}

        @available(*, unavailable, message: "PersistentModels are not Sendable, consider utilizing a ModelActor or use Trip's persistentModelID instead.")
        extension Trip: @unchecked Sendable {}
        """#)
  }

  @Test("An open class can be subclassed outside of its module")
  func openClass() {
    expectExpansion(
      of: #"""
        @Model
        open class Vehicle {
          public var wheels: Int = 4

          public init() {}
        }
        """#,
      is: #"""
        open class Vehicle {
          public var wheels: Int {
          @storageRestrictions(initializes: _wheels)
          init(initialValue) {
            _wheels = .init(initialValue)
          }
          get {
            _wheels.get(self, 0, _$state.isObserved)
          }
          @inline(never) set {
            _wheels.set(&_wheels, newValue, self, 0, _$state.isUntracked)
          }
          }

          @exclusivity(unchecked) private var _wheels = SwiftData._slot(of: (Int).self)

          public init() {}

          @exclusivity(unchecked) public nonisolated(unsafe) final var _$state = SwiftData._ModelState()

          public nonisolated final var _$statePointer: UnsafeMutablePointer<SwiftData._ModelState> {
            withUnsafeMutablePointer(to: &_$state) { $0 }
          }

          public nonisolated var persistentBackingData: any SwiftData.BackingData<Vehicle> {
            get {
              SwiftData._backingData(of: self)
            }
            set {
              SwiftData._adopt(newValue, by: self)
            }
          }

          open nonisolated class var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
            @_optimize(none) get {
              [
                SwiftData.Schema.PropertyMetadata(name: "wheels", keypath: \Vehicle.wheels, defaultValue: 4 as Int, metadata: nil),
              ]
            }
          }

          public nonisolated required init(backingData: any SwiftData.BackingData<Vehicle>) {
            SwiftData._adopt(backingData, by: self)
          }

          public nonisolated required init(_$origin origin: SwiftData._ModelOrigin, row: borrowing SwiftData._RowReader) {
            _$load(row)
            _$state.begin(origin)
          }

          open nonisolated func _$load(_ row: SwiftData._RowReader) {
            _wheels.read(row, 0)
          }

          open nonisolated func _$store(_ row: SwiftData._RowWriter) {
            _wheels.write(row, 0)
          }

          internal nonisolated func access<_$Value>(keyPath: KeyPath<Vehicle, _$Value>) {
            _$state.access(self, keyPath)
          }

          internal nonisolated func withMutation<_$Value, _$Result>(keyPath: KeyPath<Vehicle, _$Value>, _ mutation: () throws -> _$Result) rethrows -> _$Result {
            try SwiftData._withMutation(of: self, keyPath: keyPath, mutation)
          }
        }

        extension Vehicle: nonisolated SwiftData.PersistentModel {}

        extension Vehicle: nonisolated Observation.Observable {}

        @available(*, unavailable, message: "PersistentModels are not Sendable, consider utilizing a ModelActor or use Vehicle's persistentModelID instead.")
        extension Vehicle: @unchecked Sendable {}
        """#)
  }

  @Test("A subclass adds its own properties to those of its superclass")
  func subclass() {
    expectExpansion(
      of: #"""
        @Model
        public final class Truck: Vehicle {
          public var load: Double
          public let plate: String

          public init(load: Double, plate: String) {
            self.load = load
            self.plate = plate
            super.init()
          }
        }
        """#, isSubclass: true,
      is: #"""
        public final class Truck: Vehicle {
          public var load: Double {
          @storageRestrictions(initializes: _load)
          init(initialValue) {
            _load = .init(initialValue)
          }
          get {
            _load.get(self, _$Slot.first + 0, _$state.isObserved)
          }
          @inline(never) set {
            _load.set(&_load, newValue, self, _$Slot.first + 0, _$state.isUntracked)
          }
          }

          @exclusivity(unchecked) private var _load = SwiftData._slot(of: (Double).self)
          public let plate: String

          public init(load: Double, plate: String) {
            self.load = load
            self.plate = plate
            super.init()
          }

          public nonisolated override static var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
            @_optimize(none) get {
              [
                SwiftData.Schema.PropertyMetadata(name: "load", keypath: \Truck.load, defaultValue: nil, metadata: nil),
                SwiftData.Schema.PropertyMetadata(name: "plate", keypath: \Truck.plate, defaultValue: nil, metadata: nil),
              ]
            }
          }

          private nonisolated enum _$Slot {
            static let first = SwiftData._propertyCount(of: Vehicle.self)
          }

          public nonisolated required init(backingData: any SwiftData.BackingData<Vehicle.Root>) {
            self.plate = SwiftData._constant(\Truck.plate, of: backingData)
            super.init(backingData: backingData)
          }

          public nonisolated required init(_$origin origin: SwiftData._ModelOrigin, row: borrowing SwiftData._RowReader) {
            self.plate = SwiftData._constant(row, _$Slot.first + 1)
            super.init(_$origin: origin, row: row)
          }

          public nonisolated override func _$load(_ row: SwiftData._RowReader) {
            super._$load(row)
            _load.read(row, _$Slot.first + 0)
          }

          public nonisolated override func _$store(_ row: SwiftData._RowWriter) {
            super._$store(row)
            _load.write(row, _$Slot.first + 0)
            SwiftData._writeConstant(self.plate, row, _$Slot.first + 1)
          }

          internal nonisolated func access<_$Value>(keyPath: KeyPath<Truck, _$Value>) {
            _$state.access(self, keyPath)
          }

          internal nonisolated func withMutation<_$Value, _$Result>(keyPath: KeyPath<Truck, _$Value>, _ mutation: () throws -> _$Result) rethrows -> _$Result {
            try SwiftData._withMutation(of: self, keyPath: keyPath, mutation)
          }
        }
        """#)
  }

  @Test("A subclass without initializers inherits those of its superclass")
  func inheritedInitializers() {
    expectExpansion(
      of: #"""
        @Model
        class Bicycle: Vehicle {
          var gears: Int = 1
        }
        """#, isSubclass: true,
      is: #"""
        class Bicycle: Vehicle {
          var gears: Int {
          @storageRestrictions(initializes: _gears)
          init(initialValue) {
            _gears = .init(initialValue)
          }
          get {
            _gears.get(self, _$Slot.first + 0, _$state.isObserved)
          }
          @inline(never) set {
            _gears.set(&_gears, newValue, self, _$Slot.first + 0, _$state.isUntracked)
          }
          }

          @exclusivity(unchecked) private var _gears = SwiftData._slot(of: (Int).self)

          nonisolated override class var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
            @_optimize(none) get {
              [
                SwiftData.Schema.PropertyMetadata(name: "gears", keypath: \Bicycle.gears, defaultValue: 1 as Int, metadata: nil),
              ]
            }
          }

          private nonisolated enum _$Slot {
            static let first = SwiftData._propertyCount(of: Vehicle.self)
          }

          nonisolated override func _$load(_ row: SwiftData._RowReader) {
            super._$load(row)
            _gears.read(row, _$Slot.first + 0)
          }

          nonisolated override func _$store(_ row: SwiftData._RowWriter) {
            super._$store(row)
            _gears.write(row, _$Slot.first + 0)
          }

          internal nonisolated func access<_$Value>(keyPath: KeyPath<Bicycle, _$Value>) {
            _$state.access(self, keyPath)
          }

          internal nonisolated func withMutation<_$Value, _$Result>(keyPath: KeyPath<Bicycle, _$Value>, _ mutation: () throws -> _$Result) rethrows -> _$Result {
            try SwiftData._withMutation(of: self, keyPath: keyPath, mutation)
          }
        }
        """#)
  }

  @Test("The metadata lists persisted properties with their attributes, then indexes and constraints")
  func metadata() {
    expectExpansion(
      of: #"""
        @Model
        final class Trip {
          #Index<Trip>([\.name], [\.identifier, \.name])
          #Unique<Trip>([\.name])

          @Attribute(.unique, originalName: "title")
          var name: String
          @Attribute(.transformable(by: "ColorTransformer"))
          var color: Color?
          @Relationship(deleteRule: .cascade, inverse: \Stay.trip)
          var stays: [Stay] = []
          let identifier: String
          let kind = "trip"
          @Transient var isSelected: Bool = false
          @Transient lazy var cache = [:]
          static let entity = "Trip"
          var title: String { name }

          init(name: String, identifier: String) {
            self.name = name
            self.identifier = identifier
          }
        }
        """#,
      is: #"""
        final class Trip {
          var name: String {
          @storageRestrictions(initializes: _name)
          init(initialValue) {
            _name = .init(initialValue)
          }
          get {
            _name.get(self, 0, _$state.isObserved)
          }
          @inline(never) set {
            _name.set(&_name, newValue, self, 0, _$state.isUntracked)
          }
          }

          @exclusivity(unchecked) private var _name = SwiftData._slot(of: (String).self)
          var color: Color? {
          @storageRestrictions(initializes: _color)
          init(initialValue) {
            _color = .init(initialValue)
          }
          get {
            _color.get(self, 1, _$state.isObserved)
          }
          @inline(never) set {
            _color.set(&_color, newValue, self, 1, _$state.isUntracked)
          }
          }

          @exclusivity(unchecked) private var _color = SwiftData._transformableSlot(of: (Color?).self)
          var stays: [Stay] {
          @storageRestrictions(initializes: _stays)
          init(initialValue) {
            _stays = .init(initialValue)
          }
          get {
            _stays.get(self, 2, _$state.isObserved)
          }
          @inline(never) set {
            _stays.set(&_stays, newValue, self, 2, _$state.isUntracked)
          }
          _modify {
            let edit = _stays.beginEdit(self, 2, _$state.isObserved)
            defer {
              _stays.endEdit(edit, &_stays, self, 2, _$state.isUntracked)
            }
            yield &edit.value
          }
          }

          @exclusivity(unchecked) private var _stays = SwiftData._slot(of: ([Stay]).self)
          let identifier: String
          let kind = "trip"
          var isSelected: Bool = false
          lazy var cache = [:]
          static let entity = "Trip"
          var title: String { name }

          init(name: String, identifier: String) {
            self.name = name
            self.identifier = identifier
          }

          @exclusivity(unchecked) nonisolated(unsafe) final var _$state = SwiftData._ModelState()

          nonisolated final var _$statePointer: UnsafeMutablePointer<SwiftData._ModelState> {
            withUnsafeMutablePointer(to: &_$state) { $0 }
          }

          nonisolated var persistentBackingData: any SwiftData.BackingData<Trip> {
            get {
              SwiftData._backingData(of: self)
            }
            set {
              SwiftData._adopt(newValue, by: self)
            }
          }

          nonisolated static var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
            @_optimize(none) get {
              [
                SwiftData.Schema.PropertyMetadata(name: "name", keypath: \Trip.name, defaultValue: nil, metadata: SwiftData.Schema.Attribute(.unique, originalName: "title")),
                SwiftData.Schema.PropertyMetadata(name: "color", keypath: \Trip.color, defaultValue: nil, metadata: SwiftData.Schema.Attribute(.transformable(by: "ColorTransformer"))),
                SwiftData.Schema.PropertyMetadata(name: "stays", keypath: \Trip.stays, defaultValue: [] as [Stay], metadata: SwiftData.Schema.Relationship(deleteRule: .cascade, inverse: \Stay.trip)),
                SwiftData.Schema.PropertyMetadata(name: "identifier", keypath: \Trip.identifier, defaultValue: nil, metadata: nil),
                SwiftData.Schema.PropertyMetadata(name: "SwiftData.Schema.Index", keypath: \SwiftData.Schema.encodingVersion, defaultValue: nil, metadata: SwiftData.Schema.Index<Trip>([\.name], [\.identifier, \.name])),
                SwiftData.Schema.PropertyMetadata(name: "SwiftData.Schema.Unique", keypath: \SwiftData.Schema.encodingVersion, defaultValue: nil, metadata: SwiftData.Schema.Unique<Trip>([\.name])),
              ]
            }
          }

          nonisolated init(backingData: any SwiftData.BackingData<Trip>) {
            self.identifier = backingData.getValue(forKey: \.identifier)
            SwiftData._adopt(backingData, by: self)
          }

          nonisolated init(_$origin origin: SwiftData._ModelOrigin, row: borrowing SwiftData._RowReader) {
            self.identifier = SwiftData._constant(row, 3)
            _$load(row)
            _$state.begin(origin)
          }

          nonisolated func _$load(_ row: SwiftData._RowReader) {
            _name.read(row, 0)
            _color.readTransformable(row, 1)
            _stays.read(row, 2)
          }

          nonisolated func _$store(_ row: SwiftData._RowWriter) {
            _name.write(row, 0)
            _color.writeTransformable(row, 1)
            _stays.write(row, 2)
            SwiftData._writeConstant(self.identifier, row, 3)
          }

          internal nonisolated func access<_$Value>(keyPath: KeyPath<Trip, _$Value>) {
            _$state.access(self, keyPath)
          }

          internal nonisolated func withMutation<_$Value, _$Result>(keyPath: KeyPath<Trip, _$Value>, _ mutation: () throws -> _$Result) rethrows -> _$Result {
            try SwiftData._withMutation(of: self, keyPath: keyPath, mutation)
          }
        }

        extension Trip: nonisolated SwiftData.PersistentModel {}

        extension Trip: nonisolated Observation.Observable {}

        @available(*, unavailable, message: "PersistentModels are not Sendable, consider utilizing a ModelActor or use Trip's persistentModelID instead.")
        extension Trip: @unchecked Sendable {}
        """#)
  }

  @Test("A class with an equality of its own gets a member that makes generic code use it")
  func ownEquality() {
    expectExpansion(
      of: #"""
        @Model
        public final class Person {
          public static func == (lhs: Person, rhs: Person) -> Bool { true }
          static func == (lhs: Person, rhs: Int) -> Bool { true }
          init() {}
        }
        """#,
      is: #"""
        public final class Person {
          public static func == (lhs: Person, rhs: Person) -> Bool { true }
          static func == (lhs: Person, rhs: Int) -> Bool { true }
          init() {}

          @exclusivity(unchecked) public nonisolated(unsafe) final var _$state = SwiftData._ModelState()

          public nonisolated final var _$statePointer: UnsafeMutablePointer<SwiftData._ModelState> {
            withUnsafeMutablePointer(to: &_$state) { $0 }
          }

          public nonisolated var persistentBackingData: any SwiftData.BackingData<Person> {
            get {
              SwiftData._backingData(of: self)
            }
            set {
              SwiftData._adopt(newValue, by: self)
            }
          }

          @_implements(Equatable, ==(_:_:))
          public nonisolated static func _$isEqual(_ lhs: Person, _ rhs: Person) -> Bool {
            lhs == rhs
          }

          public nonisolated static var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
            @_optimize(none) get {
              [
              ]
            }
          }

          public nonisolated init(backingData: any SwiftData.BackingData<Person>) {
            SwiftData._adopt(backingData, by: self)
          }

          public nonisolated init(_$origin origin: SwiftData._ModelOrigin, row: borrowing SwiftData._RowReader) {
            _$load(row)
            _$state.begin(origin)
          }

          public nonisolated func _$load(_ row: SwiftData._RowReader) {
          }

          public nonisolated func _$store(_ row: SwiftData._RowWriter) {
          }

          internal nonisolated func access<_$Value>(keyPath: KeyPath<Person, _$Value>) {
            _$state.access(self, keyPath)
          }

          internal nonisolated func withMutation<_$Value, _$Result>(keyPath: KeyPath<Person, _$Value>, _ mutation: () throws -> _$Result) rethrows -> _$Result {
            try SwiftData._withMutation(of: self, keyPath: keyPath, mutation)
          }
        }

        extension Person: nonisolated SwiftData.PersistentModel {}

        extension Person: nonisolated Observation.Observable {}

        @available(*, unavailable, message: "PersistentModels are not Sendable, consider utilizing a ModelActor or use Person's persistentModelID instead.")
        extension Person: @unchecked Sendable {}
        """#)
  }
}
