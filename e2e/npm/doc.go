// Package npm tests snapshots, live runs and recordings with MCP servers that other people wrote: the servers in package.json, in
// the versions that package-lock.json pins. ../setup installs them; without them the tests skip.
//
// Nothing here reaches the network: the servers are installed before, npm is set to offline, and servers that listen do so only on
// loopback. Every test checks at its end that no process is left: see world_test.go.
package npm
