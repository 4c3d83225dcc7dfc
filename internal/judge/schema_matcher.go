package judge

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/org/mcp-gates/internal/schema"
	"github.com/org/mcp-gates/internal/yamlread"
)

// workPerMatch bounds the work of comparing one value with a schema; see [Meter].
const workPerMatch = 1_000_000

// maxSuiteNodes bounds the number of objects, lists and truth values in all schemas of one suite file, because each takes more than
// 1 kB.
const maxSuiteNodes = 100_000

// schemaMatcher compares values with a JSON Schema, with bounds on the work.
type schemaMatcher struct {
	mu     sync.Mutex // held during a match, because cases share the matcher
	meter  *Meter
	schema *schema.Compiled
}

func readSchema(arg yamlread.Value, doc any) (Matcher, bool) {
	if bounds := simpleSchema(doc); bounds != nil {
		return Matcher{bounds: bounds}, true
	}
	s, err := schemaOf(arg, doc)
	if err != nil {
		arg.Errorf(`"schema" must be a JSON Schema: %v`, err)
		return Matcher{}, false
	}
	return Matcher{test: s.match}, true
}

// schemaOf returns the matcher of a schema. All matchers of one suite file with the same schema share it.
func schemaOf(arg yamlread.Value, doc any) (*schemaMatcher, error) {
	use, text := yamlread.Shared[matcherUse](arg), CompactJSON(doc)
	if s := use.schemas[text]; s != nil {
		s.meter.patterns.noteUse(s.meter.used, arg.Pos())
		return s, nil
	}
	nodes, _ := inspect(doc)
	isReported := use.nodes > maxSuiteNodes
	use.nodes += nodes
	if use.nodes > maxSuiteNodes {
		if !isReported {
			arg.Stopf("schemas hold more than %d objects, lists and truth values altogether, which is all that is read in one suite", maxSuiteNodes)
		}
		return &schemaMatcher{}, nil
	}
	s, err := newSchemaMatcher(arg, doc)
	if err != nil {
		return nil, err
	}
	if use.schemas == nil {
		use.schemas = map[string]*schemaMatcher{}
	}
	use.schemas[text] = s
	return s, nil
}

func newSchemaMatcher(arg yamlread.Value, doc any) (*schemaMatcher, error) {
	nodes, dynamic := inspect(doc)
	switch {
	case nodes > maxSchemaNodes:
		return nil, fmt.Errorf("it holds %d objects, lists and truth values, at most %d are read", nodes, maxSchemaNodes)
	case dynamic:
		return nil, errors.New("dynamic and recursive references are not supported")
	}
	s := &schemaMatcher{meter: NewMeter(0)}
	s.meter.patterns, s.meter.pos = patternsOf(arg), arg.Pos()
	var err error
	s.schema, err = s.meter.Compile(doc)
	switch {
	case s.meter.Exhausted():
		return nil, errors.New("compiling it takes too much work")
	case err != nil:
		return nil, errors.New(schemaProblem(err))
	}
	return s, nil
}

// match reports whether a value fits the schema.
func (s *schemaMatcher) match(actual any, work *Work) (ok bool, why string) {
	if isDeeper(actual, maxArgsDepth) {
		return false, fmt.Sprintf("it is nested more than %d deep", maxArgsDepth)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.schema.Work(actual, workPerMatch) > workPerMatch {
		return false, tooMuchWork
	}
	s.meter.work = work
	if err := s.schema.Validate(actual); err != nil {
		return false, schemaProblem(err)
	}
	return true, ""
}

// schemaBounds lists the keywords that are equivalent to an operator, in the order of messages.
var schemaBounds = []struct{ keyword, op string }{
	{"minimum", ">="}, {"exclusiveMinimum", ">"}, {"maximum", "<="}, {"exclusiveMaximum", "<"},
}

// simpleSchema returns the operators to which a schema is equivalent; nil if it has other keywords.
func simpleSchema(doc any) []bound {
	object, ok := doc.(map[string]any)
	if !ok {
		return nil
	}
	var bounds []bound
	for _, k := range schemaBounds {
		if n, ok := object[k.keyword].(json.Number); ok {
			if limit, ok := parseDecimal(n.String()); ok {
				bounds = append(bounds, bound{k.op, limit})
			}
		}
	}
	if len(bounds) != len(object) {
		return nil
	}
	return bounds
}
