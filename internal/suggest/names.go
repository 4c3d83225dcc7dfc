// Package suggest drafts suites. For imported runs, [Names] names the cassettes, and [New] drafts a case for each group of runs,
// with classes of the tools that were used, and floors that the runs reach today. For servers, [NewStarter] drafts the first suite.
package suggest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/imports"
	"github.com/org/mcp-gates/internal/suite"
)

// The bounds on the words of a prompt that make a name.
const (
	maxWords = 6
	maxBytes = 60
)

// Names returns a name for the cassette of each group. by has the keys that runs were grouped by. A name has the first words of the
// prompt, and a part that distinguishes the group from others with that prompt. It is a safe part of a file name, is unique, and
// does not depend on the order of the logs. For a group with several cassettes, names that end in -2, -3 and so on are reserved,
// too.
func Names(groups []*imports.Group, by []imports.Key) []string {
	models := countModels(groups, by)
	byName := map[string][]int{}
	for i, g := range groups {
		name := nameOf(g, by, models[i])
		byName[name] = append(byName[name], i)
	}
	names := make([]string, len(groups))
	for name, at := range byName {
		for _, i := range at {
			names[i] = name
			if len(at) > 1 || endsAsPart(name, byName) {
				names[i] = name + "-" + groups[i].ID()
			}
		}
	}
	return uniqueNames(names, groups)
}

func countModels(groups []*imports.Group, by []imports.Key) []int {
	at := slices.Index(by, imports.KeyModel)
	counts := map[string]int{}
	keyOf := func(g *imports.Group) string {
		return fmt.Sprintf("%q", slices.Delete(slices.Clone(g.Values), at, at+1)) // a prompt can hold any separator
	}
	models := make([]int, len(groups))
	if at < 0 {
		return models
	}
	for _, g := range groups {
		counts[keyOf(g)]++
	}
	for i, g := range groups {
		models[i] = counts[keyOf(g)]
	}
	return models
}

func nameOf(g *imports.Group, by []imports.Key, models int) string {
	var parts []string
	for i, key := range by {
		isOnlyModel := key == imports.KeyModel && models == 1
		if isOnlyModel && len(by) > 1 {
			continue
		}
		parts = append(parts, cmp.Or(suite.Slug(firstWords(g.Values[i])), "no-"+suite.Slug(string(key))))
	}
	return suite.Slug(strings.Join(parts, "-"))
}

func firstWords(text string) string {
	words := strings.Fields(text)
	text = strings.Join(words[:min(maxWords, len(words))], " ")
	if len(text) <= maxBytes {
		return text
	}
	text = strings.ToValidUTF8(text[:maxBytes], "")
	if at := strings.LastIndexByte(text, ' '); at > 0 {
		text = text[:at]
	}
	return text
}

func endsAsPart(name string, names map[string][]int) bool {
	at := strings.LastIndexByte(name, '-')
	if at < 0 || strings.Trim(name[at+1:], "0123456789") != "" {
		return false
	}
	_, isTaken := names[name[:at]]
	return isTaken
}

// uniqueNames numbers names that are still equal, in an order that does not depend on the order of the logs.
func uniqueNames(names []string, groups []*imports.Group) []string {
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(names[a], names[b]), cmp.Compare(groups[a].ID(), groups[b].ID()))
	})
	taken := map[string]bool{}
	for _, i := range order {
		name := names[i]
		for n := 2; taken[names[i]]; n++ {
			names[i] = fmt.Sprintf("%s-x%d", name, n)
		}
		taken[names[i]] = true
	}
	return names
}

// PartName returns the name of a part of a group. Parts are numbered from 0, and the first has the group's name.
func PartName(name string, part int) string {
	if part == 0 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, part+1)
}

// PartsGlob returns the glob that matches the cassettes of a group, with its current number of parts and up to 99 later. It
// does not match cassettes of a group whose name has the same beginning.
func PartsGlob(name string, parts int) string {
	digits, endings := "", ""
	for n := max(parts, 99); n > 0; n /= 10 {
		digits += "[0-9]"
		endings += ",-" + digits
	}
	return name + "{" + endings + "}.json"
}
