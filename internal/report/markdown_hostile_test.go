package report_test

import (
	"github.com/org/mcp-gates/internal/report/reporttest"
	"github.com/org/mcp-gates/internal/thorough"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/report/markdown"
	"github.com/org/mcp-gates/internal/report/tell"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extensionast "github.com/yuin/goldmark/extension/ast"
	source "github.com/yuin/goldmark/text"
)

// hostileNames try to be something else than a name.
var hostileNames = []string{
	"@octocat", "[link](https://evil.example)", "![image](https://evil.example/x.png)", "<img src=x onerror=alert(1)>",
	"<!-- mcp-gates:v1 key=1 -->", "`", "``` `` `", "a|b", `a\|b`, `a\\|b|`, "|", "\\", "line\n# heading", "line\r\n\r\n- item",
	"https://evil.example", "www.evil.example", "#123", "org/repo#1", "GH-1", "fixes #1", "mail@evil.example",
	"</details>", "<details>", "\u202eevil\u202c", "zero\u200bwidth", "\x1b[31mred", "::error::x", "##[error]x", "*b* _i_ ~~s~~",
	"$x^2$", "$`x`$", "&#64;octocat", "&lt;b&gt;", "[^1]", "[x]: https://evil.example", "<https://evil.example>", "\xff\xfe",
	"", " ", "  both  ", " `", "` ", "\t", "\u00a0", "---", "===", "> quote", "1. one", "- [ ] todo", "```\nfence", "~~~", ":smile:",
	strings.Repeat("`", 300), strings.Repeat("long ", 100), strings.Repeat("@a", 150), strings.Repeat("|", 250), strings.Repeat(`\|`, 100),
}

var gfm = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))

// ownHTML is the only HTML that the program writes.
var ownHTML = regexp.MustCompile(`^(</?details>|</?summary>|<br>|</?sub>|</?del>|</?ins>)$`)

// ownBlock is an HTML block that the program writes.
var ownBlock = regexp.MustCompile(`^(<details><summary>[\w ,.:+−]*</summary>|</details>)$`)

// checkMarkdown fails unless all that the document holds besides text is what the program writes itself.
func checkMarkdown(t *testing.T, doc string) {
	t.Helper()
	src := []byte(doc)
	tree := gfm.Parser().Parse(source.NewReader(src))
	bad := func(what string, n ast.Node) { t.Errorf("%s came of a name: %q in\n%s", what, linesOf(n, src), doc) }
	err := ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Image, *ast.AutoLink, *extensionast.FootnoteLink, *extensionast.Strikethrough, *extensionast.TaskCheckBox, *ast.Blockquote, *ast.ThematicBreak:
			bad(n.Kind().String(), n)
		case *ast.Link:
			if !strings.HasPrefix(string(n.Destination), "https://git.example/") {
				bad("a link", n)
			}
		case *ast.RawHTML:
			if html := string(n.Segments.Value(src)); !ownHTML.MatchString(html) {
				bad("HTML "+html, n)
			}
		case *ast.HTMLBlock:
			if html := strings.TrimSpace(string(n.Lines().Value(src))); !ownBlock.MatchString(html) && !ownFoot.MatchString(html) {
				bad("HTML "+html, n)
			}
		case *ast.Heading:
			if !ownHeading.MatchString(string(n.Lines().Value(src))) {
				bad("a heading", n)
			}
		case *ast.Text:
			checkText(t, n, src, doc)
		case *extensionast.Table:
			checkTable(t, n, doc)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

var (
	ownHeading = regexp.MustCompile(`^(. |⚠️ )?([\d,]+ (of|case)|nothing was checked|\d+ mistakes? in|Accuracy against distractors)`)
	ownFoot    = regexp.MustCompile("^<sub>[^<]*</sub>$")
)

// checkText looks at text outside of code: what GitHub would make a mention, a reference or an emoji of.
func checkText(t *testing.T, n *ast.Text, src []byte, doc string) {
	t.Helper()
	if n.Parent().Kind() == ast.KindCodeSpan {
		return
	}
	if text := html.UnescapeString(string(n.Segment.Value(src))); references.MatchString(text) {
		t.Errorf("%q holds a reference in\n%s", text, doc)
	}
}

// references are what GitHub makes links, mentions, emoji and formulas of in text.
var references = regexp.MustCompile(`(?i)@\w|#\d|gh-\d|www\.\w|://|[0-9a-f]{7}|:\w+:|\$[^\s\x{200b}]`)

// checkTable requires each row to have as many cells as the head: a name did not end its cell.
func checkTable(t *testing.T, table *extensionast.Table, doc string) {
	t.Helper()
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		if row.ChildCount() != len(table.Alignments) {
			t.Errorf("a row has %d cells, want %d, in\n%s", row.ChildCount(), len(table.Alignments), doc)
		}
	}
}

