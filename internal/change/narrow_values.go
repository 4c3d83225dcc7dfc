package change

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/schema"
)

// counterparts maps each bound to the keyword that also bounds the same side.
var counterparts = map[string]string{
	"minimum": "exclusiveMinimum", "exclusiveMinimum": "minimum", "maximum": "exclusiveMaximum", "exclusiveMaximum": "maximum",
}

func edgeOf(of *document, n *schema.Node, key string) (e edge, ok bool) {
	value := n.Get(key)
	e.open = strings.HasPrefix(key, "exclusive")
	if e.open && of.dialect == draft4 {
		return edge{}, false // in this draft the keyword is a boolean that belongs to the other keyword
	}
	if of.dialect == draft4 {
		e.open = n.Get(counterparts[key]).Is('t')
	}
	e.at = number(value)
	return e, e.at != nil
}

// bound reports a bound of r that is narrower than the bounds of l, such as "maximum" or "minLength".
func (w *narrowing) bound(g goal) {
	row := keywords[g.key]
	now, known := edgeOf(g.r.of, g.b, g.key)
	switch {
	case !known && g.value.Is('0') && !w.hasSame(g):
		w.tellPossible(g.at, "has another "+g.key+" now")
		return
	case !known:
		return
	}
	isWhole := row.about != isNumber || g.l.types&isFraction == 0
	old, has := w.edge(g.l, g.key, isWhole)
	if isWhole {
		now = now.whole(row.sign)
	}
	if has && old.within(now, row.sign) {
		return
	}
	text := fmt.Sprintf(row.words, lint.Shortened(g.value.Text))
	if was := w.spelledBound(g); was != "" {
		text += ", and was " + was
	}
	w.addBreak(Narrowed, g.at, text)
}

// hasSame reports whether the older schema had the keyword with the same value.
func (w *narrowing) hasSame(g goal) bool {
	return slices.ContainsFunc(g.l.get(g.key), func(n *schema.Node) bool { return w.shape(n).id == w.shape(g.value).id })
}

func (w *narrowing) spelledBound(g goal) string {
	if values := g.l.get(g.key); len(values) == 1 && values[0].Is('0') {
		return lint.Shortened(values[0].Text)
	}
	return ""
}

// edge returns the narrowest bound that the schemas of a set have under a key, or under its counterpart; has is false without
// one.
func (w *narrowing) edge(l *set, key string, isWhole bool) (best edge, has bool) {
	sign := keywords[key].sign
	consider := func(e edge) {
		if isWhole {
			e = e.whole(sign)
		}
		if !has || e.within(best, sign) {
			best, has = e, true
		}
	}
	for _, n := range l.nodes {
		for _, k := range []string{key, counterparts[key]} {
			if e, ok := edgeOf(l.of, n, k); k != "" && ok {
				consider(e)
			}
		}
	}
	switch key {
	case "minLength", "minItems", "minProperties":
		consider(edge{at: new(big.Rat)})
	}
	if key == "minProperties" {
		consider(edge{at: big.NewRat(int64(len(l.required())), 1)})
	}
	return best, has
}

func (w *narrowing) multiple(g goal) {
	now := number(g.value)
	if !g.value.Is('0') || w.hasSame(g) || now != nil && now.Sign() == 0 {
		return
	}
	was := g.l.get(g.key)
	if g.l.types&isFraction == 0 {
		was = append(was, &schema.Node{Kind: '0', Text: "1"})
	}
	for _, n := range was {
		if old := number(n); old != nil && now != nil && new(big.Rat).Quo(old, now).IsInt() {
			return
		}
	}
	text := "must be a multiple of " + lint.Shortened(g.value.Text) + " now"
	if now == nil {
		w.tellPossible(g.at, text)
		return
	}
	w.addBreak(Narrowed, g.at, text)
}

// anyText are patterns that match every text.
var anyText = []string{"", "^", "$", ".*", "^.*", ".*$"}

