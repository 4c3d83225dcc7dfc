package yamlread

import (
	"fmt"
	"regexp"

	"github.com/org/mcp-gates/internal/source"
	"gopkg.in/yaml.v3"
)

// maxExpanded bounds the number of values of a file and joined files, including aliases. The largest suite that can be read has
// fewer values without aliases.
const maxExpanded = 2_000_000

// node is a YAML value with resolved aliases and merge keys. Aliased nodes are shared, not copied.
type node struct {
	text    string // text of a scalar
	entries []entry
	kind    Kind
	isInt   bool  // the tag is !!int
	isMerge bool  // the tag is !!merge
	depth   int16 // levels of nested values, including this one and aliases
	size    int   // number of nested values, including this one and aliases
}

// entry is an entry of a map, in file order with merged entries last; or an item of a list, without a key.
type entry struct {
	key     string
	keyAt   place // position of an item: its dash, or its position in a list in brackets
	value   *node
	valueAt place // position of the value; for an alias, that of the alias
}

// resolver resolves aliases. The YAML parser checks decoded values for loops and explosions, but not a yaml.Node.
type resolver struct {
	doc      *document
	anchored map[*yaml.Node]*node // values that aliases can refer to, once they are resolved
	isTooBig bool                 // an exceeded bound was reported
	free     []node               // memory for further values, because there are thousands, which live as long as the file's maps
}

func (r *resolver) newNode() *node {
	const piece = 64
	if len(r.free) == 0 {
		r.free = make([]node, piece)
	}
	out := &r.free[0]
	r.free = r.free[1:]
	return out
}

// brokenNode returns a placeholder for a wrong value that was reported.
func brokenNode() *node { return &node{kind: BrokenKind, size: 1, depth: 1} }

func (r *resolver) errorf(at place, format string, args ...any) *node {
	r.doc.errs.Addf(r.doc.pos(at), format, args...)
	return brokenNode()
}

// reportTooBig reports that the file exceeds a bound. It does so only once.
func (r *resolver) reportTooBig(at place, format string, args ...any) *node {
	if r.isTooBig {
		return brokenNode()
	}
	r.isTooBig, r.doc.stopped = true, true
	return r.errorf(at, format, args...)
}

func (r *resolver) place(n *yaml.Node) place { return r.doc.lines.place(n.Line, n.Column) }

// resolve returns the value of n at the given level of nesting, or a broken value.
func (r *resolver) resolve(n *yaml.Node, level int) *node {
	var out *node
	switch {
	case n.Kind == yaml.AliasNode:
		r.doc.aliased = true
		if out = r.anchored[n.Alias]; out == nil {
			return r.errorf(r.place(n), "alias %q stands for a value that it is a part of", shorten(n.Value))
		}
	case n.Anchor != "":
		out = r.resolveValue(n, level)
		r.anchored[n] = out
	default:
		out = r.resolveValue(n, level)
	}
	if level+int(out.depth)-1 > source.MaxDepth {
		return r.reportTooBig(r.place(n), "values nest more than %d levels deep", source.MaxDepth)
	}
	return out
}

func (r *resolver) resolveValue(n *yaml.Node, level int) *node {
	if level > source.MaxDepth {
		return r.reportTooBig(r.place(n), "values nest more than %d levels deep", source.MaxDepth)
	}
	tag := n.ShortTag()
	kind, ok := kinds[tag]
	fitsMap := (kind == MapKind) == (n.Kind == yaml.MappingNode)
	fitsList := (kind == ListKind) == (n.Kind == yaml.SequenceNode)
	if !ok || !fitsMap || !fitsList {
		return r.errorf(r.place(n), "tag %q is not supported here, expected a plain value", shorten(tag))
	}
	out := r.newNode()
	*out = node{kind: kind, isInt: tag == "!!int", isMerge: tag == "!!merge", text: n.Value, size: 1}
	switch kind {
	case MapKind:
		r.addEntries(n, out, level)
	case ListKind:
		r.addItems(n, out, level)
	}
	for _, e := range out.entries {
		out.size += e.value.size
		out.depth = max(out.depth, e.value.depth)
	}
	out.depth++
	if out.size > maxExpanded {
		return r.reportTooBig(r.place(n), "holds more than %d values once its aliases are followed", maxExpanded)
	}
	return out
}

