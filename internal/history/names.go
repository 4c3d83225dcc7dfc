package history

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/report/trend"
)

// names maps the names that moved files have in the youngest commit to their names in a commit. It is nil if none was moved since.
type names map[string]string

// maxRenames bounds the files that are followed through one commit.
const maxRenames = 1000

// followed are the endings of the files that are followed where they are moved: suites, recordings and catalogs.
var followed = []string{".yml", ".yaml", ".json", ".jsonl", ".snap"}

// namesBefore returns the names in a commit, given the changes from it to the commit of these names. A file was moved where another commit
// has the same content, of which there is one on each side.
func (n names) namesBefore(changes []baseline.Change) names {
	type sides struct{ gone, came []string }
	moved := map[string]*sides{}
	for _, c := range changes {
		if isFolder := c.Before.Mode == folderMode || c.After.Mode == folderMode; !isFolder && !slices.Contains(followed, path.Ext(c.Path)) {
			continue
		}
		switch {
		case c.After.SHA == "":
			one := moved[c.Before.SHA]
			if one == nil {
				one = &sides{}
				moved[c.Before.SHA] = one
			}
			one.gone = append(one.gone, c.Path)
		case c.Before.SHA == "":
			one := moved[c.After.SHA]
			if one == nil {
				one = &sides{}
				moved[c.After.SHA] = one
			}
			one.came = append(one.came, c.Path)
		}
	}
	var out names
	for _, sha := range slices.Sorted(maps.Keys(moved)) {
		one := moved[sha]
		if len(one.gone) != 1 || len(one.came) != 1 {
			continue
		}
		if out == nil {
			out = maps.Clone(n)
			if out == nil {
				out = names{}
			}
		}
		now := n.nameNow(one.came[0])
		delete(out, one.came[0])
		if out[one.gone[0]] = now; len(out) > maxRenames {
			return n
		}
	}
	if out == nil {
		return n
	}
	return out
}

const folderMode = "040000"

// nameNow returns the name that a file has in the youngest commit.
func (n names) nameNow(then string) string {
	if now, moved := n[then]; moved {
		return now
	}
	return then
}

// nameThen returns the name that a file or a folder of the youngest commit had.
func (n names) nameThen(now string) string {
	for _, old := range slices.Sorted(maps.Keys(n)) {
		if n[old] == now {
			return old
		}
	}
	return now
}

// catalogs returns catalogs under the paths that they have now.
func (n names) catalogs(list []*trend.Catalog) []*trend.Catalog {
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

// idsThen returns the ids of cases under the names that their suites had; nil for all cases.
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

// renamed returns cases under the names that their suites have now.
func (n names) renamed(cases []*trend.Case) []*trend.Case {
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
