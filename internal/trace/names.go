package trace

import (
	"encoding/binary"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/jsonread"
	"github.com/org/mcp-gates/internal/redact"
)

// MostNames is the greatest number of argument names that are kept of one call.
const MostNames = 8

// Bounds of the names of arguments, in bytes.
const (
	maxNamed = 256     // bytes of one name; a longer name becomes LongName, because a secret that was cut would not be recognised
	maxNames = 4 << 20 // bytes of all lists of names; beyond it, calls have only the number of their arguments
	nameCost = 64      // memory of a list, and of each name in it, in addition to the text
)

// LongName replaces the name of an argument that is too long to be kept.
const LongName = "…"

// Names are the names of the arguments of a call, as they were recorded. They can contain secrets.
type Names struct {
	List []string // the first names, at most MostNames, in order
	More int      // number of further arguments
}

// redact returns a copy of the names without secrets. It does not change the names, because calls share them.
func (n *Names) redact(r *redact.Redactor) *Names {
	if n == nil {
		return nil
	}
	out := &Names{More: n.More}
	for _, name := range n.List {
		out.List = append(out.List, r.Text(name))
	}
	return out
}

// NameLists makes lists of the names of arguments. Calls with the same names share a list. The zero value is ready to use.
type NameLists struct {
	lists map[string]*Names
	size  int // size of the lists, in bytes
	key   []byte
	json  *jsonread.Reader // nil until arguments are read
}

// OfCall returns the names of the arguments of a call; nil if it has none, or if neither the names nor the arguments were kept.
func (l *NameLists) OfCall(c *Call) *Names {
	if c.Names != nil {
		return c.Names
	}
	return l.Of(c.Arguments())
}

// Of returns the names of the members of args, a JSON object; nil if there are none.
func (l *NameLists) Of(args jsontext.Value) *Names {
	if len(args) == 0 {
		return nil
	}
	if l.json == nil {
		l.json = new(jsonread.Reader)
	}
	l.json.Reset(args)
	return l.read(l.json)
}

// read skips the next value, which is an object, and returns the names of its members; nil if there are none.
func (l *NameLists) read(json *jsonread.Reader) *Names {
	var room [MostNames]string
	list, more := room[:0], 0
	json.Object("arguments", func(name string) {
		switch {
		case len(list) == MostNames:
			more++
		case len(name) > maxNamed:
			list = append(list, LongName)
		default:
			list = append(list, name)
		}
	})
	return l.share(list, more)
}

// share returns the list of names, which is the same for equal names. If the lists would become too large together, it returns
// only the number of names.
func (l *NameLists) share(list []string, more int) *Names {
	if len(list) == 0 && more == 0 {
		return nil
	}
	size := nameCost
	l.key = binary.AppendUvarint(l.key[:0], uint64(more))
	for _, name := range list {
		l.key = append(binary.AppendUvarint(l.key, uint64(len(name))), name...)
		size += nameCost + 2*len(name) // the key contains the name, too
	}
	names, known := l.lists[string(l.key)]
	switch {
	case known:
		return names
	case len(list) > 0 && l.size+size > maxNames:
		return l.share(nil, len(list)+more)
	case l.lists == nil:
		l.lists = map[string]*Names{}
	}
	names = &Names{List: append([]string(nil), list...), More: more}
	l.lists[string(l.key)], l.size = names, l.size+size
	return names
}
