package change

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/schema"
)

func (w *narrowing) objects(l, r *set, at *place) {
	old, now := w.names(l), w.names(r)
	required := map[string]bool{}
	for _, name := range l.required() {
		required[name] = true
	}
	isNew := map[string]bool{}
	for _, name := range r.required() {
		isNew[name] = !required[name]
	}
	before := w.count
	for _, name := range old.order {
		if isNew[name] {
			w.addBreak(NewlyRequired, at.at(name), "is required now")
		}
		w.oldMember(l, r, name, now, at)
		if w.stopped(before) {
			return
		}
	}
	rest, open := w.unnamedMembers(l, at.up == nil, old)
	for _, name := range append(slices.Clone(now.order), r.required()...) {
		switch {
		case old.has[name]:
		case isNew[name]:
			isNew[name] = false
			w.addBreak(NewlyRequired, at.at(name), "is new and required")
		case now.has[name]:
			w.newMember(l, r, name, open, at)
		}
		if w.stopped(before) {
			return
		}
	}
	for _, b := range r.nodes {
		if !w.covered(l, r.of, b) {
			w.restOf(l, r, b, rest, open, at)
			w.unevaluated(l, r, b, old, open, at)
		}
	}
}

func (w *narrowing) oldMember(l, r *set, name string, now *nameList, at *place) {
	was, is := w.member(l, name), w.member(r, name)
	old := w.set(l.of, was.schemas...)
	if old.types == 0 {
		return
	}
	taken := slices.ContainsFunc(is.schemas, func(n *schema.Node) bool { return n.IsObject() && len(n.Keys) > 0 })
	if w.tellsGone() && !now.has[name] && !slices.Contains(r.required(), name) && !is.named && !taken {
		w.addBreak(ArgumentRemoved, at.at(name), "is gone")
		return
	}
	if now.inBranch[name] { // a branch may also describe the member
		w.below++
		defer func() { w.below-- }()
	}
	w.whileUnsure(is.doubt, func() { w.compare(old, w.set(r.of, is.schemas...), at.at(name)) })
}

// newMember compares the schemas of a member that only the new schema names, if callers could send it.
func (w *narrowing) newMember(l, r *set, name string, open openness, at *place) {
	was, is := w.member(l, name), w.member(r, name)
	if open == closed && !was.named {
		return
	}
	w.whileUnsure(is.doubt || !was.named, func() { w.compare(w.set(l.of, was.schemas...), w.set(r.of, is.schemas...), at.at(name)) })
}

// restOf compares the schemas of members that match patterns, and of all others.
func (w *narrowing) restOf(l, r *set, b *schema.Node, rest []*schema.Node, open openness, at *place) {
	old := w.set(l.of, rest...)
	patterns := b.Get("patternProperties")
	if additional := b.Get("additionalProperties"); isSchema(additional) {
		to := w.set(r.of, additional)
		if open != closed && old.types != 0 {
			w.otherMembers(old, to, at)
		}
		for _, p := range patternsOf(l) {
			if !patterns.Has(p.expr) {
				w.otherMembers(w.set(l.of, p.schemas...), to, at)
			}
		}
	}
	if !patterns.IsObject() {
		return
	}
	for i, expr := range patterns.Keys {
		to := w.set(r.of, patterns.Items[i])
		same := false
		for _, p := range patternsOf(l) {
			if same = p.expr == expr; same {
				w.compare(w.set(l.of, p.schemas...), to, at.at(expr))
				break
			}
		}
		if same {
			continue
		}
		w.whileUnsure(true, func() {
			if open != closed {
				w.compare(old, to, at.at(expr))
			}
			for _, p := range patternsOf(l) {
				w.compare(w.set(l.of, p.schemas...), to, at.at(expr))
			}
		})
	}
}

func (w *narrowing) otherMembers(old, to *set, at *place) {
	if old.types != 0 && to.types == 0 {
		w.addBreak(Narrowed, at, "takes no other members now")
		return
	}
	w.compare(old, to, at.at(others))
}

