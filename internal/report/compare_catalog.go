package report

import (
	"cmp"
	"slices"
)

// ToolChange is a tool that was added, removed or changed.
type ToolChange struct {
	Kind   string `json:"kind"` // added, removed or changed
	Server string `json:"server"`
	Name   string `json:"name"`
	Path   string `json:"path"` // of the catalog
	Line   int    `json:"line"` // in the head's; 0 for a removed tool
	Base   int    `json:"base"` // surface tokens; 0 for an added tool
	Head   int    `json:"head"`
}

// The kinds of changes to tools and cassettes.
const (
	Added   = "added"
	Removed = "removed"
	Changed = "changed"
)

// Delta returns how many more tokens the tool is.
func (t ToolChange) Delta() int { return t.Head - t.Base }

// placedTool is a tool and its catalog's path.
type placedTool struct {
	CatalogTool
	path string
}

// toolKey is what tools are paired by: in the same catalog, and for those left by server and name alone.
type toolKey struct{ path, server, name string }

// compareTools tells which tools differ, the biggest increase of tokens first.
func compareTools(base, head []Catalog) []ToolChange {
	before, after := toolsOf(base), toolsOf(head)
	var changes []ToolChange
	pairOf := func(key func(placedTool) toolKey) {
		before, after = pairTools(before, after, key, func(b, h placedTool) {
			if !sameTool(b, h) {
				changes = append(changes, ToolChange{Changed, h.Server, h.Name, h.path, h.Line, b.Tokens, h.Tokens})
			}
		})
	}
	pairOf(func(t placedTool) toolKey { return toolKey{t.path, t.Server, t.Name} })
	pairOf(func(t placedTool) toolKey { return toolKey{"", t.Server, t.Name} })
	for _, t := range before {
		changes = append(changes, ToolChange{Removed, t.Server, t.Name, t.path, 0, t.Tokens, 0})
	}
	for _, t := range after {
		changes = append(changes, ToolChange{Added, t.Server, t.Name, t.path, t.Line, 0, t.Tokens})
	}
	slices.SortStableFunc(changes, func(a, b ToolChange) int {
		return cmp.Or(cmp.Compare(b.Delta(), a.Delta()), cmp.Compare(a.Server, b.Server), cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.Path, b.Path))
	})
	return changes
}

// sameTool compares the content where both sides know it, else the size.
func sameTool(b, h placedTool) bool {
	if b.SHA256 != "" && h.SHA256 != "" {
		return b.SHA256 == h.SHA256
	}
	return b.Tokens == h.Tokens
}

func toolsOf(catalogs []Catalog) []placedTool {
	var tools []placedTool
	for _, c := range catalogs {
		for _, t := range c.Tools {
			tools = append(tools, placedTool{t, c.Path})
		}
	}
	return tools
}

// pairTools calls pair for each two tools of one key, the first with the first, and returns those left over.
func pairTools(before, after []placedTool, key func(placedTool) toolKey, pair func(b, h placedTool)) (gone, added []placedTool) {
	byKey := map[toolKey][]placedTool{}
	for _, t := range before {
		byKey[key(t)] = append(byKey[key(t)], t)
	}
	paired := map[toolKey]int{}
	for _, t := range after {
		k := key(t)
		if n := paired[k]; n < len(byKey[k]) {
			pair(byKey[k][n], t)
			paired[k]++
			continue
		}
		added = append(added, t)
	}
	for _, t := range before {
		if k := key(t); paired[k] > 0 {
			paired[k]--
			continue
		}
		gone = append(gone, t)
	}
	return gone, added
}

// findingKey tells findings apart: not by line or wording, which change without it.
type findingKey struct {
	rule, server, tool string
	argument           Optional
}

func (f Finding) key() findingKey { return findingKey{f.Rule, f.Server, f.Tool, f.Argument} }

