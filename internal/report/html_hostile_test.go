package report_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"github.com/org/mcp-gates/internal/report/reporttest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/compare"
	"github.com/org/mcp-gates/internal/report/html"
	"github.com/org/mcp-gates/internal/thorough"
	nethtml "golang.org/x/net/html"
)

// hostileInHTML try to be more than text in a page.
var hostileInHTML = []string{
	`"><img src=x onerror=alert(1)>`, "<script>alert(1)</script>", "</script><script>alert(1)</script>", "</title><svg onload=alert(1)>", "</style>",
	"<!--", "-->", "<![CDATA[", "]]>", "${alert(1)}", "{{constructor.constructor('alert(1)')()}}", "javascript:alert(1)", "x onmouseover=alert(1) y=",
	"' onfocus='alert(1)", "`onclick=alert(1)`", "&lt;b&gt;", "&#x3c;img&#x3e;", "&amp", "</table>", "</details></main>", "<td>", "<tr><td>", "\u2028", "\u2029",
	"\u202eevil\u2066", "\u200f", "\x00", "\x00<b>", "\xff<\xfeb>", "<\u0131frame>", "#\"><base href=//evil>", "<plaintext>", "<noscript><p title=\"</noscript><img src=x>\">",
	"<meta http-equiv=refresh content=0>", "data:text/html,x", "c1", "wrong", strings.Repeat("<b>", 200), strings.Repeat("`", 9) + "<i>",
}

// elements and attributes are all that the program writes.
var (
	elements = strings.Fields(`html head meta title style body header h1 h2 h3 dl div dt dd p nav a main section ul li details summary table thead tbody
		tr th td figure figcaption ol b i code small strong span br ins del svg path circle rect footer script noscript`)
	attributes = strings.Fields(`lang charset http-equiv content name class id href open tabindex role aria-label aria-hidden scope data-of data-points data-commits viewbox d cx cy r width height`)
	ownID      = regexp.MustCompile(`^(c\d+|wrong|changes|cases|curves|tools|findings|others|warnings|figures|steps|details|gaps)$`)
)

// checkHTML parses a page as a browser does, and fails unless its elements and attributes are the program's, its policy
// allows only its own style and script, and each row has a cell for each column. Names, unless nil, are only in text.
func checkHTML(t *testing.T, doc string, names []string) {
	t.Helper()
	if own := strings.Count(doc, "which this page shows with its script alone"); strings.Count(doc, "<noscript>") != own {
		t.Errorf("an element noscript came of a name")
	}
	root, err := nethtml.Parse(strings.NewReader(unfolded(doc)))
	if err != nil {
		t.Fatal(err)
	}
	policy, allowed := "", map[string]int{}
	for n := range root.Descendants() {
		switch n.Type {
		case nethtml.CommentNode:
			t.Errorf("a comment came of a name: %q", n.Data)
		case nethtml.TextNode:
			checkHTMLText(t, n)
		case nethtml.ElementNode:
			checkElement(t, n, names)
			switch {
			case n.Data == "style" || n.Data == "script":
				sum := sha256.Sum256([]byte(n.FirstChild.Data))
				allowed[n.Data+"-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'"]++
			case attributeOf(n, "http-equiv") != "":
				policy = attributeOf(n, "content")
			}
		}
	}
	for source, n := range allowed {
		if n != 1 || !strings.Contains(policy, source) {
			t.Errorf("the page has %d times %s, want once and in the policy %q", n, source, policy)
		}
	}
	if !strings.HasPrefix(policy, "default-src 'none'; ") || len(allowed) != 2 {
		t.Errorf("the policy is %q and the page has %v, want one style and one script", policy, allowed)
	}
}

// unfolded returns a page with what its script puts in the place of comments.
func unfolded(doc string) string { return strings.NewReplacer("<!--\n", "", "-->\n", "").Replace(doc) }