// unevaluated notes members to which only the schema's unevaluatedProperties applies now.
func (w *narrowing) unevaluated(l, r *set, b *schema.Node, old *nameList, open openness, at *place) {
	left := r.of.get(b, "unevaluatedProperties")
	if !isSchema(left) || left.Is('t') {
		return
	}
	own := w.set(r.of, b)
	if slices.ContainsFunc(own.nodes, func(n *schema.Node) bool { return n.Has("additionalProperties") }) {
		return
	}
	if open != closed {
		w.tellPossible(at, "may take less of other members now")
		return
	}
	for _, name := range old.order {
		is := w.member(own, name)
		if w.set(l.of, w.member(l, name).schemas...).types != 0 && (!is.named || is.doubt) && w.names(r).has[name] {
			w.tellPossible(at.at(name), "may be left to unevaluatedProperties now")
		}
	}
}

func (w *narrowing) propertyNames(g goal) {
	if !isSchema(g.value) {
		return
	}
	old := w.names(g.l)
	to := w.set(g.r.of, g.value)
	for _, name := range old.order { // names that are certainly refused accept no value any more
		if w.fits(to, &schema.Node{Kind: '"', Text: name}) == unknown && !w.hasSame(g) {
			w.tellPossible(g.at.at(name), "may be refused by propertyNames now")
		}
	}
	_, open := w.unnamedMembers(g.l, g.at.up == nil, old)
	if open == closed && len(patternsOf(g.l)) == 0 {
		return
	}
	was := g.l.get(g.key)
	if w.proves(w.set(g.l.of, append(was, w.typeSchema(isString))...), to, g.at) {
		return
	}
	if len(was) == 0 && w.split == 0 && open == spelled {
		w.addBreak(Narrowed, g.at, "takes fewer names of members now")
		return
	}
	w.tellPossible(g.at, "may take fewer names of members now")
}

func (w *narrowing) dependent(g goal) {
	if !g.value.IsObject() {
		return
	}
	old := w.names(g.l)
	_, open := w.unnamedMembers(g.l, g.at.up == nil, old)
	for i, name := range g.value.Keys {
		was := w.member(g.l, name)
		if w.set(g.l.of, was.schemas...).types == 0 || open == closed && !old.has[name] && !was.named && !slices.Contains(g.l.required(), name) {
			continue
		}
		if asked := g.value.Items[i]; asked.IsList() {
			w.dependentRequired(g, name, asked)
		} else if isSchema(asked) {
			w.dependentSchema(g, name, asked)
		}
	}
}

func (w *narrowing) dependentRequired(g goal, name string, asked *schema.Node) {
	has := append(g.l.required(), name)
	for _, key := range []string{"dependentRequired", "dependencies"} {
		for _, lists := range g.l.get(key) {
			for _, one := range lists.Get(name).List() {
				has = append(has, one.Text)
			}
		}
	}
	var lacks []string
	for _, one := range asked.Items {
		if one.IsString() && !slices.Contains(has, one.Text) {
			lacks = append(lacks, lint.JSONText(one.Text))
		}
	}
	if len(lacks) > 0 {
		w.addBreak(Narrowed, g.at.at(name), "needs "+strings.Join(lacks, " and ")+" beside it now")
	}
}

func (w *narrowing) dependentSchema(g goal, name string, asked *schema.Node) {
	list := []*schema.Node{requires(name)}
	for _, key := range []string{"dependentSchemas", "dependencies"} {
		for _, schemas := range g.l.get(key) {
			if one := schemas.Get(name); isSchema(one) {
				list = append(list, one)
			}
		}
	}
	if w.proves(w.with(g.l, list...), w.set(g.r.of, asked), g.at) {
		return
	}
	w.whileUnsure(len(list) > 1 || w.split > 0, func() { w.addBreak(Narrowed, g.at.at(name), "takes less of what stands beside it now") })
}

func requires(name string) *schema.Node {
	list := &schema.Node{Kind: '[', Items: []*schema.Node{{Kind: '"', Text: name}}}
	return &schema.Node{Kind: '{', Keys: []string{"required"}, Items: []*schema.Node{list}}
}
