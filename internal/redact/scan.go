package redact

import (
	"cmp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
)

// matcher reads the text at an anchor, which begins at offset at and ends before offset body, and adds the secret that it finds.
// If it finds none, it must have read a text of bounded length, or skip the text that it has read with [scan.skip].
type matcher func(s *scan, at, body int)

// probe is an anchor with the rule to call at its places.
type probe struct {
	anchor      string // the anchor, in lower case if fold is set
	offset      int    // offset in the anchor of the byte that the search looks for
	otherOffset int    // offset of a second byte of the anchor, relative to the byte at offset; 0 if the anchor has only one byte
	other       byte   // the second byte
	fold        bool   // upper and lower case are equal
	rule        *Rule
	match       matcher
}

// dispatch holds the probes by the byte that the search looks for.
type dispatch struct {
	hot    [256]bool
	probes [256][]probe
	rules  []Rule // the rules of All, with their order in it
}

func (d *dispatch) addProbe(p probe) {
	p.offset = rarestByte(p.anchor)
	if p.otherOffset = -1; p.offset == 0 {
		p.otherOffset = min(1, len(p.anchor)-1)
	}
	p.other = p.anchor[p.offset+p.otherOffset]
	d.addProbeAt(p.anchor[p.offset], p)
	if upper := upperByte(p.anchor[p.offset]); p.fold && upper != p.anchor[p.offset] {
		d.addProbeAt(upper, p)
	}
}

func (d *dispatch) addProbeAt(c byte, p probe) {
	d.hot[c] = true
	d.probes[c] = append(d.probes[c], p)
}

func rarestByte(anchor string) int {
	const frequent = ".,/ etaoinsrhldcumfpgwybvkxjqz" // bytes that are frequent in texts; all others are rarer
	best, bestRank := 0, -1
	for i := range len(anchor) {
		rank := strings.IndexByte(frequent, anchor[i])
		if rank < 0 {
			rank = len(frequent)
		}
		if rank > bestRank {
			best, bestRank = i, rank
		}
	}
	return best
}

// span is a secret in a text. The field secret is the text without escapes, so that all spellings of a secret are one secret.
type span struct {
	start, end   int
	rule, secret string
	order        int // index of the rule in All
}

// scan is one search of a text.
type scan struct {
	rules   *Rules
	text    string
	keyless bool // the text after the name of a key is not its value

	rule         *Rule // the rule whose matcher runs
	spans        []span
	skippedTo    [maxRules]int // by rule: all matches before this place are known
	placeholders [][2]int      // placeholders of earlier redactions
	numbers      []int         // numbers of these placeholders
}

func (s *scan) addSpan(start, end int, secret string) {
	s.spans = append(s.spans, span{start, end, s.rule.ID, secret, s.rule.order})
}

// addAndSkip notes a secret, and skips the rest of it for the same rule.
func (s *scan) addAndSkip(start, end int, secret string) {
	s.addSpan(start, end, secret)
	s.skip(end)
}

func (s *scan) skip(to int) { s.skippedTo[s.rule.order] = max(s.skippedTo[s.rule.order], to) }

func (s *scan) findSecrets() []span {
	s.search()
	s.searchEncoded()
	s.searchPatterns()
	if len(s.spans) == 0 {
		return nil
	}
	s.spans = slices.DeleteFunc(s.spans, func(f span) bool { return s.cutsPlaceholder(f) || s.isAllowed(f) })
	return merge(s.text, s.spans)
}

func (s *scan) search() {
	text, hot := s.text, &s.rules.hot
	for i := 0; i < len(text); i++ {
		if !hot[text[i]] {
			continue
		}
		if text[i] == '[' {
			if end, number, ok := placeholderAt(text, i); ok {
				s.placeholders, s.numbers = append(s.placeholders, [2]int{i, end}), append(s.numbers, number)
				i = end - 1
				continue
			}
		}
		probes := s.rules.probes[text[i]]
		for k := range probes {
			if p := &probes[k]; p.otherOffset == 0 || p.hasOther(text, i+p.otherOffset) {
				s.callMatcher(p, i)
			}
		}
	}
}

// hasOther reports whether the second byte of the anchor is in its place. It rarely is, so few anchors need a full comparison.
func (p *probe) hasOther(text string, at int) bool {
	return at >= 0 && at < len(text) && (text[at] == p.other || p.fold && text[at] == upperByte(p.other))
}

func (s *scan) callMatcher(p *probe, i int) {
	at := i - p.offset
	body := at + len(p.anchor)
	if at < 0 || body > len(s.text) || at < s.skippedTo[p.rule.order] {
		return
	}
	if here := s.text[at:body]; here != p.anchor && !(p.fold && strings.EqualFold(here, p.anchor)) {
		return
	}
	s.rule = p.rule
	p.match(s, at, body)
}

// searchPatterns finds the matches of the user's expressions. Matches that touch a placeholder are skipped: they were
// judged earlier.
func (s *scan) searchPatterns() {
	s.rule = s.rules.ruleByID(patternID)
	for _, re := range s.rules.patterns {
		for _, at := range re.FindAllStringSubmatchIndex(s.text, -1) {
			start, end := at[0], at[1]
			for g := 2; g < len(at); g += 2 {
				if at[g] >= 0 {
					start, end = at[g], at[g+1]
					break
				}
			}
			if start < end && !s.touchesPlaceholder(start, end) {
				s.addSpan(start, end, s.text[start:end])
			}
		}
	}
}

func (s *scan) touchesPlaceholder(start, end int) bool {
	i := s.firstPlaceholder(start)
	return i < len(s.placeholders) && s.placeholders[i][0] < end
}

// cutsPlaceholder reports whether a span ends inside a placeholder: a value can end with the beginning of a
// placeholder.
func (s *scan) cutsPlaceholder(f span) bool {
	i := s.firstPlaceholder(f.end)
	return i < len(s.placeholders) && s.placeholders[i][0] < f.end && s.placeholders[i][1] > f.end
}

func (s *scan) firstPlaceholder(at int) int {
	i, _ := slices.BinarySearchFunc(s.placeholders, at+1, func(k [2]int, at int) int { return cmp.Compare(k[1], at) })
	return i
}

// isAllowed reports whether a found secret is, or is part of, a text that is never secret.
func (s *scan) isAllowed(f span) bool {
	raw := s.text[f.start:f.end]
	for _, text := range s.rules.allow {
		if text == f.secret {
			return true
		}
		for from := 0; ; {
			k := strings.Index(text[from:], raw)
			if k < 0 {
				break
			}
			from += k
			if start := f.start - from; start >= 0 && strings.HasPrefix(s.text[start:], text) {
				return true
			}
			from++
		}
	}
	return false
}

// merge returns the spans in order. Overlapping spans become one span, so that every part of them is removed. It has the rule of
// the span that begins first; of several such spans, the rule of the longest.
func merge(text string, spans []span) []span {
	lists.SortStable(spans, func(a, b *span) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end), cmp.Compare(a.order, b.order))
	})
	merged := spans[:0]
	for _, f := range spans {
		if n := len(merged); n > 0 && f.start < merged[n-1].end {
			last := &merged[n-1]
			if f.end > last.end {
				last.end = f.end
				last.secret = text[last.start:last.end]
			}
			continue
		}
		merged = append(merged, f)
	}
	return merged
}
