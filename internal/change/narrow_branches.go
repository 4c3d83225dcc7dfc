package change

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/schema"
)

// branches compares the values of l in parts, if they belong to several branches, or to several types for which r has
// branches. It reports whether it did.
func (w *narrowing) branches(l, r *set, at *place) bool {
	parts, isBranch := w.parts(l, r)
	if parts == nil {
		return false
	}
	key := w.key(l, r)
	key.l, key.names = -key.l, false
	if !w.failed[key] && w.findsNothing(key, func() { w.narrowNodes(l, r, at) }) {
		if w.tellsGone() {
			w.narrowNodes(l, r, at)
		}
		return true
	}
	if isBranch {
		w.split++
		defer func() { w.split-- }()
	}
	before := w.count
	for _, part := range parts {
		if w.compare(part, r, at); w.stopped(before) {
			break
		}
	}
	return true
}

// parts returns sets that together have all values of l; nil if they need not be compared separately.
func (w *narrowing) parts(l, r *set) (parts []*set, isBranch bool) {
	for i, n := range l.nodes {
		for _, key := range []string{"anyOf", "oneOf"} {
			list := n.Get(key).List()
			if len(list) == 0 {
				continue
			}
			rest := slices.Clone(l.nodes)
			rest[i] = w.withoutKeyword(n, key)
			for _, branch := range list {
				parts = append(parts, w.extend(l, rest, branch))
			}
			return parts, true
		}
	}
	if len(r.get("anyOf"))+len(r.get("oneOf"))+len(r.get("if")) == 0 {
		return nil, false
	}
	groups := []types{isNull, isBoolean, isObject, isArray, isString, isNumber}
	groups = slices.DeleteFunc(groups, func(t types) bool { return l.types&t == 0 })
	if len(groups) < 2 {
		return nil, false
	}
	for _, t := range groups {
		parts = append(parts, w.with(l, w.typeSchema(l.types&t)))
	}
	return parts, false
}

// anyOf compares with branches; a value must fit one of them, or exactly one.
func (w *narrowing) anyOf(g goal) {
	if !g.value.IsList() {
		return
	}
	var left []*set
	for _, branch := range g.value.Items {
		if to := w.set(g.r.of, branch); to.types&g.l.types != 0 && !w.areDisjoint(g.l, to) {
			left = append(left, to)
		}
	}
	if g.key == "oneOf" && !w.exclusive(g, left) {
		w.tellPossible(g.at, "may fit more than one branch of oneOf now")
	}
	if len(left) == 1 {
		w.compare(g.l, w.chosen(g, left[0]), g.at)
		return
	}
	for _, to := range left {
		if w.proves(g.l, to, g.at) {
			return
		}
	}
	if asked := w.askedFor(g, left); asked != "" {
		w.addBreak(Narrowed, g.at, "needs "+asked+" now")
		return
	}
	isNew := len(g.l.get("anyOf"))+len(g.l.get("oneOf")) == 0 && w.split == 0
	w.whileUnsure(!isNew || len(left) > 1 && w.someTypes(g.l, left), func() { w.addBreak(Narrowed, g.at, "must fit a branch of "+g.key+" now, and may not") })
}

// chosen returns all schemas that apply now to a value that fits one branch.
func (w *narrowing) chosen(g goal, branch *set) *set {
	nodes := slices.Clone(g.r.nodes)
	nodes[slices.Index(nodes, g.b)] = w.withoutKeyword(g.b, g.key)
	return w.setOf(g.r.of, append(nodes, branch.nodes...), g.r.loops || branch.loops)
}

// someTypes reports whether a branch accepts only some of the types, so that the types must be compared one by one.
func (w *narrowing) someTypes(l *set, left []*set) bool {
	return slices.ContainsFunc(left, func(to *set) bool { return l.types&^to.types != 0 })
}

// areDisjoint reports whether a member shows that no value fits both sets: one set requires the member, and they share no
// value of it. If no member shows it, the sets may still be disjoint.
func (w *narrowing) areDisjoint(a, b *set) bool {
	for _, name := range slices.Concat(a.required(), b.required()) {
		one, other := w.member(a, name), w.member(b, name)
		first, listed := w.finite(w.set(a.of, one.schemas...), 1)
		if !listed || !one.named || !other.named {
			continue
		}
		to := w.set(b.of, other.schemas...)
		if a.types == isObject && b.types == isObject && !slices.ContainsFunc(first, func(v *schema.Node) bool { return w.fits(to, v) != no }) {
			return true
		}
	}
	return false
}

