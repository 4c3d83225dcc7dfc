package compare

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
)

// findingKey identifies a finding without its line and wording, which may change independently.
type findingKey struct {
	rule, server, tool string
	argument           report.Optional
}

// Extra returns the findings of a that b does not have, the worst first.
func Extra(a, b []report.Catalog) []report.Finding {
	var noRenames map[catalog.Ref]catalog.Ref
	return extraFindings(a, b, noRenames)
}

// extraFindings does the same as Extra for renamed tools: successors maps their old references to the new ones.
func extraFindings(a, b []report.Catalog, successors map[catalog.Ref]catalog.Ref) []report.Finding {
	keyOf := func(f report.Finding) findingKey {
		key := findingKey{f.Rule, f.Server, f.Tool, f.Argument}
		if now, ok := successors[catalog.Ref{Server: f.Server, Name: f.Tool}]; ok {
			key.server, key.tool = now.Server, now.Name
		}
		return key
	}
	unmatched := map[findingKey]int{} // numbers of findings of b without an equal finding of a
	for _, c := range b {
		for _, f := range c.Findings {
			if f.IsReal() {
				unmatched[keyOf(f)]++
			}
		}
	}
	var list []report.Finding
	for _, c := range a {
		for _, f := range c.Findings {
			switch {
			case !f.IsReal():
			case unmatched[keyOf(f)] > 0:
				unmatched[keyOf(f)]--
			default:
				list = append(list, f)
			}
		}
	}
	slices.SortStableFunc(list, byPlace)
	return list
}

// withoutUnknown removes the findings about schemas that the head does not know, because such findings are not fixed.
func withoutUnknown(list []report.Finding, head []report.Catalog) []report.Finding {
	unknown := map[catalog.Ref]bool{}
	for _, c := range head {
		for _, t := range c.Tools {
			if t.SchemaUnknown {
				unknown[catalog.Ref{Server: t.Server, Name: t.Name}] = true
			}
		}
	}
	return slices.DeleteFunc(list, func(f report.Finding) bool {
		rule, ok := lint.Find(f.Rule)
		return ok && rule.Reads == lint.Schemas && unknown[catalog.Ref{Server: f.Server, Name: f.Tool}]
	})
}

// compareCassettes returns the cassettes that differ, by path. Moving a cassette does not change it.
func (c *comparer) compareCassettes() []report.CassetteChange {
	before, after := recordingsOf(c.base.Cases), recordingsOf(c.head.Cases)
	for i, one := range c.vanished {
		if c.out.Removed[i].NotEvaluated { // it is unknown whether its recordings still exist
			for _, r := range one.Recordings {
				delete(before, r.Path)
			}
		}
	}
	c.forgetUnread(before, after)
	movedFrom, movedTo := bytesOnlyIn(before, after), bytesOnlyIn(after, before)
	var list []report.CassetteChange
	add := func(kind, path string) {
		b, h := before[path], after[path]
		list = append(list, report.CassetteChange{Kind: kind, Path: path, Base: b.Runs, Head: h.Runs, Recorder: h.Recorder, Hashed: h.Hashed})
	}
	for path, now := range after {
		was, inBase := before[path]
		switch {
		case !inBase && !movedFrom[now.SHA256]:
			add(report.Added, path)
		case inBase && !sameRecording(was, now):
			add(report.Changed, path)
		}
	}
	for path, was := range before {
		if _, inHead := after[path]; !inHead && !movedTo[was.SHA256] {
			add(report.Removed, path)
		}
	}
	lists.SortStable(list, func(a, b *report.CassetteChange) int { return cmp.Compare(a.Path, b.Path) })
	return list
}

// bytesOnlyIn returns the hashes of the recordings in a at paths that b lacks.
func bytesOnlyIn(a, b map[string]report.Recording) map[report.Optional]bool {
	only := map[report.Optional]bool{}
	for path, r := range a {
		if _, ok := b[path]; !ok && r.SHA256 != "" {
			only[r.SHA256] = true
		}
	}
	return only
}

// forgetUnread deletes from the map "before" the recordings of cases that read none in the head, because the cases ran live or
// nothing judges them. Such recordings have neither changed nor disappeared. Recordings that other cases read stay.
func (c *comparer) forgetUnread(before, after map[string]report.Recording) {
	for i, was := range c.partners {
		head := &c.head.Cases[i]
		mayReadNone := c.head.Mode == report.Live || head.LeftOut != ""
		if was == nil || len(head.Recordings) > 0 || !mayReadNone {
			continue
		}
		for _, r := range was.Recordings {
			if _, read := after[r.Path]; !read {
				delete(before, r.Path)
			}
		}
	}
}

func recordingsOf(cases []report.Case) map[string]report.Recording {
	byPath := map[string]report.Recording{}
	for _, c := range cases {
		for _, rec := range c.Recordings {
			byPath[rec.Path] = rec
		}
	}
	return byPath
}

// sameRecording compares the hashes if both recordings have one, otherwise the headers and the numbers of runs.
func sameRecording(b, h report.Recording) bool {
	if b.SHA256 != "" && h.SHA256 != "" {
		return b.SHA256 == h.SHA256
	}
	return b.Runs == h.Runs && b.Recorder == h.Recorder && b.Hashed == h.Hashed
}
