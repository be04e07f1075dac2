// swift-tools-version: 5.9

import PackageDescription

// The client is a copy beside this package: what a build leaves is not left in generated/.
let package = Package(
  name: "client-tests",
  platforms: [.macOS(.v10_15)],
  dependencies: [.package(name: "handset-client", path: "../client")],
  targets: [
    .testTarget(
      name: "ClientTests",
      dependencies: [.product(name: "HandsetClient", package: "handset-client")])
  ]
)
