package markdown

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/report"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// proseTexts try to be something else than a text.
var proseTexts = []string{
	"Find a ticket by its id.", "**bold** _it_ ~~gone~~", "`code` ``", "<img src=x onerror=alert(1)>", `"><script>x</script>`, "&lt;b&gt;",
	"[link](https://evil.example)", "![image](x)", "https://evil.example", "www.evil.example", "mail@evil.example", "@team and @org/team",
	"#12, GH-12, org/repo#12, org/repo@0123456789abcdef", "0123456789abcdef0123456789abcdef01234567", ":smile:", "$x^2$", "| a | b |",
	"- item", "1. item", "> quote", "# heading", "    code", "a\nb", "a\r\n\r\nb", "\x1b[31mred", "\u202egnp.exe", "::error::x", "[^1]", "\\*", "---", "",
}

// references are what GitHub makes links of in text.
var references = regexp.MustCompile(`(?i)@\w|#\d|gh-\d|www\.\w|://|[0-9a-f]{7}|:\w+:|\$[^\s\x{200b}]`)

func TestProse(t *testing.T) {
	for _, text := range proseTexts {
		checkProse(t, text)
	}
}

func FuzzProse(f *testing.F) {
	for _, text := range proseTexts {
		f.Add(text)
	}
	f.Fuzz(checkProse)
}

// checkProse renders a text within a sentence and a table: it must be read as it is, and as nothing else.
func checkProse(t *testing.T, text string) {
	t.Helper()
	gfm := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))
	var page bytes.Buffer
	if err := gfm.Convert([]byte("before "+prose(text)+" after"), &page); err != nil {
		t.Fatal(err)
	}
	inner, ok := strings.CutPrefix(strings.TrimSpace(page.String()), "<p>before ")
	inner, ok2 := strings.CutSuffix(inner, " after</p>")
	if !ok || !ok2 || strings.ContainsAny(inner, "<>") {
		t.Fatalf("%q is rendered as %q", text, page.String())
	}
	read := html.UnescapeString(inner)
	if references.MatchString(read) {
		t.Errorf("%q holds a reference: %q", text, read)
	}
	if got := strings.ReplaceAll(read, noBreak, ""); strings.TrimSpace(got) != strings.TrimSpace(strings.ReplaceAll(report.Safe(text), noBreak, "")) {
		t.Errorf("%q is read as %q", text, got)
	}
}
