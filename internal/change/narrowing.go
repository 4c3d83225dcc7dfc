package change

import (
	"cmp"
	"slices"

	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/schema"
)

// narrowing finds the values that an input schema refuses although an older one accepted them. It works like a proof: each
// keyword of the newer schema must follow from the older schema, and a keyword that does not follow is noted. A keyword that is
// not understood is noted as one that may break callers. Otherwise such keywords would be a way around the comparison.
//
// The comparison assumes that callers send only arguments that the old schema names or explicitly allows.
type narrowing struct {
	base, head *document
	anyNames   bool // callers send arguments of any name

	workLeft    int // amount of work that may still be done
	ids         map[*schema.Node]int
	sets        map[string]*set
	derived     map[derivation]*schema.Node
	typeSchemas map[types]*schema.Node
	shapes      map[*schema.Node]shape
	shapeIDs    map[string]int
	patterns    map[string]*pattern

	proven, failed          map[pairKey]bool
	active                  map[pairKey]int // pairs that are being compared, with the depth of their place
	assumptions             int             // number of pairs that were assumed to hold because they are already being compared
	differences             int             // number of differences, noted or not
	quietDepth, unsureDepth int
	besideBranches          int // greater than 0 inside values that branches of head may also describe
	splitDepth              int // greater than 0 while branches of the old schema are compared one by one

	found        []Break
	reported     map[reportedKey]bool
	isIncomplete bool
}

// pairKey identifies two sets and the way of comparing them.
type pairKey struct {
	base, head             int
	anyNames, notesRemoved bool
}

// reportedKey identifies a message that is given only once.
type reportedKey struct {
	kind           BreakKind
	where, message string
}

// Limits on a comparison: its work, the depth of arguments, and the number of messages about one tool.
const (
	maxNarrowing = 400_000
	maxPlaces    = 64
	maxBreaks    = 1000
)

type place struct {
	parent *place
	key    string
	depth  int
}

func (p *place) member(key string) *place { return &place{p, key, p.depth + 1} }

func (p *place) path() []string {
	var path []string
	for ; p.parent != nil; p = p.parent {
		path = append(path, p.key)
	}
	slices.Reverse(path)
	return path
}

// annotations are keywords that refuse nothing, so schemas that differ only in them are equal.
var annotations = []string{"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment"}

func newNarrowing(base, head *schema.Node) *narrowing {
	return &narrowing{
		base: newDocument(base.Without(annotations...)), head: newDocument(head.Without(annotations...)), workLeft: maxNarrowing,
		ids: map[*schema.Node]int{}, sets: map[string]*set{}, derived: map[derivation]*schema.Node{}, typeSchemas: map[types]*schema.Node{},
		shapes: map[*schema.Node]shape{}, shapeIDs: map[string]int{}, patterns: map[string]*pattern{},
		proven: map[pairKey]bool{}, failed: map[pairKey]bool{}, active: map[pairKey]int{}, reported: map[reportedKey]bool{},
	}
}

// breaks returns the changes after which arguments that were valid before are, or may be, invalid.
func (p Pair) breaks() []Break {
	w := newNarrowing(p.Old.Input(), p.New.Input())
	w.run()
	for i := range w.found {
		b := &w.found[i]
		b.Tool, b.Pos = p.New, p.New.ArgumentPos(b.path...)
	}
	return w.found
}

// run compares the two schemas for objects, because arguments are always an object.
func (w *narrowing) run() {
	if w.shapeOf(w.base.root).id == w.shapeOf(w.head.root).id {
		return
	}
	w.compare(w.resolve(w.base, w.base.root, w.typeSchema(isObject)), w.resolve(w.head, w.head.root), &place{})
	if w.isIncomplete {
		w.found = append(w.found, Break{Kind: NotCompared, May: true, Message: "is too large to be compared as a whole"})
	}
}

// spend subtracts work from the work that is left, and reports whether enough was left.
func (w *narrowing) spend(work int) bool {
	if w.workLeft < work {
		w.workLeft, w.isIncomplete = 0, true
		return false
	}
	w.workLeft -= work
	return true
}

func (w *narrowing) addBreak(kind BreakKind, at *place, message string) {
	w.differences++
	if w.quietDepth > 0 {
		return
	}
	b := Break{Kind: kind, May: w.unsureDepth > 0, path: at.path(), Message: message}
	b.Argument = lint.ArgumentName(b.path)
	key := reportedKey{kind, b.Argument, message}
	switch {
	case w.reported[key]:
	case len(w.found) >= maxBreaks:
		w.isIncomplete = true
	default:
		w.reported[key] = true
		w.found = append(w.found, b)
	}
}

func (w *narrowing) addPossibleBreak(at *place, message string) {
	w.unsureDepth++
	w.addBreak(Narrowed, at, message)
	w.unsureDepth--
}

// whileUnsure runs do. If unsure is set, do notes changes as possible, not certain.
func (w *narrowing) whileUnsure(unsure bool, do func()) {
	if unsure {
		w.unsureDepth++
		defer func() { w.unsureDepth-- }()
	}
	do()
}

