@_exported public import SwiftDataTesting
