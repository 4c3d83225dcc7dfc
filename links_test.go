package layout_test

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// page is a Markdown file of the repository: where its links lead, and the anchors that links can lead to.
type page struct {
	links   []string
	anchors []string
}

// TestLinks holds every relative link and image of the documentation to a file or folder that exists and, where it names an
// anchor, to a heading of that file.
func TestLinks(t *testing.T) {
	t.Parallel()
	pages := map[string]page{}
	for _, file := range markdownFiles(t) {
		pages[file] = parsePage(read(t, file))
	}
	checked := 0
	for file, p := range pages {
		for _, link := range p.links {
			if mistake := checkLink(pages, file, link); mistake != "" {
				t.Errorf("%s: %s", file, mistake)
			}
			checked++
		}
	}
	if checked < 200 {
		t.Errorf("got %d links in %d files, want at least 200: are they still found?", checked, len(pages))
	}
}

// checkLink returns a mistake in a link of the file, or nothing. Addresses of other places are not asked.
func checkLink(pages map[string]page, file, link string) string {
	address, err := url.Parse(link)
	if err != nil {
		return fmt.Sprintf("link %q: %v", link, err)
	}
	if address.Scheme != "" || address.Host != "" {
		return ""
	}
	target := file
	if address.Path != "" {
		target = path.Join(path.Dir(file), address.Path)
	}
	if _, err := os.Stat(filepath.FromSlash(target)); err != nil {
		return fmt.Sprintf("link %q leads to %s, which does not exist", link, target)
	}
	if address.Fragment == "" {
		return ""
	}
	if !slices.Contains(pages[target].anchors, address.Fragment) {
		return fmt.Sprintf("link %q: %s has no heading with this anchor; it has %q", link, target, pages[target].anchors)
	}
	return ""
}

// TestAnchors pins the anchors of headings, which are those that GitHub makes.
func TestAnchors(t *testing.T) {
	t.Parallel()
	source := "# The action\n## `tool_selection`: Selection rate and pass^k\n## Forks, and \"Dependabot\"!\n## The action\n" +
		"## A [link](x.md) and *more*\n## 95 % of runs\n<a id=\"named\"></a>\n"
	want := []string{"the-action", "tool_selection-selection-rate-and-passk", "forks-and-dependabot", "the-action-1",
		"a-link-and-more", "95--of-runs", "named"}
	if got := parsePage(source).anchors; !slices.Equal(got, want) {
		t.Errorf("anchors of %q: got %q, want %q", source, got, want)
	}
}

var identifier = regexp.MustCompile(`<a (?:id|name)="([^"]+)">`)

// parsePage finds the links and anchors of a Markdown text.
func parsePage(source string) page {
	var p page
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader([]byte(source)))
	_ = ast.Walk(root, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := node.(type) {
		case *ast.Link:
			p.links = append(p.links, string(n.Destination))
		case *ast.Image:
			p.links = append(p.links, string(n.Destination))
		case *ast.Heading:
			p.anchors = append(p.anchors, p.anchor(plain(n, []byte(source))))
		}
		return ast.WalkContinue, nil
	})
	for _, m := range identifier.FindAllStringSubmatch(source, -1) {
		p.anchors = append(p.anchors, m[1])
	}
	return p
}

// anchor returns the anchor of the page's next heading by the rule of GitHub (github-slugger): lower case, only letters, digits,
// hyphens and underscores, a hyphen for each space, and a number behind an anchor that is taken.
func (p *page) anchor(heading string) string {
	slug := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
	unique := slug
	for n := 1; slices.Contains(p.anchors, unique); n++ {
		unique = fmt.Sprintf("%s-%d", slug, n)
	}
	return unique
}

// plain returns the text of a node without its markup.
func plain(node ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if words, ok := n.(*ast.Text); ok && entering {
			b.Write(words.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// markdownFiles lists the Markdown files of the repository, without those of tests and of installed packages.
func markdownFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains([]string{".git", "testdata", "node_modules"}, entry.Name()) {
			return fs.SkipDir
		}
		if path.Ext(name) == ".md" {
			files = append(files, name)
		}
		return nil
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("find Markdown files: got %q, %v", files, err)
	}
	return files
}

// namedPage is a page of the documentation that a message or a comment of the program names.
var namedPage = regexp.MustCompile(`\bdocs/[a-z/-]+\.md(?:#[\w-]+)?`)

// TestNamedPages holds the pages that the program's messages, help and comments name to files and headings that exist.
func TestNamedPages(t *testing.T) {
	t.Parallel()
	pages := map[string]page{}
	for _, file := range markdownFiles(t) {
		pages[file] = parsePage(read(t, file))
	}
	named := 0
	for pkg := range importsByPackage(t) {
		files, err := fs.Glob(os.DirFS("."), pkg+"/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range slices.DeleteFunc(files, func(name string) bool { return strings.HasSuffix(name, "_test.go") }) {
			for _, link := range namedPage.FindAllString(read(t, file), -1) {
				named++
				if mistake := checkLink(pages, "README.md", link); mistake != "" {
					t.Errorf("%s: %s", file, mistake)
				}
			}
		}
	}
	if named < 10 {
		t.Errorf("got %d names of pages, want at least 10", named)
	}
}
