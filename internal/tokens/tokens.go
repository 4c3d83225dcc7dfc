// Package tokens counts the tokens of texts and of tool catalogs in the cl100k_base encoding.
//
// The vocabulary is a table in the program that is read in place (vocabulary.go). A text is split into pieces by the encoding's
// pattern (split.go). A piece that is a token counts as one token, and other pieces are merged: short ones by tiktoken-go,
// which takes quadratic time, and long ones by a merge over a heap (merge.go).
package tokens

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/pkoukk/tiktoken-go"
)

// Counter counts tokens. Its zero value is ready, and safe for concurrent use.
type Counter struct{}

// Text returns the number of tokens of s. The spelling of a special token counts as ordinary text, and an invalid UTF-8 byte as
// the replacement character. The count is exact unless a single piece (a run of letters, of white space, or of characters other
// than these and digits) is longer than 1 MiB; see longestMerge.
func (c Counter) Text(s string) int {
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	n := 0
	for len(s) > 0 {
		end := firstPiece(s)
		n += countPiece(s[:end])
		s = s[end:]
	}
	return n
}

const (
	// longestShort is the maximum length in bytes of pieces that the library merges. For longer pieces, finding the ranks that the
	// library needs takes more time than merging.
	longestShort = 12

	longestRemembered = 32 // pieces up to this length, in bytes, are stored with their counts by a merger
)

func countPiece(piece string) int {
	if _, ok := rankOf(piece); ok {
		return 1
	}
	if len(piece) <= longestRemembered {
		m := mergers.Get().(*merger)
		defer mergers.Put(m)
		return m.count(piece)
	}
	n := 0
	for len(piece) > longestMerge {
		n += mergedParts(piece[:longestMerge])
		piece = piece[longestMerge:]
	}
	return n + mergedParts(piece)
}

// merger counts the tokens of pieces and stores the counts. The library, which merges short pieces, needs the ranks in a map.
type merger struct {
	ranks   map[string]int // ranks of the tokens in the pieces so far
	library *tiktoken.Tiktoken
	counts  map[string]int // number of tokens by piece, because most pieces of a catalog recur
}

// mergers are the values of type *merger that all counters share. Stored counts do not affect results.
var mergers = sync.Pool{New: func() any {
	ranks := map[string]int{}
	return &merger{ranks, libraryOf(ranks), map[string]int{}}
}}

// libraryOf returns an encoder that treats a text as one piece and merges it by ranks.
func libraryOf(ranks map[string]int) *tiktoken.Tiktoken {
	core, err := tiktoken.NewCoreBPE(ranks, nil, `[\s\S]+`)
	if err != nil {
		panic(err) // the pattern is a constant
	}
	return tiktoken.NewTiktoken(core, nil, nil)
}

// maxCounts is the maximum number of counts that a merger stores, some 4 MiB.
const maxCounts = 1 << 15

func (m *merger) count(piece string) int {
	if n, ok := m.counts[piece]; ok {
		return n
	}
	if len(m.counts) == maxCounts {
		clear(m.counts)
	}
	n := m.merged(piece)
	m.counts[strings.Clone(piece)] = n
	return n
}

func (m *merger) merged(piece string) int {
	if len(piece) > longestShort {
		return mergedParts(piece)
	}
	for start := range len(piece) {
		for end := start + 1; end <= len(piece); end++ {
			if rank, ok := rankOf(piece[start:end]); ok {
				m.ranks[strings.Clone(piece[start:end])] = rank
			}
		}
	}
	return len(m.library.EncodeOrdinary(piece))
}

// Tool returns the surface tokens of one tool: the sum of separate counts of its name, its description and its input schema
// without the white space between the schema's tokens. A missing or null schema counts as 0.
func (c Counter) Tool(t *catalog.Tool) int {
	return c.Text(t.Name) + c.Text(t.Description) + c.Schema(t.InputSchema)
}

// Schema returns the tokens of a schema without the white space between its tokens; 0 for a missing or null schema.
func (c Counter) Schema(value jsontext.Value) int {
	if len(value) == 0 || value.Kind() == 'n' {
		return 0
	}
	return c.Text(compact(value))
}

// compact removes the white space between the tokens of value.
func compact(value jsontext.Value) string {
	// Value.Compact would write into the catalog that contains value. A value that is not JSON is returned unchanged.
	text, _ := jsontext.AppendFormat(nil, value,
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true))
	return string(text)
}

// Catalog returns the surface tokens of all tools of cat; 0 for a nil catalog.
func (c Counter) Catalog(cat *catalog.Catalog) int64 {
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
