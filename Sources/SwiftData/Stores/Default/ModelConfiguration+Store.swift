extension ModelConfiguration: DataStoreConfiguration {
  public typealias Store = DefaultStore
}
