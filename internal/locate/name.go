package locate

import (
	"bytes"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
)

const (
	// maxDistance is how many lines a tool's name may stand away from its description.
	maxDistance = 40

	// maxName bounds the length of an identifier or name that is compared, in bytes.
	maxName = 256

	// nameWork is what looking for the names of one tool near a place counts, in bytes of comparison.
	nameWork = 32
)

// An identifier may say by its last words what it is for, and by its first ones what it does: GetIssueTool,
// TOOL_GET_ISSUE_DESCRIPTION, registerGetIssue.
var (
	purposes = []string{"tool", "description", "desc", "handler", "command"}
	actions  = []string{"tool", "register", "handle", "new"}
)

// names holds the spellings of the names of all tools, in lower case and without what separates words.
type names struct {
	ids map[string]int
}

// of returns the spellings of a tool's name: as it is, with and without the server's name before it, and without its
// first word, which may be a prefix that the server puts before all names.
func (n *names) of(tool *catalog.Tool) []int {
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

// withoutFirst returns a name without its first word, or "" when it has only one.
func withoutFirst(name string) string {
	name = name[:min(len(name), maxName)]
	if at := strings.IndexAny(name, "_-./:"); at >= 0 {
		return name[at+1:]
	}
	return ""
}

// fold returns a name in lower case and without what separates words.
func fold(name string) string {
	folded := make([]byte, 0, min(len(name), maxName))
	for i := 0; i < len(name) && i < maxName; i++ {
		folded = appendFolded(folded, name[i])
	}
	return string(folded)
}

// appendFolded appends a byte of a name in lower case, or nothing where it separates words.
func appendFolded(folded []byte, c byte) []byte {
	switch {
	case 'A' <= c && c <= 'Z':
		return append(folded, c+'a'-'A')
	case isLetter(c) || c >= 0x80:
		return append(folded, c)
	}
	return folded
}

// lines returns the lines near matches in which each spelling stands as a word, in order. The matches are in order.
func (n *names) lines(text []byte, hits []hit) map[int][]int {
	lines := map[int][]int{}
	line, read := 1, 0
	for _, h := range hits {
		end := linesAfter(text, h.end, maxDistance)
		if end <= read {
			continue
		}
		start := max(read, linesBefore(text, h.start, maxDistance))
		line += bytes.Count(text[read:start], []byte("\n"))
		line = n.recordAll(lines, line, text[start:end])
		read = end
	}
	return lines
}

// linesBefore returns where the line begins that stands count lines before an offset.
func linesBefore(text []byte, offset, count int) int {
	for ; count >= 0; count-- {
		if offset = bytes.LastIndexByte(text[:offset], '\n'); offset < 0 {
			return 0
		}
	}
	return offset + 1
}

// linesAfter returns where the line ends that stands count lines after an offset: behind its line break.
func linesAfter(text []byte, offset, count int) int {
	for ; count >= 0; count-- {
		at := bytes.IndexByte(text[offset:], '\n')
		if at < 0 {
			return len(text)
		}
		offset += at + 1
	}
	return offset
}

// recordAll records the words of a text that begins in a line. It returns the line in which the text ends.
func (n *names) recordAll(lines map[int][]int, line int, text []byte) int {
	for at := 0; at < len(text); {
		c := text[at]
		if c == '\n' {
			line++
		}
		if !isLetter(c) && c < 0x80 {
			at++
			continue
		}
		end := at
		for end < len(text) && isNamePart(text, end) {
			end++
		}
		n.record(lines, line, text[at:end])
		at = end
	}
	return line
}

// isNamePart reports whether text[at] is a part of a name: a letter, or what separates two of them.
func isNamePart(text []byte, at int) bool {
	switch c := text[at]; c {
	case '_', '$':
		return true
	case '-', '.', '/', ':':
		return at+1 < len(text) && (isLetter(text[at+1]) || text[at+1] >= 0x80)
	default:
		return isLetter(c) || c >= 0x80
	}
}

// record notes the spellings that a word of a text is: as a whole, each of its parts, and those without a prefix.
func (n *names) record(lines map[int][]int, line int, word []byte) {
	var buffer [maxName]byte
	folded, first := buffer[:0], 0
	for i := 0; i <= len(word); i++ {
		switch {
		case i == len(word) || word[i] == '.' || word[i] == '/' || word[i] == ':':
			n.note(lines, line, folded)
			n.note(lines, line, folded[first:])
			folded, first = folded[:0], 0
		case len(folded) == maxName:
		case first == 0 && (word[i] == '_' || word[i] == '-'):
			first = len(folded)
		default:
			folded = appendFolded(folded, word[i])
		}
	}
}

// note notes a word, and what is left of it without the words that say what it is for.
func (n *names) note(lines map[int][]int, line int, folded []byte) {
	n.noteOne(lines, line, folded)
	for _, purpose := range purposes {
		if rest, ok := bytes.CutSuffix(folded, []byte(purpose)); ok {
			n.note(lines, line, rest)
			return
		}
	}
	for _, action := range actions {
		if rest, ok := bytes.CutPrefix(folded, []byte(action)); ok {
			n.noteOne(lines, line, rest)
		}
	}
}

func (n *names) noteOne(lines map[int][]int, line int, folded []byte) {
	id, ok := n.ids[string(folded)]
	if !ok {
		return
	}
	if known := lines[id]; len(known) == 0 || known[len(known)-1] != line {
		lines[id] = append(known, line)
	}
}

// near reports whether one of the spellings stands at most maxDistance lines from the lines of a match.
func near(lines map[int][]int, spellings []int, first, last int) bool {
	for _, id := range spellings {
		known := lines[id]
		at, _ := slices.BinarySearch(known, first-maxDistance)
		if at < len(known) && known[at] <= last+maxDistance {
			return true
		}
	}
	return false
}
