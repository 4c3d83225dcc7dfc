package suite

import (
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
)

// A short suite can ask for much work. These constants bound it.
const (
	maxCases    = 100_000
	maxValues   = 2_000_000   // values that tests hold or inherit, over all tests
	maxRepeated = 8_000_000   // values that tests hold or inherit, over all cases: a test has a case for each model
	maxPrompted = 64 << 20    // bytes of prompts, over all cases
	maxNamed    = 32 << 20    // bytes of ids, over all cases, because reports repeat them
	maxServed   = 500_000     // tools, over all servers and all lists of servers in tests, because several may have the same catalog
	maxJudged   = 200_000_000 // bytes of tools plus 500 for each tool, over all entries of tool_quality
	maxPromised = 5_000_000   // names that prompts promise not to contain, over all tests
)

// MaxSearched bounds tools × intents × searches, over all entries of findability.
const MaxSearched = 500_000_000

// asked counts what the suite has asked for so far.
type asked struct {
	values, repeated, prompted, named, served, judged, searched, promised int
}

// countWithin adds n to a count and reports whether the count is within the limit. The first excess stops reading with a mistake.
func (r *reader) countWithin(count *int, n, limit int, pos source.Pos, format string) bool {
	before := *count
	*count += n
	if before <= limit && *count > limit {
		r.root.Stopf(pos, format, limit)
	}
	return *count <= limit
}

func (r *reader) countValues(size, models int, pos source.Pos) bool {
	return r.countWithin(&r.asked.values, size, maxValues, pos,
		"the tests up to here hold more than %d values, inherited ones included, expected at most that many in one suite") &&
		r.countWithin(&r.asked.repeated, size*max(1, models), maxRepeated, pos,
			"the tests up to here hold more than %d values, inherited ones included and each as often as there are models, expected at most that many in one suite")
}

func (r *reader) countNames(n int) {
	r.countWithin(&r.asked.named, n, maxNamed, r.root.Pos(), "the names and models of all cases are more than %d bytes long")
}

func (r *reader) countJudged(cat *catalog.Catalog, pos source.Pos) bool {
	size := lists.Sum(cat.Tools, func(t *catalog.Tool) int { return len(t.Raw) + 500 })
	return r.countWithin(&r.asked.judged, size, maxJudged, pos, "the entries up to here judge tools of more than %d bytes (each counts as 500 more), expected at most that many in one suite")
}
