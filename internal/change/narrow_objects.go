package change

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/schema"
)

func (w *narrowing) compareObjects(base, head *set, at *place) {
	baseNames, headNames := w.memberNames(base), w.memberNames(head)
	required := map[string]bool{}
	for _, name := range base.required() {
		required[name] = true
	}
	newlyRequired := map[string]bool{}
	for _, name := range head.required() {
		newlyRequired[name] = !required[name]
	}
	before := w.differences
	for _, name := range baseNames.order {
		if newlyRequired[name] {
			w.addBreak(NewlyRequired, at.member(name), "is required now")
		}
		w.compareOldMember(base, head, name, headNames, at)
		if w.mayStop(before) {
			return
		}
	}
	rest, open := w.unnamedMembers(base, at.parent == nil, baseNames)
	for _, name := range append(slices.Clone(headNames.order), head.required()...) {
		switch {
		case baseNames.has[name]: // compared above
		case newlyRequired[name]:
			newlyRequired[name] = false // noted once, because both lists may have the name
			w.addBreak(NewlyRequired, at.member(name), "is new and required")
		case headNames.has[name]:
			w.compareNewMember(base, head, name, open, at)
		}
		if w.mayStop(before) {
			return
		}
	}
	for _, node := range head.nodes {
		if !w.hasSchema(base, head.doc, node) {
			w.compareUnnamedMembers(base, head, node, rest, open, at)
			w.checkUnevaluated(base, head, node, baseNames, open, at)
		}
	}
}

func (w *narrowing) compareOldMember(base, head *set, name string, headNames *nameList, at *place) {
	was, is := w.memberSchemas(base, name), w.memberSchemas(head, name)
	old := w.resolve(base.doc, was.schemas...)
	if old.types == 0 {
		return // callers could not send this member
	}
	isConstrained := slices.ContainsFunc(is.schemas, func(n *schema.Node) bool { return n.IsObject() && len(n.Keys) > 0 })
	isMentioned := headNames.has[name] || is.isNamed || slices.Contains(head.required(), name)
	if w.notesRemoved() && !isMentioned && !isConstrained {
		w.addBreak(ArgumentRemoved, at.member(name), "is gone")
		return
	}
	if headNames.inBranch[name] { // a branch may also describe the member
		w.besideBranches++
		defer func() { w.besideBranches-- }()
	}
	w.whileUnsure(is.isUncertain, func() { w.compare(old, w.resolve(head.doc, is.schemas...), at.member(name)) })
}

// compareNewMember compares the schemas of a member that only the new schema names, if callers could send it.
func (w *narrowing) compareNewMember(base, head *set, name string, open openness, at *place) {
	was, is := w.memberSchemas(base, name), w.memberSchemas(head, name)
	if open == closed && !was.isNamed {
		return
	}
	w.whileUnsure(is.isUncertain || !was.isNamed, func() {
		w.compare(w.resolve(base.doc, was.schemas...), w.resolve(head.doc, is.schemas...), at.member(name))
	})
}

// compareUnnamedMembers compares the schemas of members without a property of their own: of members that match patterns, and of
// all others. node is one schema of head. rest and open are the result of unnamedMembers for base.
func (w *narrowing) compareUnnamedMembers(base, head *set, node *schema.Node, rest []*schema.Node, open openness, at *place) {
	old := w.resolve(base.doc, rest...)
	patterns := node.Get("patternProperties")
	if additional := node.Get("additionalProperties"); isSchema(additional) {
		to := w.resolve(head.doc, additional)
		if open != closed && old.types != 0 {
			w.compareOtherMembers(old, to, at)
		}
		for _, p := range patternsOf(base) {
			if !patterns.Has(p.expr) {
				w.compareOtherMembers(w.resolve(base.doc, p.schemas...), to, at)
			}
		}
	}
	if !patterns.IsObject() {
		return
	}
	for i, expr := range patterns.Keys {
		to := w.resolve(head.doc, patterns.Items[i])
		oldPatterns := patternsOf(base)
		same := slices.IndexFunc(oldPatterns, func(p patternOf) bool { return p.expr == expr })
		if same >= 0 {
			w.compare(w.resolve(base.doc, oldPatterns[same].schemas...), to, at.member(expr))
			continue
		}
		isUnsure := true // it is not known which members match both patterns
		w.whileUnsure(isUnsure, func() {
			if open != closed {
				w.compare(old, to, at.member(expr))
			}
			for _, p := range oldPatterns {
				w.compare(w.resolve(base.doc, p.schemas...), to, at.member(expr))
			}
		})
	}
}

func (w *narrowing) compareOtherMembers(old, to *set, at *place) {
	if old.types != 0 && to.types == 0 {
		w.addBreak(Narrowed, at, "takes no other members now")
		return
	}
	w.compare(old, to, at.member(others))
}

