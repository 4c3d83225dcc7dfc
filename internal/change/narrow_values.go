package change

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/schema"
)

// counterparts maps each bound of numbers to the other keyword that bounds numbers on the same side.
var counterparts = map[string]string{
	"minimum": "exclusiveMinimum", "exclusiveMinimum": "minimum", "maximum": "exclusiveMaximum", "exclusiveMaximum": "maximum",
}

func edgeOf(of *document, n *schema.Node, key string) (e edge, ok bool) {
	value := n.Get(key)
	e.open = strings.HasPrefix(key, "exclusive")
	if e.open && of.dialect == draft4 {
		return edge{}, false // in draft 4, the keyword is a boolean that modifies its counterpart
	}
	if of.dialect == draft4 {
		e.open = n.Get(counterparts[key]).Is('t')
	}
	e.at = numberOf(value)
	return e, e.at != nil
}

// checkBound notes a bound of head that is narrower than the bounds of base, such as "maximum" or "minLength".
func (w *narrowing) checkBound(g goal) {
	row := keywords[g.key]
	now, known := edgeOf(g.head.doc, g.node, g.key)
	switch {
	case !known && g.value.Is('0') && !w.hasSame(g):
		w.addPossibleBreak(g.at, "has another "+g.key+" now")
		return
	case !known:
		return
	}
	isWhole := row.about != isNumber || g.base.types&isFraction == 0
	old, has := w.narrowestEdge(g.base, g.key, isWhole)
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
	return slices.ContainsFunc(g.base.get(g.key), func(n *schema.Node) bool { return w.shapeOf(n).id == w.shapeOf(g.value).id })
}

func (w *narrowing) spelledBound(g goal) string {
	if values := g.base.get(g.key); len(values) == 1 && values[0].Is('0') {
		return lint.Shortened(values[0].Text)
	}
	return ""
}

// narrowestEdge returns the narrowest bound that the schemas of a set have under a key or under its counterpart; has is false if
// they have none. isWhole means that only whole numbers are bounded.
func (w *narrowing) narrowestEdge(s *set, key string, isWhole bool) (best edge, has bool) {
	sign := keywords[key].sign
	consider := func(e edge) {
		if isWhole {
			e = e.whole(sign)
		}
		if !has || e.within(best, sign) {
			best, has = e, true
		}
	}
	for _, n := range s.nodes {
		for _, k := range []string{key, counterparts[key]} {
			if e, ok := edgeOf(s.doc, n, k); k != "" && ok {
				consider(e)
			}
		}
	}
	switch key {
	case "minLength", "minItems", "minProperties":
		consider(edge{at: new(big.Rat)})
	}
	if key == "minProperties" {
		consider(edge{at: big.NewRat(int64(len(s.required())), 1)})
	}
	return best, has
}

func (w *narrowing) checkMultipleOf(g goal) {
	now := numberOf(g.value) // nil for a number with too many digits
	isZero := now != nil && now.Sign() == 0
	if !g.value.Is('0') || isZero || w.hasSame(g) {
		return
	}
	was := g.base.get(g.key)
	if g.base.types&isFraction == 0 {
		was = append(was, &schema.Node{Kind: '0', Text: "1"}) // all numbers of base are multiples of 1
	}
	for _, n := range was {
		if old := numberOf(n); old != nil && now != nil && new(big.Rat).Quo(old, now).IsInt() {
			return
		}
	}
	text := "must be a multiple of " + lint.Shortened(g.value.Text) + " now"
	if now == nil {
		w.addPossibleBreak(g.at, text)
		return
	}
	w.addBreak(Narrowed, g.at, text)
}

// anyText are patterns that match every text.
var anyText = []string{"", "^", "$", ".*", "^.*", ".*$"}

func (w *narrowing) checkPattern(g goal) {
	switch was := g.base.get("pattern"); {
	case !g.value.IsString() || w.hasSame(g) || slices.Contains(anyText, g.value.Text):
	case len(was) > 0 || w.splitDepth > 0:
		w.addPossibleBreak(g.at, "must match another pattern now, "+lint.JSONText(lint.Shortened(g.value.Text)))
	default:
		w.addBreak(Narrowed, g.at, "must match "+lint.JSONText(lint.Shortened(g.value.Text))+" now")
	}
}

