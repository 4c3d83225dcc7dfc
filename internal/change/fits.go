package change

import (
	"math/big"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/schema"
)

// answer says whether a value fits a schema. A greater answer overrides a smaller one when the answers of several schemas are
// combined.
type answer int

const (
	yes answer = iota
	unknown
	no
)

// pattern is a regular expression of a schema.
type pattern struct{ re *regexp.Regexp } // nil if it is too long, or if Go cannot compile it

const (
	longestPattern = 1000
	longestMatched = 10_000
)

// matches returns whether a text matches a pattern. The answer is unknown if Go cannot compile the pattern, or if the match takes
// too much work.
func (w *narrowing) matches(text, expr string) answer {
	p := w.patterns[expr]
	if p == nil {
		p = &pattern{}
		if len(expr) <= longestPattern {
			p.re, _ = regexp.Compile(expr) // nil on an error
		}
		w.patterns[expr] = p
	}
	switch {
	case slices.Contains(anyText, expr):
		return yes
	case p.re == nil || len(text) > longestMatched || !w.spend(1+len(text)/100):
		return unknown
	case p.re.MatchString(text):
		return yes
	}
	return no
}

func (w *narrowing) fits(s *set, v *schema.Node) answer {
	return w.fitsNodes(s.doc, s.nodes, s.loops, v, 0)
}

// fitsSchema checks a value against a schema and the schemas to which it refers.
func (w *narrowing) fitsSchema(of *document, n, v *schema.Node, depth int) answer {
	if depth > maxPlaces || !w.spend(1) {
		return unknown
	}
	resolved := w.flatten(of, n)
	return w.fitsNodes(of, resolved.nodes, resolved.loops, v, depth)
}

// fitsNodes checks a value against resolved schemas. loops means that one of them refers to itself.
func (w *narrowing) fitsNodes(of *document, nodes []*schema.Node, loops bool, v *schema.Node, depth int) answer {
	result := yes
	if loops {
		result = unknown
	}
	for _, one := range nodes {
		result = max(result, w.fitsNode(of, one, v, depth))
		if result == no {
			break
		}
	}
	return result
}

func (w *narrowing) fitsNode(of *document, n, v *schema.Node, depth int) answer {
	if n.Is('f') {
		return no
	}
	result := yes
	for i, key := range n.Keys {
		if key == comparedOneOf {
			result = max(result, w.fitsBranches(of, "oneOf", n.Items[i], v, depth))
		}
		row := keywords[key]
		constrains := row != nil && row.in(of.dialect) && row.about&typeOfValue(v) != 0
		if !constrains {
			continue
		}
		result = max(result, w.fitsKeyword(of, n, key, n.Items[i], v, depth))
		if result == no {
			break
		}
	}
	return result
}

func yesIf(fits bool) answer {
	if fits {
		return yes
	}
	return no
}

// fitsKeyword returns whether the value v fits one keyword of the schema n.
func (w *narrowing) fitsKeyword(of *document, n *schema.Node, key string, value, v *schema.Node, depth int) answer {
	switch key {
	case "type":
		if !value.IsString() && !value.IsList() {
			return yes
		}
		return yesIf(typeOfValue(v)&namedTypes(value) != 0)
	case "enum", "const":
		return yesIf(slices.ContainsFunc(listedValues(of, n), func(one *schema.Node) bool { return w.shapeOf(one).id == w.shapeOf(v).id }))
	case "pattern":
		if !value.IsString() {
			return yes
		}
		return w.matches(v.Text, value.Text)
	case "format", "then", "else", "allOf":
		return yes
	case "$ref":
		return yesIf(value.IsString() && of.follow(value.Text) != nil).orUnknown()
	case "multipleOf":
		m, x := numberOf(value), numberOf(v)
		if m == nil || x == nil || m.Sign() == 0 {
			return unknown
		}
		return yesIf(new(big.Rat).Quo(x, m).IsInt())
	case "properties", "required", "items", "prefixItems", "additionalItems":
		return w.fitsInside(of, n, key, value, v, depth)
	case "anyOf", "oneOf":
		return w.fitsBranches(of, key, value, v, depth)
	case "not":
		if !isSchema(value) {
			return yes
		}
		return w.fitsSchema(of, value, v, depth+1).negated()
	}
	if row := keywords[key]; row.sign != 0 {
		return fitsBound(of, n, key, row.sign, v)
	}
	return unknown
}

// orUnknown returns unknown if the answer is no, otherwise the answer.
func (a answer) orUnknown() answer { return min(a, unknown) }

func (a answer) negated() answer { return no - a }

func fitsBound(of *document, n *schema.Node, key string, sign int, v *schema.Node) answer {
	bound, ok := edgeOf(of, n, key)
	if !ok {
		return yesIf(!n.Get(key).Is('0')).orUnknown()
	}
	x := numberOf(v)
	switch v.Kind {
	case '"':
		x = big.NewRat(int64(utf8.RuneCountInString(v.Text)), 1)
	case '[', '{':
		x = big.NewRat(int64(len(v.Items)), 1)
	}
	if x == nil {
		return unknown
	}
	return yesIf(edge{at: x}.within(bound, sign))
}

func (w *narrowing) fitsBranches(of *document, key string, branches, v *schema.Node, depth int) answer {
	if !branches.IsList() {
		return yes
	}
	fit, unsure := 0, 0
	for _, branch := range branches.Items {
		switch w.fitsSchema(of, branch, v, depth+1) {
		case yes:
			fit++
		case unknown:
			unsure++
		}
	}
	switch {
	case fit+unsure == 0:
		return no
	case key == "oneOf" && fit > 1:
		return no
	case key == "oneOf" && unsure > 0:
		return unknown
	case fit > 0:
		return yes
	}
	return unknown
}

func (w *narrowing) fitsInside(of *document, n *schema.Node, key string, value, v *schema.Node, depth int) answer {
	result := yes
	switch key {
	case "required":
		return yesIf(!slices.ContainsFunc(n.Required(), func(name string) bool { return !v.Has(name) }))
	case "properties":
		for i, name := range v.Keys {
			if inner := value.Get(name); inner != nil {
				result = max(result, w.fitsSchema(of, inner, v.Items[i], depth+1))
			}
		}
		return result
	}
	for i, item := range v.Items {
		result = max(result, w.fitsSchema(of, itemSchema(of, n, i, key), item, depth+1))
	}
	return result
}
