// swift-tools-version: 5.9

import PackageDescription

// The client is a copy beside this package, as for the tests.
let package = Package(
  name: "client-bench",
  platforms: [.macOS(.v10_15)],
  dependencies: [.package(name: "handset-client", path: "../client")],
  targets: [
    .executableTarget(
      name: "Bench",
      dependencies: [.product(name: "HandsetClient", package: "handset-client")])
  ]
)
