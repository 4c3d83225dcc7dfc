package report

import (
	"regexp"
	"strings"
	"testing"

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

var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))

// ownHTML is the only HTML that the program writes.
var ownHTML = regexp.MustCompile(`^(</?details>|</?summary>|<br>|</?sub>)$`)

// ownBlock is an HTML block that the program writes.
var ownBlock = regexp.MustCompile(`^(<details><summary>[\w ,.:+−]*</summary>|</details>)$`)

// checkMarkdown fails unless all that the document holds besides text is what the program writes itself.
func checkMarkdown(t *testing.T, doc string) {
	t.Helper()
	src := []byte(doc)
	tree := markdown.Parser().Parse(source.NewReader(src))
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
	ownHeading = regexp.MustCompile(`^(. |⚠️ )?([\d,]+ (of|case)|nothing was checked|\d+ mistakes? in|Mistakes in the input|What went wrong|Tool surface|Findings|Weakened gates|Accuracy against distractors|Changed cassettes)`)
	ownFoot    = regexp.MustCompile("^<sub>[^<]*</sub>$")
)

// checkText looks at text outside of code: what GitHub would make a mention, a reference or an emoji of.
func checkText(t *testing.T, n *ast.Text, src []byte, doc string) {
	t.Helper()
	if n.Parent().Kind() == ast.KindCodeSpan {
		return
	}
	if found := regexp.MustCompile(`@\w|#\d|GH-\d|evil|octocat|:\w+:|zq7`).Find(n.Segment.Value(src)); found != nil {
		t.Errorf("%q is outside of code in\n%s", n.Segment.Value(src), doc)
	}
}

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

// codeText returns the text of the only code span of a document, and whether there is nothing else.
func codeText(doc string) (string, bool) {
	src := []byte(doc)
	tree := markdown.Parser().Parse(source.NewReader(src))
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
	for _, name := range hostileNames {
		if name == "" {
			continue
		}
		got, alone := codeText(code(name))
		want := strings.ReplaceAll(cutTo(Safe(name), maxCode), "@", "@"+noBreak)
		if !alone || got != want && strings.TrimSpace(want) != "" {
			t.Errorf("%q is written as %s and read as %q, want %q", name, code(name), got, want)
		}
	}
}

func TestMarkdownOfHostileNames(t *testing.T) {
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
	head.Cases = append(head.Cases, with(research("papers", 1, 80, withExec), func(c *Case) { c.Name = one }, set("runs", one)))
	head.Tool.Version = one
	head.Baseline = Compare(base, head)
	head.Baseline.Base.Ref, head.Baseline.Base.SHA = Optional(one), Optional(other)
	head.Baseline.Weakened = append(head.Baseline.Weakened,
		Weakening{Kind: one, Case: one, Suite: one, Name: one, Model: Optional(one), Key: other, Base: Optional(one), Head: Optional(other), Line: 3},
		Weakening{Kind: InEffect, Case: one, Suite: one, Name: one, Model: Optional(one), Base: "fail", Head: "pass", Line: 3, Reason: other, Settings: []string{one}},

		Weakening{Kind: SettingChanged, Key: one, Base: Optional(`["` + one + `"]`), Head: Optional(`[1,"x"]`)})
	head.Baseline.Unjudged = []Unjudged{{Case: one, Reason: other}}
	head.Baseline.Cassettes = append(head.Baseline.Cassettes, CassetteChange{one, other, 1, 2, Optional(one), true})
	head.Baseline.Tools = append(head.Baseline.Tools, ToolChange{one, one, other, one, 1, 2, 3})
	for i := range head.Baseline.Cases {
		p := &head.Baseline.Cases[i]
		p.WasID, p.Changed = Optional(other), true
		p.Figures = []Delta{{Name: FigureF1, Base: Optional(one), Head: Optional(other), P: Optional(one), Runs: &[2]int{1, 2}}}
		p.Others = []Delta{{Name: one, Base: Optional(other), Head: Optional(one)}}
	}
	hostileLink := func(path string, _ int) string { return "https://git.example/" + path }
	for _, o := range []MarkdownOptions{{}, {Limit: CommentLimit, Link: hostileLink}, {Limit: 3000, SummaryURL: hostileLink(one, 0)}} {
		checkMarkdown(t, renderMarkdown(t, head, o))
	}
	head.Baseline = nil
	checkMarkdown(t, renderMarkdown(t, head, MarkdownOptions{NoBaseline: one, Link: hostileLink}))
}

func FuzzMarkdown(f *testing.F) {
	for i, name := range hostileNames {
		f.Add(name, hostileNames[(i+3)%len(hostileNames)])
	}
	f.Fuzz(func(t *testing.T, one, other string) {
		if len(one)+len(other) > 2000 {
			return
		}
		checkHostile(t, one, other)
	})
}
