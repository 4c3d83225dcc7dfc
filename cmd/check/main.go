// Command check is mcp-gates under the name of its folder; see package cli.
package main

import "github.com/org/mcp-gates/internal/cli"

func main() { cli.Main() }
