package check

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/locate"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/staleness"
	"github.com/org/mcp-gates/internal/suite"
)

// maxSourced bounds the servers whose sources are compared.
const maxSourced = 200

// sourced is a server that both base and head have, and whose source files the base names.
type sourced struct {
	base, head *suite.Server
	suite      *suite.Suite                    // of the head
	inSeveral  bool                            // several suites of the head declare a server with this name
	tools      []*catalog.Tool                 // tools of the base's snapshot, the keys of now
	now        map[*catalog.Tool]*catalog.Tool // maps each of tools to the tool with the same description in the head's snapshot
}

// findOutdated finds the tools whose descriptions the change modifies in the code but not in their snapshots. The code is in the
// files that the base's suites name as source. It also notes if the head's suites leave out such files.
func (c *checker) findOutdated(selected []selectedCase, r *report.Report) {
	servers := c.sourcedServers()
	if len(servers) == 0 {
		return
	}
	skip := c.nonSourceFiles(selected)
	for _, s := range servers {
		sides := locate.Sides{Base: c.options.BaseSuites.checker.fsys, Head: c.fsys, Globs: s.base.Source, HeadGlobs: s.head.Source, Skip: skip}
		found, err := locate.Compare(sides, s.tools)
		if err = cmp.Or(readErrorOf(sides.Base), err); err != nil {
			c.noteUncompared(s, err, r)
			continue
		}
		c.noteLost(s, found.Lost)
		if w, ok := s.uncoveredSource(c, found.Files); ok {
			r.Uncovered = append(r.Uncovered, w)
		}
	}
	r.Outdated = c.outdated
}

// readErrorOf returns the error that a file system noted while its files were read; nil if it noted none.
func readErrorOf(fsys any) error {
	if tree, ok := fsys.(interface{ Err() error }); ok {
		return tree.Err()
	}
	return nil
}

// sourcedServers returns the servers that have a snapshot in both head and base, and whose source the base names. If several
// servers have the same snapshot and files, it returns the first.
func (c *checker) sourcedServers() (list []sourced) {
	if c.options.BaseSuites == nil {
		return nil
	}
	known := map[string]bool{}
	for _, was := range c.options.BaseSuites.checker.suites {
		for _, base := range was.Servers {
			if base.Snapshot == nil || len(base.Source) == 0 || len(list) == maxSourced {
				continue
			}
			s := c.findHeadServer(was, base)
			if s.head == nil {
				continue
			}
			key := fmt.Sprintf("%q %q %q", s.head.Snapshot.File, base.Source, s.head.Source)
			if known[key] {
				continue
			}
			known[key] = true
			if s.pairTools(); len(s.tools) > 0 {
				list = append(list, s)
			}
		}
	}
	return list
}

// findHeadServer finds the head's server that corresponds to a server of the base: one with the same snapshot, otherwise one with
// the same name. Among several it prefers a server of the same suite.
func (c *checker) findHeadServer(was *suite.Suite, base *suite.Server) sourced {
	found, best := sourced{base: base}, 0
	for _, s := range c.suites {
		for _, server := range s.Servers {
			if server.Snapshot == nil {
				continue
			}
			score := 0
			if server.Snapshot.File == base.Snapshot.File {
				score += 4 // more than the other points together
			}
			if server.Name == base.Name {
				score += 2
			}
			if score > 0 && s.File == was.File {
				score++
			}
			if score > best {
				best, found.head, found.suite = score, server, s
			}
		}
	}
	if found.head != nil {
		hasName := func(server *suite.Server) bool { return server.Name == found.head.Name }
		found.inSeveral = lists.Count(c.suites, func(s *suite.Suite) bool { return slices.ContainsFunc(s.Servers, hasName) }) > 1
	}
	return found
}

// pairTools notes the tools that have the same descriptions in both snapshots.
func (s *sourced) pairTools() {
	pairs := catalog.Pairs(ownTools(s.base, s.head.Name), ownTools(s.head, s.head.Name))
	s.now = map[*catalog.Tool]*catalog.Tool{}
	for _, p := range slices.Concat(pairs.Same, pairs.Renamed) {
		if p.Base != nil && p.Head != nil && p.Base.Description == p.Head.Description {
			s.tools = append(s.tools, p.Base)
			s.now[p.Base] = p.Head
		}
	}
	slices.SortStableFunc(s.tools, func(a, b *catalog.Tool) int {
		return cmp.Or(cmp.Compare(s.now[a].Pos.Line, s.now[b].Pos.Line), cmp.Compare(a.Name, b.Name))
	})
}

// ownTools returns the tools in a server's snapshot that belong to the server, because the file may have tools of several
// servers. The returned tools have the given name as their server.
func ownTools(server *suite.Server, name string) *catalog.Catalog {
	own := &catalog.Catalog{File: server.Snapshot.File}
	for _, t := range server.Snapshot.Tools {
		if t.Server == server.Name {
			one := *t
			one.Server = name
			own.Tools = append(own.Tools, &one)
		}
	}
	return own
}

