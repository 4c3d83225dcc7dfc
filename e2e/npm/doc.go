// Package npm tests snapshots, live runs and recordings with MCP servers that other people wrote: those of
// package.json, in the versions that package-lock.json pins. ../setup installs them; without npm the tests skip.
//
// Nothing here reaches the network: the servers are installed before, npm is told to stay offline, and what listens does
// so on loopback. Every test ends with a look for processes that are left: see world_test.go.
package npm
