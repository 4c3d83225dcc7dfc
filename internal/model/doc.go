// Package model knows the providers of models and what models cost, and has the types of a conversation with a model.
//
// [Resolve] finds the provider of a model's name and how it is reached. The table vendors (vendors.go) holds the providers:
// to add one, add a row. [ListPrice] knows what models cost. A [Provider] answers a [Request] with a [Reply]: package
// provider makes those that are reached over the network, package builtin the agents without a model. This
// package imports no HTTP, because everything that reads suites links it.
package model
