import Foundation

#if !canImport(Darwin)
  /// The object graph of an archive, read without creating any of the objects.
  ///
  /// `NSKeyedUnarchiver` stops the process where an archive has an object of a class that exists but is not allowed, or that
  /// does not support secure coding, and never returns where an object contains itself. So an archive is first read as the
  /// property list that it is. XML is converted to a binary list for that, in which references are plain numbers.
  struct KeyedArchive {
    /// The greatest nesting depth of objects.
    static let depthLimit = 512

    private let list: BinaryPropertyList
    /// The position in the list of each object of the archive.
    private let objects: [Int]
    /// The numbers of the top-level objects.
    private let roots: [Int]

    /// - Returns: nil for data that is not an archive.
    init?(_ data: Data) {
      guard let list = BinaryPropertyList(data) ?? Self.converted(data),
        case .table(let archive)? = list.object(at: list.top), let objects = archive["$objects"],
        case .list(let positions)? = list.object(at: objects), let top = archive["$top"],
        let roots = Self.references(in: [top], list)
      else { return nil }
      self.list = list
      self.objects = positions
      self.roots = roots
    }

    private static func converted(_ data: Data) -> BinaryPropertyList? {
      guard let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil),
        let binary = try? PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
      else { return nil }
      return BinaryPropertyList(binary)
    }

    /// An object that is being visited.
    private struct Step {
      /// Nil for the container of the roots.
      var object: Int?
      var rest: [Int]
      /// The nesting depth below the object.
      var height = 0
    }

    /// Whether an unarchiver succeeds and finds only objects of the given classes, apart from the contents of objects of
    /// classes other than Foundation's collections.
    func canBeOpened(allowing classes: [AnyClass]) -> Bool {
      areOf(classes) && isSound()
    }

    private func areOf(_ classes: [AnyClass]) -> Bool {
      let allowed = Set(classes.map { ObjectIdentifier($0) })
      let collections = Set([NSArray.self, NSDictionary.self, NSSet.self].map { ObjectIdentifier($0) })
      var seen = Set(roots)
      var rest = roots
      while let object = rest.popLast() {
        guard objects.indices.contains(object), let content = list.object(at: objects[object]) else { return false }
        guard case .table(var values) = content, let position = values.removeValue(forKey: "$class"),
          case .reference(let number)? = list.object(at: position)
        else { continue }
        guard let type = self.type(at: number), Self.isKind(type, of: allowed) else { return false }
        guard Self.isKind(type, of: collections) else { continue }
        guard let members = Self.references(in: Array(values.values), list) else { return false }
        for member in members where seen.insert(member).inserted { rest.append(member) }
      }
      return true
    }

    /// Whether every object can be created, and none contains itself.
    private func isSound() -> Bool {
      // Zero for the objects on the current path.
      var heights: [Int: Int] = [:]
      var path = [Step(object: nil, rest: roots)]
      while var step = path.popLast() {
        let height: Int
        if let next = step.rest.popLast() {
          path.append(step)
          guard let known = heights[next] else {
            guard path.count <= Self.depthLimit, let rest = parts(of: next) else { return false }
            heights[next] = 0
            path.append(Step(object: next, rest: rest))
            continue
          }
          guard known > 0 else { return false }
          height = known
        } else {
          guard let object = step.object else { return true }
          height = step.height + 1
          heights[object] = height
        }
        let outer = path.count - 1
        guard outer + height <= Self.depthLimit else { return false }
        path[outer].height = max(path[outer].height, height)
      }
      return true
    }

    /// The objects that are needed to create an object; nil for an object that must not be created.
    private func parts(of object: Int) -> [Int]? {
      guard objects.indices.contains(object), let content = list.object(at: objects[object]) else { return nil }
      guard case .table(var values) = content, let position = values.removeValue(forKey: "$class"),
        case .reference(let number)? = list.object(at: position)
      else { return [] }
      guard let type = self.type(at: number), Self.isSecure(type), isComplete(values, for: type) else { return nil }
      return Self.references(in: Array(values.values), list)
    }

    /// Whether an object of one of Foundation's own classes has the values that its class uses without a check.
    private func isComplete(_ values: [String: Int], for type: AnyClass) -> Bool {
      if let keysPosition = values["NS.keys"] {
        guard case .list(let keys)? = list.object(at: keysPosition), let membersPosition = values["NS.objects"],
          case .list(let members)? = list.object(at: membersPosition), keys.count == members.count,
          (keys + members).allSatisfy({ isPresent($0) })
        else { return false }
      }
      if let position = values["NS.uuidbytes"] {
        guard case .data(count: 16)? = list.object(at: position) else { return false }
      }
      guard Self.isKind(type, of: [ObjectIdentifier(NSURL.self)]) else { return true }
      // The class decodes these with their own classes, whatever else is allowed.
      return isAbsent(values["NS.base"], unless: NSURL.self) && isAbsent(values["NS.relative"], unless: NSString.self)
    }

    /// Whether a position of the list refers to an object that exists.
    private func isPresent(_ position: Int) -> Bool {
      guard case .reference(let number)? = list.object(at: position), objects.indices.contains(number) else {
        return false
      }
      if case .text("$null")? = list.object(at: objects[number]) { return false }
      return true
    }

    /// Whether a position of the list has no object of another class. Values without a class are never refused.
    private func isAbsent(_ position: Int?, unless expected: AnyClass) -> Bool {
      guard let position, case .reference(let object)? = list.object(at: position), objects.indices.contains(object),
        case .table(let values)? = list.object(at: objects[object]), let classPosition = values["$class"],
        case .reference(let description)? = list.object(at: classPosition)
      else { return true }
      return type(at: description).map { Self.isKind($0, of: [ObjectIdentifier(expected)]) } ?? false
    }

    /// The class that an object of the archive describes, as the unarchiver finds it; nil when there is none.
    private func type(at object: Int) -> AnyClass? {
      guard objects.indices.contains(object), case .table(let description)? = list.object(at: objects[object]) else {
        return nil
      }
      if let position = description["$classname"], case .text(let name)? = list.object(at: position),
        let found = NSKeyedUnarchiver.class(forClassName: name) ?? NSClassFromString(name)
      {
        return found
      }
      guard let hintsPosition = description["$classhints"], case .list(let hints)? = list.object(at: hintsPosition)
      else { return nil }
      for hint in hints {
        guard case .text(let name)? = list.object(at: hint) else { return nil }
        if let found = NSClassFromString(name) { return found }
      }
      return nil
    }

    private static func isKind(_ type: AnyClass, of allowed: Set<ObjectIdentifier>) -> Bool {
      var ancestor: AnyClass? = type
      while let candidate = ancestor {
        if allowed.contains(ObjectIdentifier(candidate)) { return true }
        ancestor = _getSuperclass(candidate)
      }
      return false
    }

    private static func isSecure(_ type: AnyClass) -> Bool {
      let made: AnyClass = (type as? NSObject.Type)?.classForKeyedUnarchiver() ?? type
      return (made as? any NSSecureCoding.Type)?.supportsSecureCoding ?? false
    }

    /// The numbers of all objects that parts of the list refer to.
    private static func references(in positions: [Int], _ list: BinaryPropertyList) -> [Int]? {
      var seen = Set(positions)
      var rest = positions
      var found: [Int] = []
      while let position = rest.popLast() {
        guard let object = list.object(at: position) else { return nil }
        switch object {
        case .reference(let number): found.append(number)
        case .list(let inner): rest += inner.filter { seen.insert($0).inserted }
        case .table(let inner): rest += inner.values.filter { seen.insert($0).inserted }
        case .text, .data, .other: break
        }
      }
      return found
    }
  }
#endif
