// Package tokens counts the tokens of texts and of tool catalogs as the cl100k_base encoding has them.
//
// [Load] returns at once and reads the vocabulary in the background; the first count waits for it. A text is cut
// into pieces as the encoding's pattern does (split.go), a piece that is a token counts as one, and others are merged:
// usual ones by tiktoken-go, long ones, on which it takes quadratic time, by a merge over a heap (merge.go).
package tokens

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
)

// Counter counts tokens. It is safe for concurrent use.
type Counter struct{}

// Load returns a counter and starts reading its vocabulary in a goroutine that ends by itself. All counters share the vocabulary.
func Load() *Counter {
	go cl100k()
	return &Counter{}
}

// Text returns the number of tokens of s. Text that spells a special token is counted as ordinary text, and a byte
// that is not UTF-8 as the replacement character. The count is exact unless a single piece (a run of letters, of white
// space, or of other characters than these and digits) is longer than 1 MiB; see longestMerge.
func (c *Counter) Text(s string) int {
	encoding := cl100k()
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	n := 0
	for len(s) > 0 {
		end := firstPiece(s)
		n += encoding.count(s[:end])
		s = s[end:]
	}
	return n
}

// longestUsual is the length in bytes up to which pieces are merged by the library. Only hostile text and text without
// spaces has longer ones.
const longestUsual = 128

// count returns the number of tokens of a piece.
func (e encoding) count(piece string) int {
	if _, ok := e.ranks[piece]; ok {
		return 1
	}
	if len(piece) <= longestUsual {
		return len(e.merger.EncodeOrdinary(piece))
	}
	n := 0
	for len(piece) > longestMerge {
		n += mergedParts(piece[:longestMerge], e.ranks)
		piece = piece[longestMerge:]
	}
	return n + mergedParts(piece, e.ranks)
}

// Tool returns the surface tokens of one tool: the sum of separate counts of its name, its description and its input
// schema without the white space between the schema's tokens. A schema that is missing or null counts 0.
func (c *Counter) Tool(t *catalog.Tool) int {
	n := c.Text(t.Name) + c.Text(t.Description)
	if len(t.InputSchema) == 0 || t.InputSchema.Kind() == 'n' {
		return n
	}
	return n + c.Text(compact(t.InputSchema))
}

// compact returns value with nothing changed but the white space between its tokens, which is removed.
func compact(value jsontext.Value) string {
	// Value.Compact would write into the catalog that value is a part of. A value that is not JSON comes back as it is.
	text, _ := jsontext.AppendFormat(nil, value,
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true))
	return string(text)
}

// Catalog returns the surface tokens of all tools of cat, 0 for a nil catalog.
func (c *Counter) Catalog(cat *catalog.Catalog) int64 {
	if cat == nil {
		return 0
	}
	var total, next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(cat.Tools)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(cat.Tools)); i = next.Add(1) - 1 {
				total.Add(int64(c.Tool(cat.Tools[i])))
			}
		})
	}
	workers.Wait()
	return total.Load()
}