// real reports whether the finding is one: each tool without any gets a pass.
func (f Finding) real() bool { return f.Severity == "critical" || f.Severity == "warning" }

// extra returns the findings of a that b does not have, the worst first.
func extra(a, b []Catalog) []Finding {
	there := map[findingKey]int{}
	for _, c := range b {
		for _, f := range c.Findings {
			if f.real() {
				there[f.key()]++
			}
		}
	}
	var list []Finding
	for _, c := range a {
		for _, f := range c.Findings {
			if !f.real() {
				continue
			}
			if there[f.key()] > 0 {
				there[f.key()]--
				continue
			}
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, byPlace)
	return list
}

// CassetteChange is a cassette that is not what it was.
type CassetteChange struct {
	Kind     string   `json:"kind"` // added, removed or changed
	Path     string   `json:"path"`
	Base     int      `json:"base_runs"` // 0 for an added cassette
	Head     int      `json:"head_runs"` // 0 for a removed one
	Recorder Optional `json:"recorder"`  // of the head's
	Hashed   bool     `json:"hashed"`
}

// ByRecorder reports whether the head's cassette says to have been written by a recorder, for a prompt and a catalog
// that it names by their hashes. Anybody can write that: it is its author's word.
func (c CassetteChange) ByRecorder() bool { return c.Recorder != "" && c.Hashed }

// compareCassettes tells which cassettes differ, by path. One that was moved as it is has not changed.
func (c *comparer) compareCassettes() []CassetteChange {
	before, after := recordingsOf(c.base.Cases), recordingsOf(c.head.Cases)
	for i, one := range c.vanished {
		if c.out.Removed[i].NotEvaluated { // nobody knows whether its recordings are still there
			for _, r := range one.Recordings {
				delete(before, r.Path)
			}
		}
	}
	c.forgetUnread(before)
	gone := map[Optional]bool{} // bytes that no longer stand where they stood
	for path, r := range before {
		if _, ok := after[path]; !ok {
			gone[r.SHA256] = true
		}
	}
	moved := map[Optional]bool{}
	var list []CassetteChange
	for path, h := range after {
		b, ok := before[path]
		switch {
		case !ok && h.SHA256 != "" && gone[h.SHA256]:
			moved[h.SHA256] = true
		case !ok:
			list = append(list, CassetteChange{Added, path, 0, h.Runs, h.Recorder, h.Hashed})
		case !sameRecording(b, h):
			list = append(list, CassetteChange{Changed, path, b.Runs, h.Runs, h.Recorder, h.Hashed})
		}
	}
	for path, b := range before {
		if _, ok := after[path]; !ok && !moved[b.SHA256] {
			list = append(list, CassetteChange{Kind: Removed, Path: path, Base: b.Runs})
		}
	}
	slices.SortFunc(list, func(a, b CassetteChange) int { return cmp.Compare(a.Path, b.Path) })
	return list
}

// forgetUnread leaves out what the base had recorded of cases that were run live now and not recorded: it has neither
// changed nor gone.
func (c *comparer) forgetUnread(before map[string]Recording) {
	if c.head.Mode != Live {
		return
	}
	for i, was := range c.partner {
		if was == nil || len(c.head.Cases[i].Recordings) > 0 {
			continue
		}
		for _, r := range was.Recordings {
			delete(before, r.Path)
		}
	}
}

func recordingsOf(cases []Case) map[string]Recording {
	byPath := map[string]Recording{}
	for _, c := range cases {
		for _, rec := range c.Recordings {
			byPath[rec.Path] = rec
		}
	}
	return byPath
}

// sameRecording compares the bytes where both sides know them, else what the cassettes say of themselves.
func sameRecording(b, h Recording) bool {
	if b.SHA256 != "" && h.SHA256 != "" {
		return b.SHA256 == h.SHA256
	}
	return b.Runs == h.Runs && b.Recorder == h.Recorder && b.Hashed == h.Hashed
}
