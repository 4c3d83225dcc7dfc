package change

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/schema"
)

// narrowing finds the values that an input schema refuses although an older one accepted them. It works like a proof:
// each keyword of the newer schema must follow from the older one; any other is noted. A keyword that is not understood
// is noted as one that may break callers: otherwise it would be a way around the comparison.
//
// The comparison assumes that callers send only arguments that the old schema names or explicitly allows.
type narrowing struct {
	base, head *document
	open       bool // callers send arguments of any name

	left     int // amount of work that may still be done
	ids      map[*schema.Node]int
	sets     map[string]*set
	derived  map[derivation]*schema.Node
	ofTypes  map[types]*schema.Node
	shapes   map[*schema.Node]shape
	shapeIDs map[string]int
	patterns map[string]*pattern

	proven, failed map[pairKey]bool
	active         map[pairKey]int // pairs that are being compared, by the depth of their place
	assumed        int             // number of pairs that were assumed to hold because they are already being compared
	count          int             // number of differences, noted or not
	quiet, unsure  int
	below          int // depth below members that branches describe as well
	split          int // greater than 0 while branches of the old schema are compared one by one

	found []Break
	told  map[toldKey]bool
	cut   bool
}

// pairKey identifies two sets and the way of comparing them.
type pairKey struct {
	l, r        int
	open, names bool
}

// toldKey identifies a message that is given only once.
type toldKey struct {
	kind           BreakKind
	where, message string
}

// Limits on a comparison: its work, the depth of arguments, and the number of messages about one tool.
const (
	maxNarrowing = 400_000
	maxPlaces    = 64
	maxBreaks    = 1000
)

// place is the place of an argument.
type place struct {
	up    *place
	key   string
	depth int
}

func (p *place) at(key string) *place { return &place{p, key, p.depth + 1} }

func (p *place) path() []string {
	var path []string
	for ; p.up != nil; p = p.up {
		path = append(path, p.key)
	}
	slices.Reverse(path)
	return path
}

// annotations are keywords that refuse nothing, so schemas that differ only in them are equal.
var annotations = []string{"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment"}

func newNarrowing(base, head *schema.Node) *narrowing {
	return &narrowing{
		base: newDocument(base.Without(annotations...)), head: newDocument(head.Without(annotations...)), left: maxNarrowing,
		ids: map[*schema.Node]int{}, sets: map[string]*set{}, derived: map[derivation]*schema.Node{}, ofTypes: map[types]*schema.Node{},
		shapes: map[*schema.Node]shape{}, shapeIDs: map[string]int{}, patterns: map[string]*pattern{},
		proven: map[pairKey]bool{}, failed: map[pairKey]bool{}, active: map[pairKey]int{}, told: map[toldKey]bool{},
	}
}

// breaks returns the changes that make arguments invalid that were valid before, certain and possible ones.
func (p Pair) breaks() []Break {
	w := newNarrowing(p.Old.Input(), p.New.Input())
	w.run()
	for i := range w.found {
		b := &w.found[i]
		b.Tool, b.Pos = p.New, p.New.ArgumentPos(b.path...)
	}
	return w.found
}

// run compares the two sides. Arguments are always an object.
func (w *narrowing) run() {
	if w.shape(w.base.root).id == w.shape(w.head.root).id {
		return
	}
	w.compare(w.set(w.base, w.base.root, w.typeSchema(isObject)), w.set(w.head, w.head.root), &place{})
	if w.cut {
		w.found = append(w.found, Break{Kind: NotCompared, May: true, Message: "is too large to be compared as a whole"})
	}
}

// spend subtracts work from the rest, and reports whether the rest was large enough.
func (w *narrowing) spend(work int) bool {
	if w.left < work {
		w.left, w.cut = 0, true
		return false
	}
	w.left -= work
	return true
}

func (w *narrowing) addBreak(kind BreakKind, at *place, message string) {
	w.count++
	if w.quiet > 0 {
		return
	}
	b := Break{Kind: kind, May: w.unsure > 0, path: at.path(), Message: message}
	b.Argument = lint.ArgumentName(b.path)
	key := toldKey{kind, b.Argument, message}
	switch {
	case w.told[key]:
	case len(w.found) >= maxBreaks:
		w.cut = true
	default:
		w.told[key] = true
		w.found = append(w.found, b)
	}
}

func (w *narrowing) tellPossible(at *place, message string) {
	w.unsure++
	w.addBreak(Narrowed, at, message)
	w.unsure--
}

// whileUnsure runs do. If unsure is set, do notes changes as possible, not certain.
func (w *narrowing) whileUnsure(unsure bool, do func()) {
	if unsure {
		w.unsure++
		defer func() { w.unsure-- }()
	}
	do()
}

