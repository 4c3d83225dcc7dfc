package e2e

import (
	"html"
	"regexp"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// checkMarkdown expects nothing in what was published that acts on its own: see faultsOf.
func (o *outcome) checkMarkdown() {
	t := o.world
	t.Helper()
	said := map[string]string{"the job summary": o.Summary}
	for _, k := range o.checks {
		said["the check run's summary"], said["the check run's text"] = k.Summary, k.Text
	}
	for _, c := range t.comments() {
		said["a comment"] = c.Body
	}
	for where, markdown := range said {
		for _, fault := range knownFaults(markdown, o.job.ServerURL) {
			t.Errorf("%s has %s:\n%s", where, fault, clip(markdown))
		}
	}
}

// known holds the faults of each text that was read: many jobs leave the same one behind.
var known sync.Map

// knownFaults returns what faultsOf does.
func knownFaults(markdown, site string) []string {
	key := site + "\n" + markdown
	faults, ok := known.Load(key)
	if !ok {
		faults, _ = known.LoadOrStore(key, faultsOf(markdown, site))
	}
	return faults.([]string)
}

func clip(s string) string {
	const most = 6000
	if len(s) <= most {
		return s
	}
	return s[:most] + "…"
}

// ours is the HTML that the tool itself writes.
var ours = regexp.MustCompile(`^(</?(details|summary|sub|b|code|del|ins)>|<details open>|<br/?>|<!-- mcp-gates:v1 key=[0-9a-f]{32} -->)$`)

// what GitHub makes links of by itself outside of code: mentions, issues, commits, addresses.
var links = regexp.MustCompile(`(?i)(^|[^\w` + "`" + `])@[a-z0-9]|(^|\W)#[0-9]+\b|\bGH-[0-9]+\b|\b[\w-]+/[\w.-]+#[0-9]+|https?://|\bwww\.`)

// mention is what a mail program, which knows no code, makes a mention of.
var mention = regexp.MustCompile(`(?i)@[a-z0-9]`)

// chart is all that the tool writes in Mermaid: numbers, and no text of others.
var chart = regexp.MustCompile(`^%%\{init: [\w{}":, #]+\}%%
xychart-beta
    x-axis "distractors" \["\d+"(, "\d+")+\]
    y-axis "percent" 0 --> 100
    bar \[\d+(, \d+)+\]
(    line \[\d+(, \d+)+\]
){1,2}$`)

// faultsOf lists the links, images and HTML in Markdown that are not the tool's own, and what GitHub would make a link
// or mention of. The tool's own links lead to the site.
func faultsOf(markdown, site string) []string {
	source := []byte(markdown)
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	var faults []string
	fault := func(kind, what string) { faults = append(faults, kind+" "+what) }
	ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			if !strings.HasPrefix(string(n.Destination), site+"/octo/tools/") {
				fault("a link to", string(n.Destination))
			}
		case *ast.AutoLink:
			fault("a link to", string(n.URL(source)))
		case *ast.Image:
			fault("an image", string(n.Destination))
		case *ast.RawHTML:
			for _, tag := range htmlTags(string(n.Segments.Value(source))) {
				fault("HTML", tag)
			}
		case *ast.HTMLBlock:
			block := string(n.Lines().Value(source))
			if n.HasClosure() {
				block += string(n.ClosureLine.Value(source))
			}
			for _, tag := range htmlTags(block) {
				fault("HTML", tag)
			}
			if found := links.FindString(tagPattern.ReplaceAllString(block, " ")); found != "" {
				fault("a mention or link", found)
			}
		case *ast.FencedCodeBlock:
			if body := string(n.Lines().Value(source)); string(n.Language(source)) == "mermaid" && !chart.MatchString(body) {
				fault("a chart that is not the tool's own:", body)
			}
			if found := mention.Find(n.Lines().Value(source)); found != nil {
				fault("what becomes a mention when it is quoted as plain text,", string(found))
			}
		case *ast.Text:
			said := string(n.Segment.Value(source))
			if !inCode(n) {
				said = html.UnescapeString(said) // GitHub looks at the text that is rendered
			}
			if found := mention.FindString(said); found != "" {
				fault("what becomes a mention when it is quoted as plain text,", found)
			}
			if inCode(n) {
				break
			}
			if found := links.FindString(said); found != "" {
				fault("a mention or link", found)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, r := range markdown {
		if hidden(r) {
			fault("a character that hides or turns text,", string(r)+" "+jsonOf(int(r)))
			break
		}
	}
	return faults
}

func inCode(n ast.Node) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		if p.Kind() == ast.KindCodeSpan || p.Kind() == ast.KindFencedCodeBlock || p.Kind() == ast.KindCodeBlock {
			return true
		}
	}
	return false
}

var tagPattern = regexp.MustCompile(`(?s)<!--.*?-->|<[!?/a-zA-Z][^>]*>?`)

// htmlTags returns the tags that are not the tool's own.
func htmlTags(html string) []string {
	var others []string
	for _, tag := range tagPattern.FindAllString(html, -1) {
		if !ours.MatchString(tag) {
			others = append(others, tag)
		}
	}
	return others
}

// hidden reports whether a character is a control character or changes the direction of text.
func hidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ' || r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x2028, r == 0x2029, r == 0x200e, r == 0x200f, r == 0x061c:
		return true
	}
	return false
}