func attributeOf(n *nethtml.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// checkElement looks at an element and its attributes, and at the cells of a row.
func checkElement(t *testing.T, n *nethtml.Node, names []string) {
	t.Helper()
	if !slices.Contains(elements, n.Data) {
		t.Errorf("the element %s came of a name", n.Data)
	}
	for _, a := range n.Attr {
		switch {
		case !slices.Contains(attributes, strings.ToLower(a.Key)):
			t.Errorf("the attribute %s of %s came of a name", a.Key, n.Data)
		case a.Key == "href" && !ownID.MatchString(strings.TrimPrefix(a.Val, "#")):
			t.Errorf("a link leads to %q", a.Val)
		case a.Key == "id" && !ownID.MatchString(a.Val):
			t.Errorf("an element is called %q", a.Val)
		}
		if slices.ContainsFunc(names, func(name string) bool { return strings.Contains(a.Val, name) }) {
			t.Errorf("the attribute %s of %s holds a name: %q", a.Key, n.Data, a.Val)
		}
	}
	if n.Data == "tr" && countOf(n) != countOf(headOf(n)) {
		t.Errorf("a row has %d cells, want %d", countOf(n), countOf(headOf(n)))
	}
}

// headOf returns the row of titles of a row's table.
func headOf(row *nethtml.Node) *nethtml.Node {
	table := row.Parent.Parent
	for n := range table.Descendants() {
		if n.Data == "tr" {
			return n
		}
	}
	return row
}

func countOf(row *nethtml.Node) int {
	n := 0
	for cell := range row.ChildNodes() {
		if cell.Type == nethtml.ElementNode {
			n++
		}
	}
	return n
}

// checkHTMLText wants no character in the text that acts on its neighbours.
func checkHTMLText(t *testing.T, n *nethtml.Node) {
	t.Helper()
	if i := strings.IndexFunc(n.Data, func(r rune) bool {
		return r < ' ' && r != '\n' || strings.ContainsRune("\u007f\u2028\u2029\u202e\u2066\u200f\u200b", r)
	}); i >= 0 {
		t.Errorf("a text has the character %q raw: %.80q", n.Data[i:min(len(n.Data), i+3)], n.Data)
	}
}

func TestHTMLOfHostileNames(t *testing.T) {
	thorough.Unraced(t, "it takes seconds, on one goroutine")
	list := slices.Concat(hostileInHTML, hostileNames)
	step := thorough.Size(2, 1)
	for i := 0; i < len(list); i += step { // each is one of a pair at least
		checkHostileHTML(t, list[i], list[(i+step-1)%len(list)])
	}
}

// checkHostileHTML renders a report that is full of the names, with and without a base.
func checkHostileHTML(t *testing.T, one, other string) {
	t.Helper()
	head := hostileReport(one, other)
	checkHTML(t, renderHTML(t, head, html.Options{}), []string{inNames})
	head.Baseline = nil
	checkHTML(t, renderHTML(t, head, html.Options{Run: 2}), []string{inNames})
}

// hostileReport is full of the names: in a case, a catalog and every list of a comparison.
func hostileReport(one, other string) *report.Report {
	turn := 0
	name := func(string) string {
		turn++
		return []string{one, one + inNames + other, other}[turn%3]
	}
	base, head := fixture(same), fixture(name)
	head.Cases = append(head.Cases, reporttest.With(curved(name(""), 1, fourPoints()...), func(c *report.Case) {
		c.Freshness = &report.Freshness{State: report.Affected, Since: report.SinceChange, Tools: []report.StaleTool{{Server: name(""), Name: name(""), Change: name(""), What: report.Optional(name(""))}}}
		c.ByWords = &report.ByWords{First: report.Optional(name("")), Gone: []string{name("")}}
		c.Builtins = []report.BuiltinCalls{{Tool: name(""), Calls: 2, Runs: 1}}
		c.Tokens, c.CostUSD, c.Catalog, c.Complexity = &report.Tokens{}, report.Optional(name("")), name(""), report.Optional(name(""))
		c.Gates[0].Notes, c.Gates[0].Grade, c.Gates[0].Gate = notesOf(name), name(""), name("")
	}))
	head.Tool.Version, head.Mode, head.Verdict = name(""), name(""), "pass"
	head.Conclude()
	c := compare.Reports(base, head, compare.Options{})
	c.Base.Ref, c.Base.SHA, c.Base.File = report.Optional(one), report.Optional(other), report.Optional(name(""))
	c.Base.Unread = []string{name("")}
	c.Regressions = append(c.Regressions, report.Regression{Kind: name(""), Case: name(""), What: name(""), Path: name(""), Line: 1, Base: name(""), Head: name("")})
	c.Weakened = append(c.Weakened,
		report.Weakening{Kind: one, Case: one, Suite: one, Name: one, Model: report.Optional(one), Key: other, Base: report.Optional(one), Head: report.Optional(other), Line: 3},
		report.Weakening{Kind: report.InEffect, Case: one, Suite: one, Name: one, Base: "fail", Head: "pass", Line: 3, Reason: other},
		report.Weakening{Kind: other, Case: one, Key: one, Head: report.Optional(other), ToldOnly: true})
	c.Unjudged = []report.Unjudged{{Case: one, Reason: other}}
	c.Cassettes = append(c.Cassettes, report.CassetteChange{Kind: one, Path: other, Base: 1, Head: 2, Recorder: report.Optional(one), Hashed: true})
	c.Tools = append(c.Tools, report.ToolChange{
		Kind: one, Server: one, Name: other, Was: report.Optional(one), Path: one, Line: 1, Base: 2, Head: 3, Probably: report.Optional(other),
		Alike: []report.AlikeTool{{Server: one, Name: other, Percent: 90}},
		Parts: []report.ToolPart{{Aspect: "description", Base: report.Optional(one), Head: report.Optional(other)}, {Aspect: "default", Argument: report.Optional(one), Head: report.Optional(other)}},
	})
	c.Breaking = []report.Breaking{{Kind: "type", Server: one, Tool: other, Argument: report.Optional(one), Message: other, Path: one, Line: 2}}
	c.ServersGone = []string{one, other}
	c.Executable = []report.ExecutableChange{{Suite: one, Key: other, Of: one, Base: report.Optional(other), Head: one, Line: 1}}
	c.Removed = append(c.Removed, report.Gone{ID: one, NotEvaluated: true})
	for i := range c.Cases {
		p := &c.Cases[i]
		p.WasID, p.Changed, p.Base = report.Optional(other), true, "fail"
		p.Figures = []report.Delta{{Name: "f1", Base: report.Optional(one), Head: report.Optional(other), P: "0.0100", Runs: &[2]int{1, 2}}}
		p.Others = []report.Delta{{Name: one, Base: report.Optional(other), Head: report.Optional(one)}}
	}
	head.Baseline = c
	return head
}

// notesOf is a note of each kind with names for its texts.
func notesOf(name func(string) string) []judge.Note {
	list := slices.Clone(notes)
	for i := range list {
		n := &list[i]
		n.Subject, n.Text = name(n.Subject), name(n.Text)
		if n.Members != nil {
			n.Members = []string{name(""), name("")}
		}
		if n.Queries != nil {
			n.Queries = []string{name(""), name("")}
		}
	}
	return list
}

func FuzzHTML(f *testing.F) {
	for i := 0; i < len(hostileInHTML); i += seedStep() {
		f.Add(hostileInHTML[i], hostileInHTML[(i+3)%len(hostileInHTML)])
	}
	f.Fuzz(func(t *testing.T, one, other string) {
		if len(one)+len(other) > 2000 {
			return
		}
		checkHostileHTML(t, one, other)
	})
}

// TestHostileNamesFolded pins that names are as harmless in what the script of a page puts in its place as in the rest.
func TestHostileNamesFolded(t *testing.T) {
	var parts []any
	for i := range 450 {
		parts = append(parts, reporttest.Research(fmt.Sprintf("%s %d", hostileInHTML[i%len(hostileInHTML)], i), 10*i+1, 80, reporttest.Good))
	}
	checkHTML(t, renderHTML(t, reporttest.Of(parts...), html.Options{}), nil)
}