// askedFor names the members of which an object must have one now, if each branch requires a member that was not
// required. An object without any of them was accepted before.
func (w *narrowing) askedFor(g goal, left []*set) string {
	if g.l.types != isObject || len(left) == 0 || w.split > 0 {
		return ""
	}
	has := g.l.required()
	var asked []string
	for _, to := range left {
		lacks := slices.DeleteFunc(to.required(), func(name string) bool { return slices.Contains(has, name) })
		if len(lacks) == 0 {
			return ""
		}
		for i, name := range lacks {
			lacks[i] = lint.JSONText(name)
		}
		asked = append(asked, strings.Join(lacks, " and "))
	}
	return strings.Join(asked, " or ")
}

// exclusive reports whether no value can fit two of the branches in left.
func (w *narrowing) exclusive(g goal, left []*set) bool {
	disjoint := true
	for i, one := range left {
		for _, other := range left[:i] {
			if g.l.types&one.types&other.types != 0 && !w.areDisjoint(one, other) {
				disjoint = false
			}
		}
	}
	if disjoint {
		return true
	}
	// For each branch there is an old branch that accepted as much, and the old branches excluded one another.
	for _, was := range append(g.l.get("oneOf"), g.l.get(spent)...) {
		if w.branchesWithin(left, was.List(), g) {
			return true
		}
	}
	return false
}

// branchesWithin reports whether each branch in left accepts no more than an old branch, each a different one.
func (w *narrowing) branchesWithin(left []*set, old []*schema.Node, g goal) bool {
	const most = 100
	if len(left) > len(old) || len(old) > most {
		return false
	}
	taken := map[int]bool{}
	for _, one := range left {
		found := false
		for i, branch := range old {
			if !taken[i] && w.opposite(one, w.set(g.l.of, branch), g.at) {
				taken[i], found = true, true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// opposite reports whether every value of the first set, with any members, fits the second set. It is used for schemas
// that refuse values.
func (w *narrowing) opposite(l, r *set, at *place) bool {
	open, quiet := w.open, w.quiet
	w.open = true
	defer func() { w.open, w.quiet = open, quiet }()
	return w.proves(l, r, at)
}

func (w *narrowing) narrowNot(g goal) {
	if !isSchema(g.value) {
		return
	}
	refused := w.set(g.r.of, g.value)
	if refused.types&g.l.types == 0 || w.areDisjoint(g.l, refused) {
		return
	}
	old := g.l.get("not")
	for _, was := range old {
		if isSchema(was) && w.opposite(refused, w.set(g.l.of, was), g.at) {
			return
		}
	}
	w.whileUnsure(len(old) > 0 || w.split > 0, func() {
		if values, listed := w.finite(refused, 0); listed {
			w.addBreak(ValueDropped, g.at, "does not take "+someOf(distinct(texts(values)))+" any more")
			return
		}
		w.addBreak(Narrowed, g.at, "must not fit \"not\" now")
	})
}

func (w *narrowing) conditional(g goal) {
	then, otherwise := g.r.of.get(g.b, "then"), g.r.of.get(g.b, "else")
	if !isSchema(g.value) || then == nil && otherwise == nil {
		return
	}
	condition := w.set(g.r.of, g.value)
	same := func(n *schema.Node) bool {
		return w.shape(n.Get("if")).id == w.shape(g.value).id && w.shape(g.value).plain && g.l.of.dialect == g.r.of.dialect
	}
	ifTrue, ifFalse := g.l, g.l
	for _, n := range g.l.nodes {
		if same(n) {
			ifTrue, ifFalse = w.with(ifTrue, n.Get("then"), n.Get("if")), w.with(ifFalse, n.Get("else"))
		}
	}
	holds := (condition.types&g.l.types == 0 || w.areDisjoint(g.l, condition) || w.proves(ifTrue, w.set(g.r.of, then), g.at)) &&
		(w.proves(g.l, condition, g.at) || w.proves(ifFalse, w.set(g.r.of, otherwise), g.at))
	if holds {
		return
	}
	w.whileUnsure(len(g.l.get("if")) > 0 || w.split > 0, func() { w.addBreak(Narrowed, g.at, "must fit \"if\", \"then\" and \"else\" now") })
}
