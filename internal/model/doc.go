// Package model asks the models of providers for their next turn.
//
// [Resolve] finds the provider of a model's name and how it is reached, [New] makes it, and [Provider.Turn] sends it a
// conversation. The table vendors (vendors.go) holds the providers: to add one, add a row, and a file where its wire format
// is new. Requests are tried again (retry.go), and what a provider answers is bounded and holds no key. [ListPrice] knows
// what models cost. The agents without a model are in package builtin.
package model
