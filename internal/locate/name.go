package locate

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
)

const (
	// maxDistance bounds the lines between a tool's name and its description. A name further away does not count.
	maxDistance = 40

	// maxName is the greatest length in bytes of an identifier or name that is compared.
	maxName = 256

	// nameWork is the amount of work, in bytes of comparison, that is counted for finding the names of one tool near a
	// place.
	nameWork = 32
)

// purposeWords may end an identifier that contains a tool's name, and actionWords may begin it: GetIssueTool,
// TOOL_GET_ISSUE_DESCRIPTION, registerGetIssue.
var (
	purposeWords = []string{"tool", "description", "desc", "handler", "command"}
	actionWords  = []string{"tool", "register", "handle", "new"}
)

// names holds the spellings of the names of all tools, in lower case and without separators.
type names struct {
	ids map[string]int
}

// actionVerbs are first words of names that are not a server's prefix.
var actionVerbs = words(`
	add analyze apply archive assign attach batch begin bulk cancel change check clear close complete configure convert
	copy count create delete describe disable download edit enable execute export fetch filter find generate get import
	insert invite list load lock look make manage mark merge move open perform post preview publish pull push put query
	read register remove rename reply request reset resolve restore retrieve revoke run save search send set share show
	start stop submit subscribe sync test toggle transition trigger undo unlock unsubscribe update upload upsert use
	validate verify view watch write`)

// spellingsOf returns the spellings of a tool's name, as indexes: the name itself, the name with and without the server's name
// before it, and the name without its first word, because that word may be a common prefix of the server's tools.
func (n *names) spellingsOf(tool *catalog.Tool) []int {
	name, server := fold(tool.Name), fold(tool.Server)
	var ids []int
	for _, spelling := range []string{name, server + name, strings.TrimPrefix(name, server), fold(withoutFirst(tool.Name))} {
		if spelling == "" {
			continue
		}
		id, ok := n.ids[spelling]
		if !ok {
			id = len(n.ids)
			n.ids[spelling] = id
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// withoutFirst returns a name without its first word, or "" if the name has only one word or begins with a verb.
func withoutFirst(name string) string {
	name = name[:min(len(name), maxName)]
	at := strings.IndexAny(name, "_-./:")
	if at < 0 || actionVerbs[strings.ToLower(name[:at])] {
		return ""
	}
	return name[at+1:]
}

func fold(name string) string {
	folded := make([]byte, 0, min(len(name), maxName))
	for i := 0; i < len(name) && i < maxName; i++ {
		folded = appendFolded(folded, name[i])
	}
	return string(folded)
}

func appendFolded(folded []byte, c byte) []byte {
	switch {
	case 'A' <= c && c <= 'Z':
		return append(folded, c+'a'-'A')
	case isLetter(c) || c >= 0x80:
		return append(folded, c)
	}
	return folded
}

// isNear reports whether one of the spellings is at most maxDistance lines from the lines of a match.
func isNear(lines map[int][]int, spellings []int, first, last int) bool {
	for _, id := range spellings {
		known := lines[id]
		at, _ := slices.BinarySearch(known, first-maxDistance)
		if at < len(known) && known[at] <= last+maxDistance {
			return true
		}
	}
	return false
}
