package report

import "slices"

// OutdatedTool is a tool that the change describes otherwise in the code than its snapshot, which is as it was.
type OutdatedTool struct {
	Server string   `json:"server"`
	Name   string   `json:"name"`
	What   string   `json:"what"`   // WhatDescription or WhatName
	Says   string   `json:"says"`   // the beginning of the description, or the name
	Path   string   `json:"path"`   // of the snapshot
	Line   int      `json:"line"`   // in the snapshot
	Source Place    `json:"source"` // of what the code says there now; line 0 where it says nothing
	Update Optional `json:"update"` // the command that writes the snapshot; null where the suite starts no server
}

// OlderThanCode says what a snapshot is that the change forgot.
const OlderThanCode = "is older than the code"

// WhatName is [OutdatedTool.What] of a tool that the code calls otherwise, and describes as before.
const WhatName = "name"

// OutdatedSnapshots returns the paths of the snapshots that are older than the code, sorted.
func (c *Comparison) OutdatedSnapshots() []string {
	var paths []string
	for i := range c.Outdated {
		paths = append(paths, c.Outdated[i].Path)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// SnapshotCommand returns the command that writes the snapshot of a server that a suite starts: of this suite, where several declare the
// server. It is "" where no shell takes the name as it is.
func SnapshotCommand(server, suite string) string {
	var c command
	c.add("mcp-gates", "snapshot")
	c.value("--server", server)
	c.add("--update")
	if suite != "" {
		c.path(suite)
	}
	line, ok := c.line()
	if !ok {
		return ""
	}
	return line
}
