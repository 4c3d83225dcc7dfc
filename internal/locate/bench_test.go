package locate

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
)

// generated returns sources of about size bytes in files of 64 KiB, and tools whose descriptions stand in them.
func generated(size int) (fstest.MapFS, []*catalog.Tool) {
	random := rand.New(rand.NewSource(1))
	var vocabulary []string
	for i := range 2000 {
		vocabulary = append(vocabulary, fmt.Sprintf("%c%s%d", 'a'+i%26, strings.Repeat("eo", i%4), i/7))
	}
	sentence := func(words int) string {
		var text []string
		for range words {
			text = append(text, vocabulary[random.Intn(len(vocabulary))])
		}
		return strings.Join(text, " ")
	}
	files, tools := fstest.MapFS{}, []*catalog.Tool{}
	for i := 0; i*(64<<10) < size; i++ {
		var file strings.Builder
		if i%2 == 0 {
			tool := &catalog.Tool{Name: fmt.Sprintf("do_thing_%d", i), Description: "Does " + sentence(20) + "."}
			fmt.Fprintf(&file, "server.tool(%q,\n\t%q,\n)\n", tool.Name, tool.Description)
			tools = append(tools, tool)
		}
		for file.Len() < 64<<10-100 {
			fmt.Fprintf(&file, "\tif %s(%q) != nil { // %s\n", sentence(1), sentence(3), sentence(4))
		}
		files[fmt.Sprintf("src/part%d/file.go", i)] = &fstest.MapFile{Data: []byte(file.String())}
	}
	return files, tools
}

// BenchmarkFind searches just under 50 MiB of sources for 400 descriptions. It should take less than half a second.
func BenchmarkFind(b *testing.B) {
	files, tools := generated(maxSource - 1<<20)
	b.SetBytes(maxSource - 1<<20)
	for b.Loop() {
		places, err := Find(files, tools, nil)
		if err != nil || len(places) != len(tools) {
			b.Fatalf("found %d of %d, %v", len(places), len(tools), err)
		}
	}
}

// BenchmarkFindHostile searches 50 MiB that look like the descriptions of 10,000 tools everywhere.
func BenchmarkFindHostile(b *testing.B) {
	files, tools := hostile()
	for b.Loop() {
		if _, err := Find(files, tools, nil); err != ErrTooMuch {
			b.Fatal(err)
		}
	}
}

// hostile returns 10,000 tools with long descriptions that differ at the end, and files that begin like them in each line.
func hostile() (fstest.MapFS, []*catalog.Tool) {
	var tools []*catalog.Tool
	start := strings.Repeat("List users here. ", 200)
	for i := range 10_000 {
		tools = append(tools, &catalog.Tool{Name: fmt.Sprintf("tool_%d", i), Description: fmt.Sprint(start, i), Pos: source.Pos{File: "c.json"}})
	}
	files := fstest.MapFS{}
	for i := range 49 {
		files[fmt.Sprintf("f%d.go", i)] = &fstest.MapFile{Data: []byte(strings.Repeat("\"List users here.\n", 55_000))}
	}
	return files, tools
}