func (w *narrowing) pattern(g goal) {
	switch was := g.l.get("pattern"); {
	case !g.value.IsString() || w.hasSame(g) || slices.Contains(anyText, g.value.Text):
	case len(was) > 0 || w.split > 0:
		w.tellPossible(g.at, "must match another pattern now, "+lint.JSONText(lint.Shortened(g.value.Text)))
	default:
		w.addBreak(Narrowed, g.at, "must match "+lint.JSONText(lint.Shortened(g.value.Text))+" now")
	}
}

func (w *narrowing) format(g goal) {
	if g.value.IsString() && !w.hasSame(g) {
		w.tellPossible(g.at, "has the format "+lint.JSONText(lint.Shortened(g.value.Text))+" now")
	}
}

func (w *narrowing) unique(g goal) {
	most, bounded := w.edge(g.l, "maxItems", true)
	if g.value.Is('t') && !w.hasSame(g) && (!bounded || most.at.Cmp(big.NewRat(1, 1)) > 0) {
		w.addBreak(Narrowed, g.at, "must have no item twice now")
	}
}

func (w *narrowing) reference(g goal) {
	if !g.value.IsString() || g.key == "$ref" && g.r.of.referred(g.value.Text) != nil {
		return
	}
	local := strings.HasPrefix(g.value.Text, "#")
	if same := w.hasSame(g); !same || local && g.key != "$ref" || local && (g.l.of.loose || g.r.of.loose) {
		w.tellPossible(g.at, "is what "+lint.JSONText(lint.Shortened(g.value.Text))+" takes now, which is not known")
	}
}

// maxListed bounds the values that are checked one by one against a schema. More values count as unknown.
const maxListed = 5000

// finite returns the values that a set can have, if its schemas or their branches list them.
func (w *narrowing) finite(s *set, depth int) (values []*schema.Node, listed bool) {
	for _, n := range s.nodes {
		if values := listedValues(s.of, n); values != nil && len(values) <= maxListed {
			return w.fitting(s, values), true
		}
	}
	if depth >= maxSame {
		return nil, false
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		for _, branches := range s.get(keyword) {
			all, listed := []*schema.Node{}, branches.IsList()
			for _, branch := range branches.List() {
				some, is := w.finite(w.set(s.of, branch), depth+1)
				if all = append(all, some...); !is || len(all) > maxListed {
					listed = false
					break
				}
			}
			if listed {
				return w.fitting(s, all), true
			}
		}
	}
	return nil, false
}

// nullAndBooleans returns the values of a set that accepts only null and booleans; nil for any other.
func (w *narrowing) nullAndBooleans(s *set) []*schema.Node {
	if s.types&^(isNull|isBoolean) != 0 {
		return nil
	}
	var values []*schema.Node
	for _, kind := range []byte{'n', 'f', 't'} {
		if n := literal(kind); s.types&ofValue(n) != 0 {
			values = append(values, n)
		}
	}
	return append([]*schema.Node{}, w.fitting(s, values)...)
}

// fitting returns the values that a set does not certainly refuse.
func (w *narrowing) fitting(s *set, values []*schema.Node) []*schema.Node {
	return slices.DeleteFunc(slices.Clone(values), func(v *schema.Node) bool { return w.fits(s, v) == no })
}

// values notes which of the values are refused now. The values must be all that were accepted before.
func (w *narrowing) values(r *set, values []*schema.Node, at *place) {
	var lost, unsure []string
	for _, v := range values {
		switch w.fits(r, v) {
		case no:
			lost = append(lost, valueText(v))
		case unknown:
			unsure = append(unsure, valueText(v))
		}
	}
	if len(lost) > 0 {
		w.addBreak(ValueDropped, at, "does not take "+someOf(distinct(lost))+" any more")
	}
	if len(unsure) > 0 {
		w.tellPossible(at, "may not take "+someOf(distinct(unsure))+" any more")
	}
}

func texts(values []*schema.Node) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = valueText(v)
	}
	return list
}
