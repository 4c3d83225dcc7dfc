package history

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/report/trend"
)

// names maps the names of moved files in an older commit to their names in the youngest commit. It is nil if no file was moved
// since.
type names map[string]string

// maxRenames bounds the moved files that are followed. If a commit would exceed it, the moves in this commit are not followed.
const maxRenames = 1000

// followed lists the endings of the files whose moves are followed: suites, recordings and catalogs.
var followed = []string{".yml", ".yaml", ".json", ".jsonl", ".snap"}

// namesBefore returns the names for the parent of the commit that n is for, given the changes from the parent to this commit. A
// removed and an added file with the same content are one moved file, unless several files on one side have this content.
func (n names) namesBefore(changes []baseline.Change) names {
	removed, added := map[string][]string{}, map[string][]string{} // paths, by the hash of their content
	for _, c := range changes {
		if isFolder := c.Before.Mode == folderMode || c.After.Mode == folderMode; !isFolder && !slices.Contains(followed, path.Ext(c.Path)) {
			continue
		}
		switch {
		case c.After.SHA == "":
			removed[c.Before.SHA] = append(removed[c.Before.SHA], c.Path)
		case c.Before.SHA == "":
			added[c.After.SHA] = append(added[c.After.SHA], c.Path)
		}
	}
	var out names
	for _, sha := range slices.Sorted(maps.Keys(removed)) {
		if len(removed[sha]) != 1 || len(added[sha]) != 1 {
			continue
		}
		if out == nil {
			out = maps.Clone(n)
			if out == nil {
				out = names{}
			}
		}
		before, after := removed[sha][0], added[sha][0]
		delete(out, after)
		if out[before] = n.nameNow(after); len(out) > maxRenames {
			return n
		}
	}
	if out == nil {
		return n
	}
	return out
}

const folderMode = "040000"

// nameNow returns the name that a file of the older commit has in the youngest commit.
func (n names) nameNow(then string) string {
	if now, moved := n[then]; moved {
		return now
	}
	return then
}

// nameThen returns the name that a file or a folder of the youngest commit has in the older commit.
func (n names) nameThen(now string) string {
	for _, old := range slices.Sorted(maps.Keys(n)) {
		if n[old] == now {
			return old
		}
	}
	return now
}

// renameCatalogs returns catalogs with their paths in the youngest commit.
func (n names) renameCatalogs(list []*trend.Catalog) []*trend.Catalog {
	if len(n) == 0 {
		return list
	}
	list = slices.Clone(list)
	for i, c := range list {
		if now := n.nameNow(c.Then); now != c.Path {
			one := *c
			one.Path = now
			list[i] = &one
		}
	}
	return list
}

// idsThen returns the ids of cases with the names that their suites have in the older commit; nil for all cases.
func (n names) idsThen(ids map[string]bool) map[string]bool {
	if ids == nil {
		return nil
	}
	then := map[string]bool{}
	for id := range ids {
		suite, rest, _ := strings.Cut(id, "::")
		then[n.nameThen(suite)+"::"+rest] = true
	}
	return then
}

// renameCases returns cases with the names that their suites have in the youngest commit.
func (n names) renameCases(cases []*trend.Case) []*trend.Case {
	if len(n) == 0 {
		return cases
	}
	list := slices.Clone(cases)
	for i, c := range list {
		if now := n.nameNow(c.Suite); now != c.Suite {
			one := *c
			one.Suite, one.ID = now, now+strings.TrimPrefix(c.ID, c.Suite)
			list[i] = &one
		}
	}
	return list
}
