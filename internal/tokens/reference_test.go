package tokens

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
)

// reference holds the published counts of the tokenizer's reference implementation, by catalog.
type reference struct {
	Catalogs map[string]struct {
		Tools   int     `json:"tools"`
		Parts   int64   `json:"parts"`
		PerTool []count `json:"per_tool"`
	} `json:"catalogs"`
}

// count is the count of one tool.
type count struct {
	name   string
	tokens int
}

func (c *count) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&c.name, &c.tokens})
}

// realData returns the folder of published catalogs and counts.
func realData(t testing.TB) fs.FS {
	t.Helper()
	dir := os.Getenv("MCP_GATES_DATA")
	if dir == "" {
		t.Skip("MCP_GATES_DATA does not name the folder of published catalogs: counts were not compared with them")
	}
	return os.DirFS(dir)
}

// catalogs returns the catalogs of folder by the names that the reference gives them.
func catalogs(t testing.TB, folder fs.FS) map[string]*catalog.Catalog {
	t.Helper()
	byName := map[string]*catalog.Catalog{}
	err := fs.WalkDir(folder, "catalogs", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".json" {
			return err
		}
		data, err := source.ReadFile(folder, name, source.MaxCatalog)
		if err != nil {
			return err
		}
		cat, mistakes := catalog.Read(name, data)
		byName[strings.TrimSuffix(strings.TrimPrefix(name, "catalogs/"), ".json")] = cat
		return mistakes.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	return byName
}

func TestReference(t *testing.T) {
	folder := realData(t)
	data, err := fs.ReadFile(folder, "reference/cl100k-surface.json")
	if err != nil {
		t.Fatal(err)
	}
	var want reference
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	c, cats := Counter{}, catalogs(t, folder)
	if got := len(cats); got != len(want.Catalogs) || got == 0 {
		t.Errorf("%d catalogs, %d have reference counts", got, len(want.Catalogs))
	}
	for name, cat := range cats {
		reference, ok := want.Catalogs[name]
		if !ok {
			t.Errorf("%s has no reference counts", name)
			continue
		}
		cat = &catalog.Catalog{Tools: cat.All()} // the reference counts those that models are not offered, too
		if got := c.Catalog(cat); got != reference.Parts {
			t.Errorf("%s: Catalog = %d, want %d", name, got, reference.Parts)
		}
		if got, want := fmt.Sprint(counts(c, cat)), fmt.Sprint(byName(reference.PerTool)); got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
}

func counts(c Counter, cat *catalog.Catalog) []count {
	var all []count
	for _, tool := range cat.Tools {
		all = append(all, count{tool.Name, c.Tool(tool)})
	}
	return byName(all)
}

func byName(all []count) []count {
	slices.SortStableFunc(all, func(a, b count) int { return cmp.Compare(a.name, b.name) })
	return all
}

func BenchmarkCatalog(b *testing.B) {
	cats := catalogs(b, realData(b))
	all := &catalog.Catalog{}
	for _, cat := range cats {
		all = catalog.Merge(all, cat)
	}
	c := Counter{}
	for _, bench := range []struct {
		name string
		cat  *catalog.Catalog
	}{{"117tools", cats["github-mcp-server"]}, {"2664tools", all}} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				c.Catalog(bench.cat)
			}
		})
	}
}

// BenchmarkHostile counts a megabyte of what a merge takes longest on.
func BenchmarkHostile(b *testing.B) {
	texts := map[string]string{"words": differentWords(1 << 20)}
	runs := []string{"a", " ", "\n", " \n", "1", "=", "漢", "😀", "ab", "aB", "é", "=-", "\t \u2003", "a=1 ", "qzxjvk"}
	for _, run := range runs {
		texts[run] = strings.Repeat(run, 1<<20/len(run))
	}
	c := Counter{}
	for _, run := range append(runs, "words") {
		b.Run(fmt.Sprintf("%q", run), func(b *testing.B) {
			for b.Loop() {
				c.Text(texts[run])
			}
		})
	}
}

// differentWords returns words of 30 letters, none of which comes again.
func differentWords(size int) string {
	random := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	for text.Len() < size {
		for range 30 {
			text.WriteByte(byte('a' + random.IntN(26)))
		}
		text.WriteByte(' ')
	}
	return text.String()
}
