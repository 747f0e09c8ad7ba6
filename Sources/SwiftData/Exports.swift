@_exported public import FoundationSupplements
@_exported public import Observation
