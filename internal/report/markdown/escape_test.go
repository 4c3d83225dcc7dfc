package markdown

import (
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/report"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	source "github.com/yuin/goldmark/text"
)

// codeText returns the text of the only code span of a document, and whether there is nothing else.
func codeText(doc string) (string, bool) {
	src := []byte(doc)
	tree := goldmark.DefaultParser().Parse(source.NewReader(src))
	p := tree.FirstChild()
	if p == nil || p.NextSibling() != nil || p.Kind() != ast.KindParagraph || p.ChildCount() != 1 || p.FirstChild().Kind() != ast.KindCodeSpan {
		return "", false
	}
	var b strings.Builder
	for c := p.FirstChild().FirstChild(); c != nil; c = c.NextSibling() {
		b.Write(c.(*ast.Text).Segment.Value(src))
	}
	return b.String(), true
}

func TestCode(t *testing.T) {
	for _, name := range []string{
		"plain", "`", "``a`", "a``", " a ", "\\`", "a\nb", "@team", "|", "<img src=x>", "&lt;", "\x1b[31m", "\u202e", strings.Repeat("é", 500), "  ",
	} {
		got, alone := codeText(code(name))
		want := strings.ReplaceAll(report.Cut(report.Safe(name), maxCode), "@", "@"+noBreak)
		if !alone || got != want && strings.TrimSpace(want) != "" {
			t.Errorf("%q is written as %s and read as %q, want %q", name, code(name), got, want)
		}
	}
}
