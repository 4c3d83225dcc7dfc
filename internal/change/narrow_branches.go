package change

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/schema"
)

// compareByParts compares base with head in parts, if base has branches, or if base has several types and head has branches. It
// reports whether there were parts.
func (w *narrowing) compareByParts(base, head *set, at *place) bool {
	parts, isBranch := w.parts(base, head)
	if parts == nil {
		return false
	}
	key := w.pairKeyOf(base, head)
	key.base, key.notesRemoved = -key.base, false // a separate key, because this comparison leaves out types and parts
	wholeFits := !w.failed[key] && w.findsNothing(key, func() { w.compareKeywords(base, head, at) })
	if wholeFits {
		if w.notesRemoved() {
			w.compareKeywords(base, head, at)
		}
		return true
	}
	if isBranch {
		w.splitDepth++
		defer func() { w.splitDepth-- }()
	}
	before := w.differences
	for _, part := range parts {
		w.compare(part, head, at)
		if w.mayStop(before) {
			break
		}
	}
	return true
}

// parts returns sets that together have all values of base; nil if base need not be compared in parts. isBranch reports whether
// the parts are the branches of base, not its types.
func (w *narrowing) parts(base, head *set) (parts []*set, isBranch bool) {
	for i, n := range base.nodes {
		for _, key := range []string{"anyOf", "oneOf"} {
			list := n.Get(key).List()
			if len(list) == 0 {
				continue
			}
			rest := slices.Clone(base.nodes)
			rest[i] = w.withoutKeyword(n, key)
			for _, branch := range list {
				parts = append(parts, w.withReplaced(base, rest, branch))
			}
			return parts, true
		}
	}
	if !head.hasBranches() {
		return nil, false
	}
	groups := []types{isNull, isBoolean, isObject, isArray, isString, isNumber}
	groups = slices.DeleteFunc(groups, func(t types) bool { return base.types&t == 0 })
	if len(groups) < 2 {
		return nil, false
	}
	for _, t := range groups {
		parts = append(parts, w.with(base, w.typeSchema(base.types&t)))
	}
	return parts, false
}

// checkBranches notes the values that fit no branch of anyOf, or not exactly one branch of oneOf.
func (w *narrowing) checkBranches(g goal) {
	if !g.value.IsList() {
		return
	}
	var reachable []*set // the branches that a value of base may fit
	for _, node := range g.value.Items {
		branch := w.resolve(g.head.doc, node)
		if branch.types&g.base.types != 0 && !w.areDisjoint(g.base, branch) {
			reachable = append(reachable, branch)
		}
	}
	if g.key == "oneOf" && !w.areExclusive(g, reachable) {
		w.addPossibleBreak(g.at, "may fit more than one branch of oneOf now")
	}
	if len(reachable) == 1 {
		w.compare(g.base, w.headWithBranch(g, reachable[0]), g.at)
		return
	}
	for _, branch := range reachable {
		if w.proves(g.base, branch, g.at) {
			return
		}
	}
	if required := w.newlyRequiredText(g, reachable); required != "" {
		w.addBreak(Narrowed, g.at, "needs "+required+" now")
		return
	}
	hadBranches := len(g.base.get("anyOf"))+len(g.base.get("oneOf")) > 0 || w.splitDepth > 0
	dependsOnType := len(reachable) > 1 && w.anyLacksTypes(g.base, reachable)
	w.whileUnsure(hadBranches || dependsOnType, func() {
		w.addBreak(Narrowed, g.at, "must fit a branch of "+g.key+" now, and may not")
	})
}

// headWithBranch returns head with the keyword replaced by one of its branches.
func (w *narrowing) headWithBranch(g goal, branch *set) *set {
	nodes := slices.Clone(g.head.nodes)
	nodes[slices.Index(nodes, g.node)] = w.withoutKeyword(g.node, g.key)
	return w.internSet(g.head.doc, append(nodes, branch.nodes...), g.head.loops || branch.loops)
}

// anyLacksTypes reports whether a branch lacks a type that base has. If so, values of different types may fit different branches.
func (w *narrowing) anyLacksTypes(base *set, branches []*set) bool {
	return slices.ContainsFunc(branches, func(branch *set) bool { return base.types&^branch.types != 0 })
}

// areDisjoint reports whether no value fits both sets, because one of them requires a member for which they share no value. Sets
// for which it returns false may still be disjoint.
func (w *narrowing) areDisjoint(a, b *set) bool {
	if a.types != isObject || b.types != isObject {
		return false
	}
	for _, name := range slices.Concat(a.required(), b.required()) {
		inA, inB := w.memberSchemas(a, name), w.memberSchemas(b, name)
		values, areListed := w.listValues(w.resolve(a.doc, inA.schemas...), 1)
		if !areListed || !inA.isNamed || !inB.isNamed {
			continue
		}
		setInB := w.resolve(b.doc, inB.schemas...)
		isShared := slices.ContainsFunc(values, func(v *schema.Node) bool { return w.fits(setInB, v) != no })
		if !isShared {
			return true
		}
	}
	return false
}

