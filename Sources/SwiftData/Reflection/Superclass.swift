/// The class that a class inherits from.
func superclass(of type: AnyClass) -> AnyClass? {
  _getSuperclass(type)
}
