#if !canImport(Darwin)
  @_exported import os
#endif
