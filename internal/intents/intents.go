// Package intents reads what users ask, and which tools are right for it, from files that repositories keep for this. [Read]
// reads a file of a [format], which it recognises by the file's name and content. It reports all mistakes of a file at once. An
// entry without a prompt or a tool is left out and counted. A format is a row of the table of formats.
package intents

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/table"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Max bounds the intents of a file, including those that are left out.
const Max = table.MaxRows

// maxTools bounds the tools of an intent.
const maxTools = 100

// Intent is a request of a user, with its right tools: any one of them is enough.
type Intent struct {
	Query yamlread.Str
	Gold  []yamlread.Str
}

// List is a file that was read.
type List struct {
	File    string
	Format  string // name of its format; "" if none is recognised
	Intents []Intent

	left [reasons]int // number of entries that were left out, by reason
}

// reason is the reason why an entry is left out.
type reason int

const (
	noPrompt reason = iota
	noTool
	patternTool
	continuation
	noColumns
	reasons
)

// leftOutWords say why entries are left out.
var leftOutWords = [reasons]string{
	noPrompt:     "without a prompt",
	noTool:       "without a tool",
	patternTool:  "whose tool is a pattern and not a name",
	continuation: "that goes on with a conversation",
	noColumns:    "in a table without columns for a tool and a prompt",
}

// LeftOut returns a text with the number of entries that were left out, and the reasons; "" if none were left out.
func (l *List) LeftOut() string {
	var parts []string
	for i, n := range l.left {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, leftOutWords[i]))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("%s was read as %s (intents: %d); left out: %s", source.Shorten(l.File, 80), l.Format, len(l.Intents), strings.Join(parts, ", "))
}

// Read reads the intents in data, the content of file. name is the name of a format, from [Formats].
func Read(file string, data []byte, name string) (*List, source.Errors) {
	r := &reader{list: &List{File: file}}
	data = bytes.TrimPrefix(data, []byte(source.ByteOrderMark))
	if at := table.InvalidUTF8(data); at >= 0 {
		r.errs.Addf(r.start().After(data[:at]), "is not valid UTF-8: found byte %#x", data[at])
		return r.list, r.errs
	}
	f := formatOf(file, data, name)
	if f == nil {
		r.errs.Addf(r.start(), `holds no intents that are recognised, expected %s; "format" can name one`, formatList())
		return r.list, r.errs
	}
	r.list.Format = f.name
	f.read(r, data)
	if len(r.list.Intents) == 0 && len(r.errs) == 0 {
		said := r.list.LeftOut()
		if said == "" {
			said = "it was read as " + f.name
		}
		r.errs.Addf(r.start(), "holds no intent with a prompt and a tool: %s", said)
	}
	return r.list, r.errs.Sorted()
}

type reader struct {
	list   *List
	errs   source.Errors
	isFull bool // the limit is reached: further entries are not read
}

func (r *reader) start() source.Pos { return source.Pos{File: r.list.File, Line: 1, Col: 1} }

// add adds an entry, or counts it as left out. It reports whether more entries can be read.
func (r *reader) add(at source.Pos, query yamlread.Str, gold []yamlread.Str) bool {
	if !r.hasRoom(at) {
		return false
	}
	var named []yamlread.Str
	for _, tool := range gold {
		if tool.Value = strings.TrimSpace(tool.Value); tool.Value != "" {
			named = append(named, tool)
		}
	}
	switch {
	case strings.TrimSpace(query.Value) == "":
		r.list.left[noPrompt]++
	case len(named) == 0:
		r.list.left[noTool]++
	case len(named) > maxTools:
		r.errs.Addf(named[0].Pos, "the entry has %d tools, expected at most %d", len(named), maxTools)
	default:
		r.list.Intents = append(r.list.Intents, Intent{query, named})
	}
	return true
}

// leaveOut counts an entry that is left out. It reports whether more entries can be read.
func (r *reader) leaveOut(at source.Pos, why reason) bool {
	if !r.hasRoom(at) {
		return false
	}
	r.list.left[why]++
	return true
}

func (r *reader) hasRoom(at source.Pos) bool {
	n := len(r.list.Intents)
	for _, left := range r.list.left {
		n += left
	}
	if n < Max {
		return true
	}
	if !r.isFull {
		r.errs.Addf(at, "holds more than %d entries", Max)
	}
	r.isFull = true
	return false
}

// anyOf returns the tools in a text, which are separated by |, because any one of them is right.
func anyOf(text string, at source.Pos) (tools []yamlread.Str) {
	for one := range strings.SplitSeq(text, "|") {
		tools = append(tools, yamlread.Str{Value: one, Pos: at})
	}
	return tools
}