// newlyRequiredText returns the members that each branch requires and base does not, such as `"a" and "b" or "c"`; "" if a
// branch requires no such member. An object without these members was accepted before.
func (w *narrowing) newlyRequiredText(g goal, branches []*set) string {
	if g.base.types != isObject || len(branches) == 0 || w.splitDepth > 0 {
		return ""
	}
	required := g.base.required()
	var alternatives []string
	for _, branch := range branches {
		added := slices.DeleteFunc(branch.required(), func(name string) bool { return slices.Contains(required, name) })
		if len(added) == 0 {
			return ""
		}
		for i, name := range added {
			added[i] = lint.JSONText(name)
		}
		alternatives = append(alternatives, strings.Join(added, " and "))
	}
	return strings.Join(alternatives, " or ")
}

// areExclusive reports whether no value of base can fit two of the branches.
func (w *narrowing) areExclusive(g goal, branches []*set) bool {
	disjoint := true
	for i, one := range branches {
		for _, other := range branches[:i] {
			if g.base.types&one.types&other.types != 0 && !w.areDisjoint(one, other) {
				disjoint = false
			}
		}
	}
	if disjoint {
		return true
	}
	// The branches are also exclusive if each accepts no more than a different branch of an old oneOf, because a value of base fits
	// only one of the old branches.
	old := append(g.base.get("oneOf"), g.base.get(comparedOneOf)...)
	return slices.ContainsFunc(old, func(was *schema.Node) bool { return w.branchesWithin(branches, was.List(), g) })
}

// branchesWithin reports whether each branch accepts no more than an old branch, with a different old branch for each.
func (w *narrowing) branchesWithin(branches []*set, old []*schema.Node, g goal) bool {
	const most = 100
	if len(branches) > len(old) || len(old) > most {
		return false
	}
	left := slices.Clone(old)
	for _, one := range branches {
		i := slices.IndexFunc(left, func(branch *schema.Node) bool {
			return w.provesForAnyNames(one, w.resolve(g.base.doc, branch), g.at)
		})
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

// provesForAnyNames reports whether head accepts every value of base, including objects with members that no schema names. It is
// used where a value is refused because it fits a schema, such as for the keyword not.
func (w *narrowing) provesForAnyNames(base, head *set, at *place) bool {
	outer := w.anyNames
	w.anyNames = true
	defer func() { w.anyNames = outer }()
	return w.proves(base, head, at)
}

func (w *narrowing) checkNot(g goal) {
	if !isSchema(g.value) {
		return
	}
	refused := w.resolve(g.head.doc, g.value)
	if refused.types&g.base.types == 0 || w.areDisjoint(g.base, refused) {
		return
	}
	old := g.base.get("not")
	for _, was := range old {
		if isSchema(was) && w.provesForAnyNames(refused, w.resolve(g.base.doc, was), g.at) {
			return
		}
	}
	w.whileUnsure(len(old) > 0 || w.splitDepth > 0, func() {
		if values, listed := w.listValues(refused, 0); listed {
			w.addBreak(ValueDropped, g.at, "does not take "+shortList(sortedDistinct(texts(values)))+" any more")
			return
		}
		w.addBreak(Narrowed, g.at, "must not fit \"not\" now")
	})
}

func (w *narrowing) checkCondition(g goal) {
	then, otherwise := g.head.doc.get(g.node, "then"), g.head.doc.get(g.node, "else")
	if !isSchema(g.value) || then == nil && otherwise == nil {
		return
	}
	condition := w.resolve(g.head.doc, g.value)
	conditionShape := w.shapeOf(g.value)
	canBeSame := conditionShape.isSelfContained && g.base.doc.dialect == g.head.doc.dialect
	ifTrue, ifFalse := g.base, g.base // the values of base for which the condition is true or false
	for _, n := range g.base.nodes {
		if canBeSame && w.shapeOf(n.Get("if")).id == conditionShape.id {
			ifTrue, ifFalse = w.with(ifTrue, n.Get("then"), n.Get("if")), w.with(ifFalse, n.Get("else"))
		}
	}
	isNeverTrue := condition.types&g.base.types == 0 || w.areDisjoint(g.base, condition)
	thenHolds := isNeverTrue || w.proves(ifTrue, w.resolve(g.head.doc, then), g.at)
	if thenHolds && (w.proves(g.base, condition, g.at) || w.proves(ifFalse, w.resolve(g.head.doc, otherwise), g.at)) {
		return
	}
	isUnsure := len(g.base.get("if")) > 0 || w.splitDepth > 0
	w.whileUnsure(isUnsure, func() { w.addBreak(Narrowed, g.at, "must fit \"if\", \"then\" and \"else\" now") })
}