// kinds maps the supported tags to kinds. A plain << as a value is text.
var kinds = map[string]Kind{
	"!!null": NullKind, "!!str": TextKind, "!!timestamp": TextKind, "!!merge": TextKind, "!!bool": BoolKind,
	"!!int": NumberKind, "!!float": NumberKind, "!!seq": ListKind, "!!map": MapKind,
}

func (r *resolver) addItems(n *yaml.Node, out *node, level int) {
	block := n.Style&yaml.FlowStyle == 0
	first := n.Line
	out.entries = make([]entry, 0, len(n.Content))
	for _, content := range n.Content {
		item := entry{keyAt: r.place(content), value: r.resolve(content, level+1), valueAt: r.place(content)}
		if line, ok := r.doc.lines.dashLine(content.Line, n.Column, first); ok && block {
			first = line
			item.keyAt = r.doc.lines.place(line, n.Column)
		}
		out.entries = append(out.entries, item)
	}
}

// addEntries adds the entries of a map, and those of a map that it merges.
func (r *resolver) addEntries(n *yaml.Node, out *node, level int) {
	out.entries = make([]entry, 0, len(n.Content)/2)
	places := make(map[string]place, len(n.Content)/2)
	var merged []entry
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, content := n.Content[i], n.Content[i+1]
		key := r.resolve(name, level+1)
		e := entry{key: key.text, keyAt: r.place(name), value: r.resolve(content, level+1), valueAt: r.place(content)}
		if !r.checkKey(e.keyAt, key) {
			continue
		}
		if first, twice := places[e.key]; twice {
			r.errorf(e.keyAt, "key %q is given twice, first at %d:%d", shorten(e.key), first.line, first.col)
			continue
		}
		places[e.key] = e.keyAt
		if key.isMerge {
			merged = append(merged, e)
		} else {
			out.entries = append(out.entries, e)
		}
	}
	for _, e := range merged { // there is at most one merge key, because a second one is a repeated key
		delete(places, e.key)
		r.merge(e, out, places)
	}
}

// checkKey reports a key that is not text, unless it is broken and so was reported. It returns whether the key is text.
func (r *resolver) checkKey(at place, key *node) bool {
	if key.kind != TextKind && key.kind != BrokenKind {
		r.errorf(at, "a key must be text, found %s%s", key.describe(), key.quoteHint())
	}
	return key.kind == TextKind
}

// merge adds the entries that the map lacks from a merge key's value: a map, or a list of maps in order of precedence.
func (r *resolver) merge(from entry, to *node, has map[string]place) {
	maps := []entry{from}
	if from.value.kind == ListKind {
		maps = from.value.entries
	}
	for _, e := range maps {
		switch e.value.kind {
		case MapKind:
			r.mergeMap(e, to, has)
		case BrokenKind:
		default:
			r.errorf(e.valueAt, `"<<" must be a map or a list of maps, found %s`, e.value.describe())
		}
	}
}

func (r *resolver) mergeMap(from entry, to *node, has map[string]place) {
	if r.doc.merged += len(from.value.entries); r.doc.merged > maxExpanded {
		r.reportTooBig(from.valueAt, "merge keys copy more than %d values", maxExpanded)
		return
	}
	for _, e := range from.value.entries {
		if _, have := has[e.key]; !have {
			has[e.key] = e.keyAt
			to.entries = append(to.entries, e)
		}
	}
}

// plain matches a number or truth value that messages can show without quotes.
var plain = regexp.MustCompile(`^[-+.\w]+$`)

func (n *node) describe() string {
	switch n.kind {
	case MapKind:
		return "a map"
	case ListKind:
		return "a list"
	case NullKind:
		return "nothing"
	case BrokenKind:
		return "a mistake"
	}
	if n.kind != TextKind && len(n.text) <= maxDigits && plain.MatchString(n.text) {
		return n.text
	}
	return fmt.Sprintf("%q", shorten(n.text))
}

// quoteHint returns a hint to quote a number or truth value that should be text.
func (n *node) quoteHint() string {
	if (n.kind == NumberKind || n.kind == BoolKind) && len(n.text) <= maxDigits && plain.MatchString(n.text) {
		return ` (write it in quotes: "` + n.text + `")`
	}
	return ""
}
