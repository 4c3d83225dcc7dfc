package change

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/source"
)

// Break is a change that can break callers of a tool: arguments that were valid before may be invalid now.
type Break struct {
	Kind     BreakKind
	Tool     *catalog.Tool // from the new catalog; from the old one if the tool was removed or renamed
	Argument string        // such as a.b[].c; "" if the change is about the tool as a whole
	May      bool          // callers may break, but need not
	Message  string
	Pos      source.Pos // position in the new catalog; in the old one if the tool was removed or renamed

	path []string
}

// BreakKind is the kind of a change that breaks callers.
type BreakKind string

// The kinds of changes that break callers.
const (
	ToolRemoved     BreakKind = "tool_removed"
	ToolRenamed     BreakKind = "tool_renamed"
	ToolHidden      BreakKind = "tool_hidden" // hidden from models
	ArgumentRemoved BreakKind = "argument_removed"
	NewlyRequired   BreakKind = "newly_required"
	TypeChanged     BreakKind = "type_changed"
	ValueDropped    BreakKind = "enum_value_dropped"
	Narrowed        BreakKind = "narrowed" // any other keyword accepts fewer values
	ServerRenamed   BreakKind = "server_renamed"
	CatalogDropped  BreakKind = "catalog_dropped" // the catalog of a server that the suite still declares is gone
	// CatalogRedirected means that a catalog still exists but is no longer read.
	CatalogRedirected BreakKind = "catalog_redirected"
	NotCompared       BreakKind = "not_compared" // the schemas are too large for a complete comparison
)

// Breaks returns the changes that break callers of the old tools, and the changes that may break them, sorted by tool. The
// input schemas of a renamed tool are equal except for titles and descriptions, so only its name breaks callers.
func (d *Diff) Breaks() (breaks, may []Break) {
	successorText := map[*catalog.Tool]string{}
	for _, p := range d.Probable {
		successorText[p.Old] = fmt.Sprintf(", probably now %q", p.New.Name)
	}
	for _, t := range d.Removed {
		message := fmt.Sprintf("tool %q is gone", t.Name) + successorText[t]
		breaks = append(breaks, Break{Kind: ToolRemoved, Tool: t, Message: message, Pos: t.Pos})
	}
	for _, p := range d.Hidden {
		message := fmt.Sprintf("tool %q is hidden from models now: its _meta.ui.visibility lacks \"model\"", p.New.Name)
		breaks = append(breaks, Break{Kind: ToolHidden, Tool: p.New, Message: message, Pos: p.New.Pos})
	}
	for _, p := range d.Renamed {
		message := fmt.Sprintf("tool %q is called %q now", p.Old.Name, p.New.Name)
		breaks = append(breaks, Break{Kind: ToolRenamed, Tool: p.Old, Message: message, Pos: p.Old.Pos})
	}
	for _, c := range d.Changed {
		if slices.Contains(c.Fields, "inputSchema") {
			for _, b := range c.breaks() {
				if b.May {
					may = append(may, b)
				} else {
					breaks = append(breaks, b)
				}
			}
		}
	}
	for _, p := range d.Lost {
		message := "has no known schema any more, so that nobody knows which arguments it takes: the catalog is a manifest now"
		may = append(may, Break{Kind: NotCompared, Tool: p.New, May: true, Message: message, Pos: p.New.Pos})
	}
	for _, list := range [][]Break{breaks, may} {
		sort.SliceStable(list, func(i, j int) bool {
			a, b := &list[i], &list[j]
			return compareTools(a.Tool, b.Tool) < 0
		})
	}
	return breaks, may
}

func shortList(values []string) string {
	const most = 5
	shown := make([]string, min(most, len(values)))
	for i := range shown {
		shown[i] = lint.Shortened(values[i])
	}
	list := strings.Join(shown, ", ")
	if more := len(values) - most; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
