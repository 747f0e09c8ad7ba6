@_exported public import Foundation
@_exported public import FoundationSupplements
@_exported public import Observation

#if OpenCombine
  @_exported public import OpenCombineShim
#endif