// proves reports whether head accepts every value of base. It notes nothing.
func (w *narrowing) proves(base, head *set, at *place) bool {
	key := w.pairKeyOf(base, head)
	key.notesRemoved = false
	if w.proven[key] || w.failed[key] {
		return w.proven[key]
	}
	return w.findsNothing(key, func() { w.compare(base, head, at) })
}

func (w *narrowing) pairKeyOf(base, head *set) pairKey {
	return pairKey{base.id, head.id, w.anyNames, w.notesRemoved()}
}

// notesRemoved reports whether members that the newer schema does not name are noted. They are not if nothing is noted, if
// branches may describe the same value, or if callers send arguments of any name.
func (w *narrowing) notesRemoved() bool {
	return w.quietDepth == 0 && w.besideBranches == 0 && !w.anyNames
}

// findsNothing runs do without noting anything, and reports whether do found no difference. If do found one, key is marked as
// failed.
func (w *narrowing) findsNothing(key pairKey, do func()) bool {
	before := w.differences
	w.quietDepth++
	do()
	w.quietDepth--
	holds := w.differences == before
	w.differences = before
	if !holds {
		w.failed[key] = true
	}
	return holds
}

// mayStop reports whether the search may end: the comparison is already incomplete, or nothing is noted and there are more
// differences than before.
func (w *narrowing) mayStop(before int) bool {
	return w.quietDepth > 0 && w.differences > before || w.isIncomplete
}

// compare notes values that fit base and do not fit head. A pair that is already being compared counts as proven, which is right
// by induction.
func (w *narrowing) compare(base, head *set, at *place) {
	key := w.pairKeyOf(base, head)
	acceptsAnything := len(head.nodes) == 0 && w.quietDepth > 0 // otherwise the members that head does not name are noted
	switch depth, isOpen := w.active[key]; {
	case w.proven[key] || acceptsAnything || w.hasAllSchemas(base, head):
		return
	case w.quietDepth > 0 && w.failed[key]:
		w.differences++
		return
	case isOpen && depth == at.depth || head.loops:
		w.addPossibleBreak(at, "refers to itself")
		return
	case isOpen: // the pair is being compared for an outer value, so the answer for this inner value follows by induction
		w.assumptions++
		return
	}
	if at.depth > maxPlaces || !w.spend(1+len(base.nodes)+len(head.nodes)) {
		w.isIncomplete = true
		w.differences++
		return
	}
	w.active[key] = at.depth
	differences, assumptions := w.differences, w.assumptions
	w.compareSets(base, head, at)
	delete(w.active, key)
	foundNothing := w.differences == differences && w.assumptions == assumptions
	if foundNothing && !w.isIncomplete {
		w.proven[key] = true
	}
}

// compareSets compares types first, and the rest if the sets have a type in common.
func (w *narrowing) compareSets(base, head *set, at *place) {
	before := w.differences
	switch {
	case base.types == 0:
		return // the older set accepts no value
	case head.types == 0:
		w.addBreak(cmp.Or(refusedKind(at), Narrowed), at, "takes no value any more")
		return
	}
	values, listed := w.listValues(base, 0)
	lost, common := base.types&^head.types, base.types&head.types
	if lost != 0 && (!listed || common == 0) {
		w.addBreak(TypeChanged, at, lostTypes(base.types, head.types))
		if common == 0 || w.mayStop(before) {
			return
		}
		base = w.with(base, w.typeSchema(common))
	}
	if values == nil {
		values = w.nullAndBooleans(base)
	}
	switch {
	case values != nil:
		w.compareListedValues(head, values, at)
	case !w.compareByParts(base, head, at):
		w.compareKeywords(base, head, at)
	}
}

// refusedKind returns the kind of a change after which the value at a place is refused; "" if the place is not an argument.
func refusedKind(at *place) BreakKind {
	if at.parent != nil && at.key != schema.Items && at.key != others {
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

// compareKeywords compares base with each keyword of each schema in head, until the first difference if one is enough.
func (w *narrowing) compareKeywords(base, head *set, at *place) {
	before := w.differences
	for _, node := range head.nodes {
		if w.hasSchema(base, head.doc, node) {
			continue
		}
		for i, key := range node.Keys {
			row := keywords[key]
			switch {
			case row == nil || row.about&base.types == 0:
			case !row.in(head.doc.dialect):
				w.noteForeign(base, node, key, at)
			default:
				w.checkKeyword(goal{base, head, node, key, node.Items[i], at})
			}
			if w.mayStop(before) {
				return
			}
		}
	}
	if base.types&isObject != 0 {
		w.compareObjects(base, head, at)
	}
	if base.types&isArray != 0 && !w.mayStop(before) {
		w.compareLists(base, head, at)
	}
}

// noteForeign notes a changed keyword that the newer schema's draft does not have, because a server may obey it anyway.
func (w *narrowing) noteForeign(base *set, node *schema.Node, key string, at *place) {
	if !slices.ContainsFunc(base.nodes, func(n *schema.Node) bool { return w.shapeOf(n.Get(key)).id == w.shapeOf(node.Get(key)).id }) {
		w.addPossibleBreak(at, "has another "+key+" now, which its draft does not have")
	}
}