func (w *narrowing) checkFormat(g goal) {
	if g.value.IsString() && !w.hasSame(g) {
		w.addPossibleBreak(g.at, "has the format "+lint.JSONText(lint.Shortened(g.value.Text))+" now")
	}
}

func (w *narrowing) checkUniqueItems(g goal) {
	most, bounded := w.narrowestEdge(g.base, "maxItems", true)
	mayHaveTwo := !bounded || most.at.Cmp(big.NewRat(1, 1)) > 0
	if g.value.Is('t') && mayHaveTwo && !w.hasSame(g) {
		w.addBreak(Narrowed, g.at, "must have no item twice now")
	}
}

func (w *narrowing) checkReference(g goal) {
	isFollowed := g.key == "$ref" && g.head.doc.follow(g.value.Text) != nil
	if !g.value.IsString() || isFollowed {
		return
	}
	isLocal := strings.HasPrefix(g.value.Text, "#")
	mayLeadElsewhere := isLocal && (g.key != "$ref" || g.base.doc.hasInnerIDs || g.head.doc.hasInnerIDs)
	if mayLeadElsewhere || !w.hasSame(g) {
		w.addPossibleBreak(g.at, "is what "+lint.JSONText(lint.Shortened(g.value.Text))+" takes now, which is not known")
	}
}

// maxListed bounds the number of values that are checked one by one against a schema. A longer list is ignored.
const maxListed = 5000

// listValues returns the values that a set can have. listed is true if a schema of the set lists them, or if all branches of an
// anyOf or oneOf do.
func (w *narrowing) listValues(s *set, depth int) (values []*schema.Node, listed bool) {
	for _, n := range s.nodes {
		if values := listedValues(s.doc, n); values != nil && len(values) <= maxListed {
			return w.withoutRefused(s, values), true
		}
	}
	if depth >= maxNesting {
		return nil, false
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		for _, branches := range s.get(keyword) {
			if all, listed := w.listBranchValues(s.doc, branches, depth); listed {
				return w.withoutRefused(s, all), true
			}
		}
	}
	return nil, false
}

func (w *narrowing) listBranchValues(doc *document, branches *schema.Node, depth int) (all []*schema.Node, listed bool) {
	if !branches.IsList() {
		return nil, false
	}
	for _, branch := range branches.List() {
		values, listed := w.listValues(w.resolve(doc, branch), depth+1)
		all = append(all, values...)
		if !listed || len(all) > maxListed {
			return nil, false
		}
	}
	return all, true
}

// nullAndBooleans returns the values of a set that accepts only null and booleans; nil for any other set.
func (w *narrowing) nullAndBooleans(s *set) []*schema.Node {
	if s.types&^(isNull|isBoolean) != 0 {
		return nil
	}
	var values []*schema.Node
	for _, kind := range []byte{'n', 'f', 't'} {
		if n := literal(kind); s.types&typeOfValue(n) != 0 {
			values = append(values, n)
		}
	}
	return append([]*schema.Node{}, w.withoutRefused(s, values)...)
}

// withoutRefused returns the values that a set may accept.
func (w *narrowing) withoutRefused(s *set, values []*schema.Node) []*schema.Node {
	return slices.DeleteFunc(slices.Clone(values), func(v *schema.Node) bool { return w.fits(s, v) == no })
}

// compareListedValues notes which of the values head refuses. values are all values that were accepted before.
func (w *narrowing) compareListedValues(head *set, values []*schema.Node, at *place) {
	var lost, unsure []string
	for _, v := range values {
		switch w.fits(head, v) {
		case no:
			lost = append(lost, valueText(v))
		case unknown:
			unsure = append(unsure, valueText(v))
		}
	}
	if len(lost) > 0 {
		w.addBreak(ValueDropped, at, "does not take "+shortList(sortedDistinct(lost))+" any more")
	}
	if len(unsure) > 0 {
		w.addPossibleBreak(at, "may not take "+shortList(sortedDistinct(unsure))+" any more")
	}
}

func texts(values []*schema.Node) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = valueText(v)
	}
	return list
}