func linesOf(n ast.Node, src []byte) string {
	for n != nil && (n.Type() == ast.TypeInline || n.Lines().Len() == 0) {
		n = n.Parent()
	}
	if n == nil {
		return ""
	}
	return string(n.Lines().Value(src))
}

func TestMarkdownOfHostileNames(t *testing.T) {
	thorough.Unraced(t, "it takes seconds, on one goroutine")
	for i := range hostileNames {
		checkHostile(t, hostileNames[i], hostileNames[(i+7)%len(hostileNames)])
	}
}

// inNames is a word that only names hold.
const inNames = "zq7"

// checkHostile renders a report that is full of the names, compared and alone, in short and in full.
func checkHostile(t *testing.T, one, other string) {
	t.Helper()
	turn := 0
	name := func(string) string {
		turn++
		switch turn % 3 {
		case 0:
			return other
		case 1:
			return one + inNames + other
		}
		return one
	}
	base, head := fixture(same), fixture(name)
	head.Cases = append(head.Cases, reporttest.With(reporttest.Research("papers", 1, 80, reporttest.WithExec), func(c *report.Case) { c.Name = one }, reporttest.Set("runs", one)))
	head.Tool.Version = one
	head.Baseline = compare.Reports(base, head, compare.Options{})
	head.Baseline.Base.Ref, head.Baseline.Base.SHA = report.Optional(one), report.Optional(other)
	head.Baseline.Weakened = append(head.Baseline.Weakened,
		report.Weakening{Kind: one, Case: one, Suite: one, Name: one, Model: report.Optional(one), Key: other, Base: report.Optional(one), Head: report.Optional(other), Line: 3},
		report.Weakening{Kind: report.InEffect, Case: one, Suite: one, Name: one, Model: report.Optional(one), Base: "fail", Head: "pass", Line: 3, Reason: other, Settings: []string{one}},

		report.Weakening{Kind: report.SettingChanged, Key: one, Base: report.Optional(`["` + one + `"]`), Head: report.Optional(`[1,"x"]`)})
	head.Baseline.Unjudged = []report.Unjudged{{Case: one, Reason: other}}
	head.Baseline.Cassettes = append(head.Baseline.Cassettes, report.CassetteChange{Kind: one, Path: other, Base: 1, Head: 2, Recorder: report.Optional(one), Hashed: true})
	head.Baseline.Tools = append(head.Baseline.Tools, report.ToolChange{Kind: one, Server: one, Name: other, Path: one, Line: 1, Base: 2, Head: 3})
	for i := range head.Baseline.Cases {
		p := &head.Baseline.Cases[i]
		p.WasID, p.Changed = report.Optional(other), true
		p.Figures = []report.Delta{{Name: "f1", Base: report.Optional(one), Head: report.Optional(other), P: report.Optional(one), Runs: &[2]int{1, 2}}}
		p.Others = []report.Delta{{Name: one, Base: report.Optional(other), Head: report.Optional(one)}}
	}
	hostileLink := func(path string, _ int) string { return "https://git.example/" + path }
	for _, o := range []markdown.Options{{}, {Limit: markdown.CommentLimit, Link: hostileLink}, {Limit: 3000, SummaryURL: hostileLink(one, 0)}} {
		checkMarkdown(t, renderMarkdown(t, head, o))
	}
	head.Baseline = nil
	checkMarkdown(t, renderMarkdown(t, head, markdown.Options{Options: tell.Options{NoBaseline: one}, Link: hostileLink}))
}

func FuzzMarkdown(f *testing.F) {
	for i := 0; i < len(hostileNames); i += seedStep() {
		f.Add(hostileNames[i], hostileNames[(i+3)%len(hostileNames)])
	}
	f.Fuzz(func(t *testing.T, one, other string) {
		if len(one)+len(other) > 2000 {
			return
		}
		checkHostile(t, one, other)
	})
}