// nonSourceFiles returns the files that contain descriptions of tools but are not their source: the suites, snapshots and
// recordings of head and base.
func (c *checker) nonSourceFiles(selected []selectedCase) map[string]bool {
	skip := map[string]bool{}
	note := func(of *checker, one selectedCase) {
		files, _ := of.cassettes(one)
		for _, file := range files {
			skip[file] = true
		}
	}
	for _, one := range selected {
		note(c, one)
	}
	for _, one := range c.options.BaseSuites.cases {
		note(c.options.BaseSuites.checker, one)
	}
	for _, s := range slices.Concat(c.suites, c.unaffected, c.options.BaseSuites.checker.suites) {
		skip[s.File] = true
		for _, cat := range s.Catalogs {
			skip[cat.Path] = true
			for _, file := range cat.Catalog.Paths {
				skip[file] = true
			}
		}
	}
	return skip
}

// mostQuoted bounds the quoted part of a description, in characters.
const mostQuoted = 80

func (c *checker) noteLost(s sourced, lost []locate.Lost) {
	for _, l := range lost {
		now := s.now[l.Tool]
		isNoted := slices.ContainsFunc(c.outdated, func(o report.OutdatedTool) bool {
			return o.Path == now.Pos.File && o.Server == now.Server && o.Name == now.Name
		})
		isRenamed := l.Name && now.Name != l.Tool.Name
		if isNoted || isRenamed {
			continue
		}
		c.outdated = append(c.outdated, c.outdatedTool(s, l))
	}
}

func (c *checker) outdatedTool(s sourced, l locate.Lost) report.OutdatedTool {
	now := s.now[l.Tool]
	outdated := report.OutdatedTool{
		Server: s.head.Name, Name: now.Name, What: report.WhatDescription, Says: beginning(now.Description),
		Path: now.Pos.File, Line: now.Pos.Line, Source: report.Place{Path: l.Now.File, Line: l.Now.Line},
	}
	if l.Name {
		outdated.What, outdated.Says = report.WhatName, now.Name
	}
	if outdated.Source.Path == "" {
		outdated.Source.Path = l.Was.File
	}
	if s.head.Startable() && s.head.Snapshot.Paths == nil {
		suiteFile := "" // the command finds the server without a file
		if s.inSeveral || len(c.options.Suites) > 0 && !suite.IsUsual(s.suite.File) {
			suiteFile = s.suite.File
		}
		outdated.Update = report.Optional(report.SnapshotCommand(s.head.Name, suiteFile))
	}
	return outdated
}

func beginning(description string) string {
	text := []rune(strings.Join(strings.Fields(description), " "))
	if len(text) <= mostQuoted {
		return string(text)
	}
	return strings.TrimRight(string(text[:mostQuoted]), " ") + "…"
}

// uncoveredSource returns a weakening if one of files still exists, but no glob of the head matches it. files contain the base's
// descriptions.
func (s sourced) uncoveredSource(c *checker, files map[string]bool) (report.Weakening, bool) {
	for name := range files {
		covers := func(glob string) bool { return doublestar.MatchUnvalidated(glob, name) }
		if source.Stands(c.fsys, name) && !slices.ContainsFunc(s.head.Source, covers) {
			return report.Weakening{
				Kind: report.SourceUncovered, Case: s.head.Snapshot.File, Suite: s.head.Pos.File, Name: s.head.Name, Key: "source",
				Base: globsText(s.base.Source), Head: globsText(s.head.Source), Line: s.head.Pos.Line,
			}, true
		}
	}
	return report.Weakening{}, false
}

// globsText returns globs as a suite writes them; "" if there are none. In a suite, the name of a folder also stands for the glob
// of its files.
func globsText(globs []string) report.Optional {
	var written []string
	for i, glob := range globs {
		isImplied := i > 0 && glob == globs[i-1]+"/**"
		if !isImplied {
			written = append(written, glob)
		}
	}
	text, err := json.Marshal(written)
	if err != nil || len(written) == 0 {
		return ""
	}
	return report.Optional(text)
}

// noteUncompared notes the reason why a source was not compared. It is a problem if stale evidence fails the check, otherwise a
// warning.
func (c *checker) noteUncompared(s sourced, err error, r *report.Report) {
	why := err.Error()
	if errors.Is(err, locate.ErrTooMuch) {
		why = `the files that "source" names are too much to search; narrow its globs`
	}
	p := problemAt(&source.Error{Pos: s.head.Pos, Msg: fmt.Sprintf("it is not known whether the snapshot of server %q is older than its code: %s", s.head.Name, why)})
	if staleness.RefusesOutdated(c.options.FailOnStale) {
		r.Problems = append(r.Problems, p)
		return
	}
	r.Warnings = append(r.Warnings, p)
}
