package trace

import (
	"slices"

	"github.com/org/mcp-gates/internal/redact"
)

// MaxQuery bounds the query of one search, in bytes: Claude Code takes 16,384 UTF-16 units, which are 48 KiB at most.
const MaxQuery = 64 << 10

// rawSearch has a call's values of a search in the form of the cassette.
type rawSearch struct {
	Search
	key         string // the key that makes the call a search: found or loaded, otherwise query; "" for another call
	keyAt       int64  // position of the key's value
	queryAt     int64
	queryIsText bool // the query is a text
	hasBoth     bool // both found and loaded exist
}

// readSearchKey reads the value of a key of a search. It accepts any query, because in a call that is not a search the key can
// mean something else.
func (r *reader) readSearchKey(key string, c *rawCall) {
	if c.search == nil {
		c.search = &rawSearch{}
	}
	s, at := c.search, r.json.Offset()
	switch key {
	case "query":
		s.queryAt, s.queryIsText = at, r.json.Kind() == '"'
		if s.queryIsText {
			s.Query, _ = r.json.Word(`"query"`)
		}
		return
	case "deferred_tools":
		if r.json.Kind() == '0' {
			s.Pool = r.readCount(`"deferred_tools"`)
		}
		return
	}
	list := r.readRefs(`"`+key+`"`, "a "+key+" tool", MaxDeferred)
	if list == nil {
		return
	}
	s.hasBoth = s.hasBoth || s.key != "" && s.key != key
	s.key, s.keyAt, s.ByName, s.Tools = key, at, key == "loaded", list
}

// checkSearch returns the search of a call; nil if the call is not a search. ok is false if the search has mistakes.
func (r *reader) checkSearch(c *rawCall) (search *Search, ok bool) {
	s, isOwn := c.search, c.Server == BuiltinServer
	if s == nil {
		return nil, true
	}
	if s.key == "" && isOwn && s.queryIsText {
		s.key, s.keyAt = "query", s.queryAt
	}
	switch {
	case s.key == "":
		return nil, true
	case !isOwn:
		r.json.Mistakef(s.keyAt, `%q is of a search, which is a call of server %q, found server %.80q`, s.key, BuiltinServer, c.Server)
	case s.hasBoth:
		r.json.Mistakef(s.keyAt, `a call has both "found" and "loaded", expected one of them`)
	case len(s.Query) > MaxQuery:
		r.json.Mistakef(s.queryAt, `"query" is %d bytes long, at most %d are read`, len(s.Query), MaxQuery)
	default:
		return &s.Search, true
	}
	return nil, false
}

func (s *Search) size() int {
	if s == nil {
		return 0
	}
	n := len(s.Query)
	for _, ref := range s.Tools {
		n += len(ref.Server) + len(ref.Name)
	}
	return n
}

// clone returns a copy that [Run.Redact] can change.
func (s *Search) clone() *Search {
	if s == nil {
		return nil
	}
	out := *s
	out.Tools = slices.Clone(s.Tools)
	return &out
}

func (s *Search) redact(r *redact.Redactor) {
	if s == nil {
		return
	}
	s.Query = r.Text(s.Query)
	for i := range s.Tools {
		s.Tools[i].Name = r.Text(s.Tools[i].Name)
	}
}
