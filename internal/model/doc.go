// Package model holds the providers and prices of models, and the types of a conversation with a model.
//
// [Resolve] finds the provider and the address for a model's name. The table vendors (vendors.go) holds the providers:
// to add a provider, add a row. [ListPrice] returns the price of a model. A [Provider] answers a [Request] with a
// [Reply]: package provider makes the providers on the network, package builtin the agents without a model. This
// package does not import HTTP, because everything that reads suites links it.
package model