// checkUnevaluated notes members to which only the schema's unevaluatedProperties applies now.
func (w *narrowing) checkUnevaluated(base, head *set, node *schema.Node, baseNames *nameList, open openness, at *place) {
	unevaluated := head.doc.get(node, "unevaluatedProperties")
	if !isSchema(unevaluated) || unevaluated.Is('t') {
		return
	}
	own := w.resolve(head.doc, node)
	if slices.ContainsFunc(own.nodes, func(n *schema.Node) bool { return n.Has("additionalProperties") }) {
		return
	}
	if open != closed {
		w.addPossibleBreak(at, "may take less of other members now")
		return
	}
	for _, name := range baseNames.order {
		old := w.resolve(base.doc, w.memberSchemas(base, name).schemas...)
		is := w.memberSchemas(own, name)
		mayBeUnevaluated := !is.isNamed || is.isUncertain
		if old.types != 0 && mayBeUnevaluated && w.memberNames(head).has[name] {
			w.addPossibleBreak(at.member(name), "may be left to unevaluatedProperties now")
		}
	}
}

func (w *narrowing) checkPropertyNames(g goal) {
	if !isSchema(g.value) {
		return
	}
	baseNames := w.memberNames(g.base)
	allowed := w.resolve(g.head.doc, g.value)
	for _, name := range baseNames.order { // members with names that are certainly refused are noted elsewhere
		if w.fits(allowed, &schema.Node{Kind: '"', Text: name}) == unknown && !w.hasSame(g) {
			w.addPossibleBreak(g.at.member(name), "may be refused by propertyNames now")
		}
	}
	_, open := w.unnamedMembers(g.base, g.at.parent == nil, baseNames)
	if open == closed && len(patternsOf(g.base)) == 0 {
		return
	}
	was := g.base.get(g.key)
	oldAllowed := w.resolve(g.base.doc, append(was, w.typeSchema(isString))...)
	if w.proves(oldAllowed, allowed, g.at) {
		return
	}
	if len(was) == 0 && w.splitDepth == 0 && open == spelled {
		w.addBreak(Narrowed, g.at, "takes fewer names of members now")
		return
	}
	w.addPossibleBreak(g.at, "may take fewer names of members now")
}

func (w *narrowing) checkDependencies(g goal) {
	if !g.value.IsObject() {
		return
	}
	baseNames := w.memberNames(g.base)
	_, open := w.unnamedMembers(g.base, g.at.parent == nil, baseNames)
	for i, name := range g.value.Keys {
		was := w.memberSchemas(g.base, name)
		isMentioned := baseNames.has[name] || was.isNamed || slices.Contains(g.base.required(), name)
		if !isMentioned && open == closed || w.resolve(g.base.doc, was.schemas...).types == 0 {
			continue // callers could not send this member
		}
		if needed := g.value.Items[i]; needed.IsList() {
			w.checkDependentRequired(g, name, needed)
		} else if isSchema(needed) {
			w.checkDependentSchema(g, name, needed)
		}
	}
}

func (w *narrowing) checkDependentRequired(g goal, name string, needed *schema.Node) {
	alreadyNeeded := append(g.base.required(), name)
	for _, key := range []string{"dependentRequired", "dependencies"} {
		for _, lists := range g.base.get(key) {
			for _, one := range lists.Get(name).List() {
				alreadyNeeded = append(alreadyNeeded, one.Text)
			}
		}
	}
	var added []string
	for _, one := range needed.Items {
		if one.IsString() && !slices.Contains(alreadyNeeded, one.Text) {
			added = append(added, lint.JSONText(one.Text))
		}
	}
	if len(added) > 0 {
		w.addBreak(Narrowed, g.at.member(name), "needs "+strings.Join(added, " and ")+" beside it now")
	}
}

func (w *narrowing) checkDependentSchema(g goal, name string, needed *schema.Node) {
	list := []*schema.Node{schemaRequiring(name)} // the schemas that base has for an object with the member
	for _, key := range []string{"dependentSchemas", "dependencies"} {
		for _, schemas := range g.base.get(key) {
			if one := schemas.Get(name); isSchema(one) {
				list = append(list, one)
			}
		}
	}
	if w.proves(w.with(g.base, list...), w.resolve(g.head.doc, needed), g.at) {
		return
	}
	isUnsure := len(list) > 1 || w.splitDepth > 0
	w.whileUnsure(isUnsure, func() { w.addBreak(Narrowed, g.at.member(name), "takes less of what stands beside it now") })
}

func schemaRequiring(name string) *schema.Node {
	list := &schema.Node{Kind: '[', Items: []*schema.Node{{Kind: '"', Text: name}}}
	return &schema.Node{Kind: '{', Keys: []string{"required"}, Items: []*schema.Node{list}}
}
