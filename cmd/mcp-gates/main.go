// Command mcp-gates checks how well agents pick the tools of MCP servers; see package cli.
package main

import "github.com/org/mcp-gates/internal/cli"

func main() { cli.Main() }
