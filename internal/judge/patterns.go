package judge

import (
	"cmp"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// maxPrograms bounds the compiled size of all regular expressions of one suite file, in bytes: an expression of a thousand
// characters can compile to 40 MB.
const maxPrograms = 64 << 20

// maxRegex is the maximum length of a matcher's regular expression, in bytes.
const maxRegex = 1000

// patterns holds the regular expressions of one suite file, without repeats.
type patterns struct {
	byText map[string]*Pattern
}

func patternsOf(v yamlread.Value) *patterns { return yamlread.Shared[patterns](v) }

// ReadErrorPattern reads the optional key error_pattern of a gate's block or a test; nil if it is missing. Mistakes are reported.
func ReadErrorPattern(m *yamlread.Map) *Pattern {
	s, ok := m.OptStr("error_pattern")
	if !ok {
		return nil
	}
	if s.Value == "" {
		m.Errorf(s.Pos, `"error_pattern" must not be empty`)
		return nil
	}
	pattern, err := yamlread.Shared[patterns](m).lookUpBounded(s.Value, s.Pos)
	if err != nil {
		m.Errorf(s.Pos, `"error_pattern" must be a regular expression (RE2): %v`, err)
	}
	return pattern
}

// CheckPattern returns an error if a text of the suite is not a regular expression. [CheckPatterns] counts the size of a valid
// expression.
func CheckPattern(root *yamlread.Map, text yamlread.Str) error {
	_, err := yamlread.Shared[patterns](root).lookUp(text.Value, text.Pos)
	return err
}

// CheckPatterns reports a mistake if all regular expressions of a loaded suite together are too large to compile. The place of the
// mistake is the expression at which their total size exceeds the bound.
func CheckPatterns(root *yamlread.Map) {
	all := yamlread.Shared[patterns](root).inOrder()
	size := 0
	for _, p := range all {
		size += p.bytes
		if size > maxPrograms {
			root.Stopf(p.first, "regular expression %q: up to here they compile to more than %d bytes, which is all that is taken for one suite",
				Clip(p.text), maxPrograms)
			return
		}
	}
}

// inOrder returns the patterns in the order of their first places. The patterns of one schema share a place.
func (p *patterns) inOrder() []*Pattern {
	all := make([]*Pattern, 0, len(p.byText))
	for _, pattern := range p.byText {
		if pattern.err == nil {
			all = append(all, pattern)
		}
	}
	slices.SortStableFunc(all, func(a, b *Pattern) int { return cmp.Or(a.first.Compare(b.first), cmp.Compare(a.text, b.text)) })
	return all
}

// lookUp returns the pattern of a text at the place pos.
func (p *patterns) lookUp(text string, pos source.Pos) (*Pattern, error) {
	pattern, known := p.byText[text]
	if !known {
		if p.byText == nil {
			p.byText = map[string]*Pattern{}
		}
		pattern = newPattern(strings.Clone(text))
		pattern.first = pos
		p.byText[pattern.text] = pattern
	}
	p.noteUse([]*Pattern{pattern}, pos)
	return pattern, pattern.err
}

func (*patterns) noteUse(used []*Pattern, pos source.Pos) {
	for _, p := range used {
		if pos.Compare(p.first) < 0 {
			p.first = pos
		}
	}
}

// lookUpBounded is lookUp, but returns an error if the text is longer than maxRegex.
func (p *patterns) lookUpBounded(text string, pos source.Pos) (*Pattern, error) {
	if len(text) > maxRegex {
		return nil, fmt.Errorf("it is %d bytes long, at most %d are read", len(text), maxRegex)
	}
	return p.lookUp(text, pos)
}

// Pattern is a regular expression that is compiled when it is first matched.
type Pattern struct {
	text  string
	err   error      // nil if text is a regular expression
	size  int        // bound on the number of compiled instructions
	bytes int        // bound on the size of the compiled program
	first source.Pos // first place of the pattern in the suite

	compile sync.Once
	re      *regexp.Regexp
	serial  sync.Mutex // held during a match of a large program
}

// String returns the expression.
func (p *Pattern) String() string { return p.text }

func newPattern(text string) *Pattern {
	p := &Pattern{text: text}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		p.err = err
		return p
	}
	size := sizeOfPart(parsed)
	size.instructions += 2 // the instructions for failure and for match
	p.size, p.bytes = size.instructions, size.bytes()
	return p
}

