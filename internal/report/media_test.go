package report_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"html"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/report"
	pages "github.com/org/mcp-gates/internal/report/html"
	"github.com/org/mcp-gates/internal/report/junit"
	"github.com/org/mcp-gates/internal/report/markdown"
	"github.com/org/mcp-gates/internal/report/reporttest"
	"github.com/org/mcp-gates/internal/report/tell"
	"github.com/org/mcp-gates/internal/report/text"
)

// media are the documents of a story, as plain text.
var media = []struct {
	name  string
	in    tell.Medium
	plain func(*testing.T, *report.Report) string
}{
	{"terminal", tell.Terminal, func(t *testing.T, r *report.Report) string { return renderText(t, r, text.Options{}) }},
	{"comment", tell.Comment, func(t *testing.T, r *report.Report) string {
		return ofMarkdown(renderMarkdown(t, r, markdown.Options{Limit: markdown.CommentLimit}))
	}},
	{"summary", tell.Summary, func(t *testing.T, r *report.Report) string {
		return ofMarkdown(renderMarkdown(t, r, markdown.Options{}))
	}},
	{"page", tell.Page, func(t *testing.T, r *report.Report) string {
		return ofPage(pageOf(t, renderHTML(t, r, pages.Options{})))
	}},
}

var (
	mdLink   = regexp.MustCompile(`\[([^\]]*)\]\(https://[^)]*\)`)
	mdMarks  = regexp.MustCompile("\\*\\*|`+ ?|<[^>]*>|\u200b")
	htmlTags = regexp.MustCompile(`<[^>]*>`)
	blanks   = regexp.MustCompile(`\s+`)
)

func ofMarkdown(doc string) string {
	return html.UnescapeString(mdMarks.ReplaceAllString(mdLink.ReplaceAllString(doc, "$1"), ""))
}
func ofPage(doc string) string { return html.UnescapeString(htmlTags.ReplaceAllString(doc, "")) }

// squeezed is a text without the blanks and capitals in which media differ.
func squeezed(s string) string { return strings.ToLower(blanks.ReplaceAllString(s, "")) }

// TestMediaAgree pins that all media say the same headline, and the same items, facts and advice in the same order. Cases have their
// facts in their details on a page.
func TestMediaAgree(t *testing.T) {
	for _, s := range situations {
		if s.name == "hostile" {
			continue // names with mark-up, which is taken off here
		}
		for _, medium := range media {
			t.Run(s.name+" "+medium.name, func(t *testing.T) {
				r := s.make()
				story := tell.Of(r, tell.Options{})
				rest := squeezed(medium.plain(t, r))
				next := func(said string) {
					t.Helper()
					_, after, found := strings.Cut(rest, squeezed(said))
					if !found {
						t.Fatalf("%q is not said, or in another order; left is\n%s", said, rest)
					}
					rest = after
				}
				next(story.Headline.Text())
				if r.Baseline != nil {
					next(story.Compared.Text())
				}
				for i := range min(len(story.Wrong), medium.in.Limit(tell.WhatWentWrong).Open) {
					item := &story.Wrong[i]
					if item.Kind == tell.OfCase {
						next(r.Cases[item.Case].Name)
					} else {
						next(item.Text.Text())
						for j := range item.Facts {
							next(item.Facts[j].Text.Text())
						}
					}
					if item.Do != nil {
						next(item.Do.Text())
					}
				}
			})
		}
	}
}

// TestOneHeadline pins that check runs and JUnit have the headline of all media.
func TestOneHeadline(t *testing.T) {
	r := reporttest.Of()
	var b bytes.Buffer
	if err := junit.Report(&b, r); err != nil {
		t.Fatal(err)
	}
	headline := tell.Of(r, tell.Options{}).Headline.Text()
	if !strings.Contains(b.String(), `message="`+headline+`"`) || tell.Headline(r) != headline || headline != "nothing was checked" {
		t.Errorf("got headlines %q and %q, and\n%s", tell.Headline(r), headline, b.String())
	}
}

// TestWordsOfMedia lists what media say beside a story: titles, units and mark-up. A word about a verdict, a weakening, a breach or a tool
// that changed belongs in package tell.
func TestWordsOfMedia(t *testing.T) {
	own := regexp.MustCompile(`(?i)\b(pass|passes|passed|fails?|failed|soften\w*|weaken\w*|weaker|breaks?|broken|renamed|removed|below|floor|gate|verdict|worse)\b`)
	var list strings.Builder
	for _, pkg := range renderings(t) {
		for _, word := range literals(t, pkg) {
			list.WriteString(pkg + ": " + strconv.Quote(word) + "\n")
			if own.MatchString(word) && !allowed[word] {
				t.Errorf("package %s says %q, which package tell is to say", pkg, word)
			}
		}
	}
	golden(t, "words.txt", list.String())
}

// renderings are the packages below this one, but for those that write nothing.
func renderings(t *testing.T) (names []string) {
	t.Helper()
	folders, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if f.IsDir() && !slices.Contains([]string{"compare", "reporttest", "tell", "testdata", "weaken"}, f.Name()) {
			names = append(names, f.Name())
		}
	}
	return names
}

// allowed are literals that name such a thing and say nothing of it.
var allowed = map[string]bool{
	"%s: %d passed, %d failed, %s, %d skipped": true, "%s: %s, %d passed": true, // counts
	"breaks callers: ": true, "may break callers: ": true, // before the name of a tool
	"<p class=dim>Below a rate is its 95 % interval (Wilson): where the rate over many more runs can be expected.\n": true, // figures
	"Certified floor %:": true, "Bars: accuracy. Orange line: certified floor, the success rate that the runs prove at 95 % confidence.": true, // a figure
	"<p class=dim>The certified floor is the success rate that the runs prove at 95 % confidence.\n<div class=grid>\n": true,
	// of rules, for programs that list them
	"Without evidence a case is an error, and never a pass. Record its runs again, or mend what the message names.": true,
	"a change to a tool breaks those who call it":                                                                   true, "Undo what the change softens in the suite, or have it reviewed: `fail-on-weakened` makes it a failure.": true,
	"the change softens how a case is judged": true, "a figure is farther below the base's than max_drop allows": true, "Keep the old name and arguments, or tell callers: `fail-on-breaking` makes it a failure.": true,
	"Do as the message says, or leave it: a warning changes no verdict.": true,
}

// literals returns the strings of a package that have a blank between words, but for those about a lint and for mark-up.
func literals(t *testing.T, pkg string) (list []string) {
	t.Helper()
	entries, err := fs.Glob(os.DirFS(pkg), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if strings.HasSuffix(entry, "_test.go") || strings.HasPrefix(entry, "lint") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path.Join(pkg, entry), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, isLiteral := n.(*ast.BasicLit)
			if !isLiteral || lit.Kind != token.STRING {
				return true
			}
			word, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(strings.TrimSpace(htmlTags.ReplaceAllString(word, "")), " ") {
				list = append(list, word)
			}
			return true
		})
	}
	return list
}
