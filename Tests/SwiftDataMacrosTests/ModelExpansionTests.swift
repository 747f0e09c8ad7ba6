import Testing

/// What `@Model` makes of a class, as source text.
@Suite("What @Model adds to a class")
struct ModelExpansionTests {
  @Test("A final class gets slots, accessors and the members of PersistentModel")
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
              if _$state.isObserved {
                _$state.access(self, \.name)
              }
              if let value = _name.held {
                return value
              }
              if _name.isLoaded {
                return _name.value
              }
              return SwiftData._fault(self, _$Slot.name, _name.value)
            }
            set {
              if _$state.isUntracked && !_name.isRelationship {
                _name = .init(newValue)
              } else if let slot = SwiftData._willSet(self, \.name, _$Slot.name, _name, to: newValue) {
                _name = slot
                SwiftData._didSet(self, \.name, _$Slot.name, slot)
              }
            }
          }

          @exclusivity(unchecked) private var _name = SwiftData._slot(of: (String).self)
          var days: Int? {
            @storageRestrictions(initializes: _days)
            init(initialValue) {
              _days = .init(initialValue)
            }
            get {
              if _$state.isObserved {
                _$state.access(self, \.days)
              }
              if let value = _days.held {
                return value
              }
              if _days.isLoaded {
                return _days.value
              }
              return SwiftData._fault(self, _$Slot.days, _days.value)
            }
            set {
              if _$state.isUntracked && !_days.isRelationship {
                _days = .init(newValue)
              } else if let slot = SwiftData._willSet(self, \.days, _$Slot.days, _days, to: newValue) {
                _days = slot
                SwiftData._didSet(self, \.days, _$Slot.days, slot)
              }
            }
          }

          @exclusivity(unchecked) private var _days = SwiftData._slot(of: (Int?).self)

          init(name: String) {
            self.name = name
          }

          @exclusivity(unchecked) nonisolated(unsafe) final var _$state = SwiftData._ModelState()

          nonisolated final var _$statePointer: UnsafeMutablePointer<SwiftData._ModelState> {
            withUnsafeMutablePointer(to: &_$state) {
              $0
            }
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
            [
              SwiftData.Schema.PropertyMetadata(name: "name", keypath: \Trip.name, defaultValue: nil, metadata: nil),
              SwiftData.Schema.PropertyMetadata(name: "days", keypath: \Trip.days, defaultValue: nil as Int?, metadata: nil),
            ]
          }

          private nonisolated enum _$Slot {
            static let name = 0
            static let days = 1
          }

          nonisolated static var _$properties: [SwiftData._ModelProperty] {
            [
              SwiftData._property(\Trip.name, {
                  $0._name
                }, {
                  $0._name = $1
                }),
              SwiftData._property(\Trip.days, {
                  $0._days
                }, {
                  $0._days = $1
                }),
            ]
          }

          nonisolated init(backingData: any SwiftData.BackingData<Trip>) {
            SwiftData._adopt(backingData, by: self)
          }

          nonisolated init(_$origin origin: SwiftData._ModelOrigin, row: borrowing SwiftData._RowReader) {
            _$load(row)
            _$state.begin(origin)
          }

          @inline(__always)
          nonisolated func _$load(_ row: SwiftData._RowReader) {
            _name.read(row, _$Slot.name)
            _days.read(row, _$Slot.days)
          }

          nonisolated func _$store(_ row: SwiftData._RowWriter) {
            _name.write(row, _$Slot.name)
            _days.write(row, _$Slot.days)
          }

          internal nonisolated func access<_$Value>(keyPath: KeyPath<Trip, _$Value>) {
            _$state.access(self, keyPath)
          }

          internal nonisolated func withMutation<_$Value, _$Result>(keyPath: KeyPath<Trip, _$Value>, _ mutation: () throws -> _$Result) rethrows -> _$Result {
            try SwiftData._withMutation(of: self, keyPath: keyPath, mutation)
          }
        }

        extension Trip: nonisolated SwiftData.PersistentModel {
        }

        extension Trip: nonisolated Observation.Observable {
        }

        @available(*, unavailable, message: "PersistentModels are not Sendable, consider utilizing a ModelActor or use Trip's persistentModelID instead.")
        extension Trip: @unchecked Sendable {
        }
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
              if _$state.isObserved {
                _$state.access(self, \.wheels)
              }
              if let value = _wheels.held {
                return value
              }
              if _wheels.isLoaded {
                return _wheels.value
              }
              return SwiftData._fault(self, _$Slot.wheels, _wheels.value)
            }
            set {
              if _$state.isUntracked && !_wheels.isRelationship {
                _wheels = .init(newValue)
              } else if let slot = SwiftData._willSet(self, \.wheels, _$Slot.wheels, _wheels, to: newValue) {
                _wheels = slot
                SwiftData._didSet(self, \.wheels, _$Slot.wheels, slot)
              }
            }
          }

          @exclusivity(unchecked) private var _wheels = SwiftData._slot(of: (Int).self)

          public init() {}

          @exclusivity(unchecked) public nonisolated(unsafe) final var _$state = SwiftData._ModelState()

          public nonisolated final var _$statePointer: UnsafeMutablePointer<SwiftData._ModelState> {
            withUnsafeMutablePointer(to: &_$state) {
              $0
            }
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
            [
              SwiftData.Schema.PropertyMetadata(name: "wheels", keypath: \Vehicle.wheels, defaultValue: 4 as Int, metadata: nil),
            ]
          }

          private nonisolated enum _$Slot {
            static let wheels = 0
          }

          open nonisolated class var _$properties: [SwiftData._ModelProperty] {
            [
              SwiftData._property(\Vehicle.wheels, {
                  $0._wheels
                }, {
                  $0._wheels = $1
                }),
            ]
          }

          public nonisolated required init(backingData: any SwiftData.BackingData<Vehicle>) {
            SwiftData._adopt(backingData, by: self)
          }

          public nonisolated required init(_$origin origin: SwiftData._ModelOrigin, row: borrowing SwiftData._RowReader) {
            _$load(row)
            _$state.begin(origin)
          }

          open nonisolated func _$load(_ row: SwiftData._RowReader) {
            _wheels.read(row, _$Slot.wheels)
          }

          open nonisolated func _$store(_ row: SwiftData._RowWriter) {
            _wheels.write(row, _$Slot.wheels)
          }

          internal nonisolated func access<_$Value>(keyPath: KeyPath<Vehicle, _$Value>) {
            _$state.access(self, keyPath)
          }

          internal nonisolated func withMutation<_$Value, _$Result>(keyPath: KeyPath<Vehicle, _$Value>, _ mutation: () throws -> _$Result) rethrows -> _$Result {
            try SwiftData._withMutation(of: self, keyPath: keyPath, mutation)
          }
        }

        extension Vehicle: nonisolated SwiftData.PersistentModel {
        }

        extension Vehicle: nonisolated Observation.Observable {
        }

        @available(*, unavailable, message: "PersistentModels are not Sendable, consider utilizing a ModelActor or use Vehicle's persistentModelID instead.")
        extension Vehicle: @unchecked Sendable {
        }
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
              if _$state.isObserved {
                _$state.access(self, \.load)
              }
              if let value = _load.held {
                return value
              }
              if _load.isLoaded {
                return _load.value
              }
              return SwiftData._fault(self, _$Slot.load, _load.value)
            }
            set {
              if _$state.isUntracked && !_load.isRelationship {
                _load = .init(newValue)
              } else if let slot = SwiftData._willSet(self, \.load, _$Slot.load, _load, to: newValue) {
                _load = slot
                SwiftData._didSet(self, \.load, _$Slot.load, slot)
              }
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
            [
              SwiftData.Schema.PropertyMetadata(name: "load", keypath: \Truck.load, defaultValue: nil, metadata: nil),
              SwiftData.Schema.PropertyMetadata(name: "plate", keypath: \Truck.plate, defaultValue: nil, metadata: nil),
            ]
          }

          private nonisolated enum _$Slot {
            static let load = SwiftData._propertyCount(of: Vehicle.self) + 0
            static let plate = SwiftData._propertyCount(of: Vehicle.self) + 1
          }

          public nonisolated override static var _$properties: [SwiftData._ModelProperty] {
            [
              SwiftData._property(\Truck.load, {
                  $0._load
                }, {
                  $0._load = $1
                }),
              SwiftData._constantProperty(\Truck.plate),
            ]
          }

          public nonisolated required init(backingData: any SwiftData.BackingData<Vehicle.Root>) {
            self.plate = SwiftData._constant(\Truck.plate, of: backingData)
            super.init(backingData: backingData)
          }

          public nonisolated required init(_$origin origin: SwiftData._ModelOrigin, row: borrowing SwiftData._RowReader) {
            self.plate = SwiftData._constant(row, _$Slot.plate)
            super.init(_$origin: origin, row: row)
          }

          public nonisolated override func _$load(_ row: SwiftData._RowReader) {
            super._$load(row)
            _load.read(row, _$Slot.load)
          }

          public nonisolated override func _$store(_ row: SwiftData._RowWriter) {
            super._$store(row)
            _load.write(row, _$Slot.load)
            SwiftData._writeConstant(self.plate, row, _$Slot.plate)
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
              if _$state.isObserved {
                _$state.access(self, \.gears)
              }
              if let value = _gears.held {
                return value
              }
              if _gears.isLoaded {
                return _gears.value
              }
              return SwiftData._fault(self, _$Slot.gears, _gears.value)
            }
            set {
              if _$state.isUntracked && !_gears.isRelationship {
                _gears = .init(newValue)
              } else if let slot = SwiftData._willSet(self, \.gears, _$Slot.gears, _gears, to: newValue) {
                _gears = slot
                SwiftData._didSet(self, \.gears, _$Slot.gears, slot)
              }
            }
          }

          @exclusivity(unchecked) private var _gears = SwiftData._slot(of: (Int).self)

          nonisolated override class var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
            [
              SwiftData.Schema.PropertyMetadata(name: "gears", keypath: \Bicycle.gears, defaultValue: 1 as Int, metadata: nil),
            ]
          }

          private nonisolated enum _$Slot {
            static let gears = SwiftData._propertyCount(of: Vehicle.self) + 0
          }

          nonisolated override class var _$properties: [SwiftData._ModelProperty] {
            [
              SwiftData._property(\Bicycle.gears, {
                  $0._gears
                }, {
                  $0._gears = $1
                }),
            ]
          }

          nonisolated override func _$load(_ row: SwiftData._RowReader) {
            super._$load(row)
            _gears.read(row, _$Slot.gears)
          }

          nonisolated override func _$store(_ row: SwiftData._RowWriter) {
            super._$store(row)
            _gears.write(row, _$Slot.gears)
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
              if _$state.isObserved {
                _$state.access(self, \.name)
              }
              if let value = _name.held {
                return value
              }
              if _name.isLoaded {
                return _name.value
              }
              return SwiftData._fault(self, _$Slot.name, _name.value)
            }
            set {
              if _$state.isUntracked && !_name.isRelationship {
                _name = .init(newValue)
              } else if let slot = SwiftData._willSet(self, \.name, _$Slot.name, _name, to: newValue) {
                _name = slot
                SwiftData._didSet(self, \.name, _$Slot.name, slot)
              }
            }
          }

          @exclusivity(unchecked) private var _name = SwiftData._slot(of: (String).self)
          var color: Color? {
            @storageRestrictions(initializes: _color)
            init(initialValue) {
              _color = .init(initialValue)
            }
            get {
              if _$state.isObserved {
                _$state.access(self, \.color)
              }
              if let value = _color.held {
                return value
              }
              if _color.isLoaded {
                return _color.value
              }
              return SwiftData._fault(self, _$Slot.color, _color.value)
            }
            set {
              if _$state.isUntracked && !_color.isRelationship {
                _color = .init(newValue)
              } else if let slot = SwiftData._willSet(self, \.color, _$Slot.color, _color, to: newValue) {
                _color = slot
                SwiftData._didSet(self, \.color, _$Slot.color, slot)
              }
            }
          }

          @exclusivity(unchecked) private var _color = SwiftData._transformableSlot(of: (Color?).self)
          var stays: [Stay] {
            @storageRestrictions(initializes: _stays)
            init(initialValue) {
              _stays = .init(initialValue)
            }
            get {
              if _$state.isObserved {
                _$state.access(self, \.stays)
              }
              if let value = _stays.held {
                return value
              }
              if _stays.isLoaded {
                return _stays.value
              }
              return SwiftData._fault(self, _$Slot.stays, _stays.value)
            }
            set {
              if _$state.isUntracked && !_stays.isRelationship {
                _stays = .init(newValue)
              } else if let slot = SwiftData._willSet(self, \.stays, _$Slot.stays, _stays, to: newValue) {
                _stays = slot
                SwiftData._didSet(self, \.stays, _$Slot.stays, slot)
              }
            }
            _modify {
              if _$state.isObserved {
                _$state.access(self, \.stays)
              }
              let edit = if let value = _stays.held {
                SwiftData._beginEdit(_stays, value)
              } else if _stays.isLoaded {
                SwiftData._beginEdit(_stays, _stays.value)
              } else {
                SwiftData._beginEdit(_stays, SwiftData._fault(self, _$Slot.stays, _stays.value))
              }
              defer {
                if SwiftData._endEdit(edit, of: self, \.stays, _$Slot.stays, _stays) {
                } else if _$state.isUntracked && !_stays.isRelationship {
                  _stays = .init(edit.value)
                } else if let slot = SwiftData._willSet(self, \.stays, _$Slot.stays, _stays, to: edit.value) {
                  _stays = slot
                  SwiftData._didSet(self, \.stays, _$Slot.stays, slot)
                }
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
            withUnsafeMutablePointer(to: &_$state) {
              $0
            }
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
            [
              SwiftData.Schema.PropertyMetadata(name: "name", keypath: \Trip.name, defaultValue: nil, metadata: SwiftData.Schema.Attribute(.unique, originalName: "title")),
              SwiftData.Schema.PropertyMetadata(name: "color", keypath: \Trip.color, defaultValue: nil, metadata: SwiftData.Schema.Attribute(.transformable(by: "ColorTransformer"))),
              SwiftData.Schema.PropertyMetadata(name: "stays", keypath: \Trip.stays, defaultValue: [] as [Stay], metadata: SwiftData.Schema.Relationship(deleteRule: .cascade, inverse: \Stay.trip)),
              SwiftData.Schema.PropertyMetadata(name: "identifier", keypath: \Trip.identifier, defaultValue: nil, metadata: nil),
              SwiftData.Schema.PropertyMetadata(name: "SwiftData.Schema.Index", keypath: \SwiftData.Schema.encodingVersion, defaultValue: nil, metadata: SwiftData.Schema.Index<Trip>([\.name], [\.identifier, \.name])),
              SwiftData.Schema.PropertyMetadata(name: "SwiftData.Schema.Unique", keypath: \SwiftData.Schema.encodingVersion, defaultValue: nil, metadata: SwiftData.Schema.Unique<Trip>([\.name])),
            ]
          }

          private nonisolated enum _$Slot {
            static let name = 0
            static let color = 1
            static let stays = 2
            static let identifier = 3
          }

          nonisolated static var _$properties: [SwiftData._ModelProperty] {
            [
              SwiftData._property(\Trip.name, {
                  $0._name
                }, {
                  $0._name = $1
                }),
              SwiftData._transformableProperty(\Trip.color, {
                  $0._color
                }, {
                  $0._color = $1
                }),
              SwiftData._property(\Trip.stays, {
                  $0._stays
                }, {
                  $0._stays = $1
                }),
              SwiftData._constantProperty(\Trip.identifier),
            ]
          }

          nonisolated init(backingData: any SwiftData.BackingData<Trip>) {
            self.identifier = backingData.getValue(forKey: \.identifier)
            SwiftData._adopt(backingData, by: self)
          }

          nonisolated init(_$origin origin: SwiftData._ModelOrigin, row: borrowing SwiftData._RowReader) {
            self.identifier = SwiftData._constant(row, _$Slot.identifier)
            _$load(row)
            _$state.begin(origin)
          }

          @inline(__always)
          nonisolated func _$load(_ row: SwiftData._RowReader) {
            _name.read(row, _$Slot.name)
            _color.readTransformable(row, _$Slot.color)
            _stays.read(row, _$Slot.stays)
          }

          nonisolated func _$store(_ row: SwiftData._RowWriter) {
            _name.write(row, _$Slot.name)
            _color.writeTransformable(row, _$Slot.color)
            _stays.write(row, _$Slot.stays)
            SwiftData._writeConstant(self.identifier, row, _$Slot.identifier)
          }

          internal nonisolated func access<_$Value>(keyPath: KeyPath<Trip, _$Value>) {
            _$state.access(self, keyPath)
          }

          internal nonisolated func withMutation<_$Value, _$Result>(keyPath: KeyPath<Trip, _$Value>, _ mutation: () throws -> _$Result) rethrows -> _$Result {
            try SwiftData._withMutation(of: self, keyPath: keyPath, mutation)
          }
        }

        extension Trip: nonisolated SwiftData.PersistentModel {
        }

        extension Trip: nonisolated Observation.Observable {
        }

        @available(*, unavailable, message: "PersistentModels are not Sendable, consider utilizing a ModelActor or use Trip's persistentModelID instead.")
        extension Trip: @unchecked Sendable {
        }
        """#)
  }

  @Test("A class with an equality of its own is told that generic code uses it")
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
            withUnsafeMutablePointer(to: &_$state) {
              $0
            }
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
            [
            ]
          }

          private nonisolated enum _$Slot {
          }

          public nonisolated static var _$properties: [SwiftData._ModelProperty] {
            [
            ]
          }

          public nonisolated init(backingData: any SwiftData.BackingData<Person>) {
            SwiftData._adopt(backingData, by: self)
          }

          public nonisolated init(_$origin origin: SwiftData._ModelOrigin, row: borrowing SwiftData._RowReader) {
            _$load(row)
            _$state.begin(origin)
          }

          @inline(__always)
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

        extension Person: nonisolated SwiftData.PersistentModel {
        }

        extension Person: nonisolated Observation.Observable {
        }

        @available(*, unavailable, message: "PersistentModels are not Sendable, consider utilizing a ModelActor or use Person's persistentModelID instead.")
        extension Person: @unchecked Sendable {
        }
        """#)
  }
}
