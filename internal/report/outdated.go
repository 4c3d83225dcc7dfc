package report

import "slices"

// OutdatedTool is a tool whose description the change modifies in the code but not in the snapshot.
type OutdatedTool struct {
	Server string   `json:"server"`
	Name   string   `json:"name"`
	What   string   `json:"what"`   // WhatDescription or WhatName
	Says   string   `json:"says"`   // the beginning of the description, or the name
	Path   string   `json:"path"`   // path of the snapshot
	Line   int      `json:"line"`   // line in the snapshot
	Source Place    `json:"source"` // place of the description in the code; line 0 if the code no longer has the description
	Update Optional `json:"update"` // the command that writes the snapshot; null if the suite starts no server
}

// OlderThanCode is the phrase about a snapshot that the change did not update.
const OlderThanCode = "is older than the code"

// WhatName is [OutdatedTool.What] for a tool that has a new name in the code, with the same description.
const WhatName = "name"

// OutdatedSnapshots returns the paths of the snapshots that are older than the code, sorted.
func (c *Comparison) OutdatedSnapshots() []string {
	var paths []string
	for i := range c.Outdated {
		paths = append(paths, c.Outdated[i].Path)
	}
	return slices.Compact(slices.Sorted(slices.Values(paths)))
}

// SnapshotCommand returns the command that writes the snapshot of a server that a suite starts. The command names the suite if
// several suites declare the server. It is "" if a shell would change the name.
func SnapshotCommand(server, suite string) string {
	var c command
	c.add("mcp-gates", "snapshot")
	c.addValue("--server", server)
	c.add("--update")
	if suite != "" {
		c.addPath(suite)
	}
	line, ok := c.commandLine()
	if !ok {
		return ""
	}
	return line
}
