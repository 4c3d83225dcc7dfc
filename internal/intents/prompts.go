package intents

import (
	"bytes"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// The names of the columns of a table in Markdown, in lower case.
var (
	toolHeads   = []string{"tool name", "tool", "tools", "expected tool", "expected tools", "expected_tool", "gold"}
	promptHeads = []string{"test prompt", "prompt", "test prompts", "prompts", "example prompt", "query", "question"}
)

// promptsReader reads the tables of a Markdown file.
type promptsReader struct {
	*reader
	codeFence    string         // fence that ends the current block of code; "" outside of one
	head         []yamlread.Str // the row before this line
	isInTable    bool
	tool, prompt int // columns; -1 for none
}

func (r *reader) readPrompts(data []byte) {
	p := &promptsReader{reader: r}
	at := r.start()
	for line := range bytes.Lines(data) {
		if !p.addLine(string(bytes.TrimRight(line, "\r\n")), at) {
			return
		}
		at.Line++
	}
}

func (p *promptsReader) addLine(line string, at source.Pos) bool {
	text := strings.TrimSpace(line)
	switch {
	case p.isCode(text):
	case strings.HasPrefix(text, "|"):
		return p.addRow(cellsOf(line, at), at)
	}
	p.head, p.isInTable = nil, false
	return true
}

// isCode reports whether a line is in a block of code, or begins or ends one.
func (p *promptsReader) isCode(text string) bool {
	if p.codeFence != "" {
		if strings.HasPrefix(text, p.codeFence) && strings.Trim(text, p.codeFence[:1]) == "" {
			p.codeFence = ""
		}
		return true
	}
	for _, mark := range []string{"`", "~"} {
		if n := len(text) - len(strings.TrimLeft(text, mark)); n >= 3 {
			p.codeFence = strings.Repeat(mark, n)
			return true
		}
	}
	return false
}

func (p *promptsReader) addRow(cells []yamlread.Str, at source.Pos) bool {
	endsHead := !p.isInTable && p.head != nil && isSeparator(cells)
	switch {
	case endsHead && len(cells) == len(p.head):
		p.isInTable = true
		p.tool, p.prompt = columnOf(p.head, toolHeads), columnOf(p.head, promptHeads)
		return true
	case !p.isInTable:
		p.head = cells
		return true
	case p.tool < 0 || p.prompt < 0:
		return p.leaveOut(at, noColumns)
	}
	return p.add(at, cellOf(cells, p.prompt, at), toolsIn(cellOf(cells, p.tool, at)))
}

// cellOf returns a cell of a row; "" if the row is shorter.
func cellOf(cells []yamlread.Str, i int, at source.Pos) yamlread.Str {
	if i >= len(cells) {
		return yamlread.Str{Pos: at}
	}
	return cells[i]
}

// columnOf returns the first column whose head is one of these names; -1 if there is none.
func columnOf(heads []yamlread.Str, names []string) int {
	return slices.IndexFunc(heads, func(head yamlread.Str) bool {
		return slices.Contains(names, strings.ToLower(strings.Trim(head.Value, "*_` ")))
	})
}

func isSeparator(cells []yamlread.Str) bool {
	isOther := func(c yamlread.Str) bool {
		dashes := strings.TrimSuffix(strings.TrimPrefix(c.Value, ":"), ":")
		return dashes == "" || strings.Trim(dashes, "-") != ""
	}
	return !slices.ContainsFunc(cells, isOther)
}

// toolsIn returns the tools in a cell, which are separated by commas or |, because any one of them is right. They can be marked as
// code.
func toolsIn(c yamlread.Str) (tools []yamlread.Str) {
	for one := range strings.FieldsFuncSeq(c.Value, func(r rune) bool { return r == ',' || r == '|' }) {
		tools = append(tools, yamlread.Str{Value: strings.Trim(one, "`* "), Pos: c.Pos})
	}
	return tools
}

// cellsOf returns the cells of a row, which begins with |. It removes the backslashes that escape characters.
func cellsOf(line string, at source.Pos) (cells []yamlread.Str) {
	begin := strings.IndexByte(line, '|') + 1
	for i := begin; i <= len(line); i++ {
		switch {
		case i+1 < len(line) && line[i] == '\\':
			i++ // an escaped | does not separate cells
		case i >= len(line) && strings.TrimSpace(line[min(begin, len(line)):]) == "": // follows the last |
		case i >= len(line) || line[i] == '|':
			end := min(i, len(line))
			cell := strings.TrimSpace(line[begin:end])
			skipped := strings.Index(line[begin:end], cell)
			cells = append(cells, yamlread.Str{Value: unescaped(cell), Pos: at.After([]byte(line[:begin+skipped]))})
			begin = i + 1
		}
	}
	return cells
}

func unescaped(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", text[i+1]) >= 0 {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