// proves reports whether r accepts every value of l. It notes nothing.
func (w *narrowing) proves(l, r *set, at *place) bool {
	key := w.key(l, r)
	key.names = false
	if w.proven[key] || w.failed[key] {
		return w.proven[key]
	}
	return w.findsNothing(key, func() { w.compare(l, r, at) })
}

func (w *narrowing) key(l, r *set) pairKey { return pairKey{l.id, r.id, w.open, w.tellsGone()} }

// tellsGone reports whether a member that the newer schema does not name is noted. It is not noted if schemas are
// compared only for the values that they accept, or below a member that branches also describe.
func (w *narrowing) tellsGone() bool { return w.quiet == 0 && w.below == 0 && !w.open }

// findsNothing reports whether do finds no difference.
func (w *narrowing) findsNothing(key pairKey, do func()) bool {
	before := w.count
	w.quiet++
	do()
	w.quiet--
	holds := w.count == before
	w.count = before
	if !holds {
		w.failed[key] = true
	}
	return holds
}

// stopped reports whether the search may end: if nothing is noted, one difference is enough.
func (w *narrowing) stopped(before int) bool { return w.quiet > 0 && w.count > before || w.cut }

// compare reports values that fit l and no longer fit r. A pair that is already being compared counts as proven, which is right
// by induction.
func (w *narrowing) compare(l, r *set, at *place) {
	key := w.key(l, r)
	switch depth, isOpen := w.active[key]; {
	case w.proven[key] || len(r.nodes) == 0 && w.quiet > 0 || w.covers(l, r):
		return
	case w.quiet > 0 && w.failed[key]:
		w.count++
		return
	case isOpen && depth == at.depth || r.loops:
		w.tellPossible(at, "refers to itself")
		return
	case isOpen: // it is being compared for a smaller value, so that the answer follows by induction
		w.assumed++
		return
	}
	if at.depth > maxPlaces || !w.spend(1+len(l.nodes)+len(r.nodes)) {
		w.cut = true
		w.count++
		return
	}
	w.active[key] = at.depth
	before, assumed := w.count, w.assumed
	w.differ(l, r, at)
	delete(w.active, key)
	if w.count == before && w.assumed == assumed && !w.cut {
		w.proven[key] = true
	}
}

// differ compares types first, and the rest if the sides have a type in common.
func (w *narrowing) differ(l, r *set, at *place) {
	before := w.count
	switch {
	case l.types == 0:
		return // the older set accepts no value
	case r.types == 0:
		w.addBreak(cmp.Or(refusedKind(at), Narrowed), at, "takes no value any more")
		return
	}
	values, listed := w.finite(l, 0)
	lost := l.types &^ r.types
	if lost != 0 && (!listed || l.types&r.types == 0) {
		w.addBreak(TypeChanged, at, lostTypes(l.types, r.types))
		if l.types&r.types == 0 || w.stopped(before) {
			return
		}
		l = w.with(l, w.typeSchema(l.types&r.types))
	}
	if values == nil {
		values = w.nullAndBooleans(l)
	}
	switch {
	case values != nil:
		w.values(r, values, at)
	case !w.branches(l, r, at):
		w.narrowNodes(l, r, at)
	}
}

// refusedKind returns the kind of a change after which an argument accepts no value.
func refusedKind(at *place) BreakKind {
	if at.up != nil && at.key != schema.Items && at.key != others {
		return ArgumentRemoved
	}
	return ""
}

func lostTypes(old, now types) string {
	if old == anyType {
		return "must be " + now.String() + " now"
	}
	return "was " + old.String() + " and is " + now.String() + " now"
}

// narrowNodes compares l with each keyword of each schema in r, until the first difference if one is enough.
func (w *narrowing) narrowNodes(l, r *set, at *place) {
	before := w.count
	for _, b := range r.nodes {
		if w.covered(l, r.of, b) {
			continue
		}
		for i, key := range b.Keys {
			row := keywords[key]
			switch {
			case row == nil || row.about&l.types == 0:
			case !row.in(r.of.dialect):
				w.noteForeign(l, b, key, at)
			default:
				w.check(goal{l, r, b, key, b.Items[i], at})
			}
			if w.stopped(before) {
				return
			}
		}
	}
	if l.types&isObject != 0 {
		w.objects(l, r, at)
	}
	if l.types&isArray != 0 && !w.stopped(before) {
		w.lists(l, r, at)
	}
}

// noteForeign notes a changed keyword that the newer schema's draft does not have, because a server may obey it anyway.
func (w *narrowing) noteForeign(l *set, b *schema.Node, key string, at *place) {
	if !slices.ContainsFunc(l.nodes, func(n *schema.Node) bool { return w.shape(n.Get(key)).id == w.shape(b.Get(key)).id }) {
		w.tellPossible(at, "has another "+key+" now, which its draft does not have")
	}
}