// parallelSize is the size of the largest pattern that may match several texts at the same time. The memory for a match grows with
// the size, and many cases can share a pattern.
const parallelSize = 10_000

// match reports whether text contains a match. It returns false if the match costs more than the work that is left.
func (p *Pattern) match(text string, work *Work) bool {
	if !work.spend(len(text), p.size) {
		return false
	}
	if p.size > parallelSize {
		p.serial.Lock()
		defer p.serial.Unlock()
	}
	p.compile.Do(func() { p.re = regexp.MustCompile(p.text) })
	return p.re.MatchString(text)
}

// programSize is an upper bound on the size of a compiled expression.
type programSize struct {
	instructions int
	runes        int // number of characters in literals and character classes
}

// bytes is the memory that the program takes: regexp/syntax.Inst has 40 bytes, and the smallest expression takes 2 KiB.
func (s programSize) bytes() int { return 2<<10 + 40*s.instructions + 4*s.runes }

// sizeOfPart returns an upper bound on the size of a part of a parsed expression.
func sizeOfPart(re *syntax.Regexp) programSize {
	size := programSize{instructions: 1}
	for _, sub := range re.Sub {
		part := sizeOfPart(sub)
		size.instructions += part.instructions
		size.runes += part.runes
	}
	switch re.Op {
	case syntax.OpLiteral:
		size.instructions = max(1, len(re.Rune))
		size.runes = len(re.Rune)
	case syntax.OpCharClass:
		size.runes = len(re.Rune)
	case syntax.OpCapture, syntax.OpStar:
		size.instructions++
	case syntax.OpAlternate:
		size.instructions += len(re.Sub)
	case syntax.OpRepeat:
		size.instructions = 1 + max(re.Min+1, re.Max, 1)*size.instructions
	}
	return size
}

// maxWork bounds the cost of matching regular expressions in one case. A match costs the length of the text times the number of
// instructions, which is the greatest number of steps that it can take.
const maxWork = 1 << 34

// Work counts the cost of matching regular expressions in one case. The zero value has counted nothing. Only one goroutine may
// use it at a time.
type Work struct {
	spent int64
}

// spend adds the cost of matching a text of this many bytes with this many instructions. It reports whether the case has that much
// work left.
func (w *Work) spend(bytes, instructions int) bool {
	// The product cannot overflow: no text has more than 2^28 bytes, and no program more than 2^24 instructions.
	w.add(int64(bytes+1) * int64(instructions))
	return w.spent <= maxWork
}

// Spend adds the cost of comparing this many bytes. It reports whether the case has that much work left.
func (w *Work) Spend(bytes int) bool { return w.spend(bytes, 1) }

// Steps returns the cost that was counted so far.
func (w *Work) Steps() int64 { return w.spent }

// add adds steps. The sum never exceeds maxWork+1.
func (w *Work) add(steps int64) { w.spent = min(w.spent+steps, maxWork+1) }

// Excess returns the message about a case that needs more matching than maxWork allows; "" if the case needs no more.
func (w *Work) Excess() string {
	if w.spent <= maxWork {
		return ""
	}
	return fmt.Sprintf("matching its regular expressions and arguments takes more than %d steps (bytes of text times instructions of the expression), which is all that is done for one case",
		int64(maxWork))
}

// FindErrors returns a copy of the runs in which calls are marked as failed if their results match pattern, the test's
// error_pattern. If pattern is nil, it returns runs. Once the work of the case is used up, it marks no further calls; see
// [Work.Excess].
func (w *Work) FindErrors(runs []trace.Run, pattern *Pattern) []trace.Run {
	if pattern == nil {
		return runs
	}
	found := slices.Clone(runs)
	for i := range found {
		found[i].Calls = w.markFailed(found[i].Calls, pattern)
	}
	return found
}

// markFailed marks the calls whose results match the pattern as failed. If it marks a call, it returns a copy.
func (w *Work) markFailed(calls []trace.Call, pattern *Pattern) []trace.Call {
	copied := false
	for i := range calls {
		isOpen := !calls[i].Failed && calls[i].Detail != nil
		if !isOpen || !pattern.match(calls[i].Detail.Result, w) {
			continue
		}
		if !copied {
			calls, copied = slices.Clone(calls), true
		}
		calls[i].Failed = true
	}
	return calls
}
