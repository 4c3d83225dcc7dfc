package clients

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/org/mcp-gates/internal/source"
)

// Server is the configuration of a server in a client.
type Server struct {
	Name      string
	Pos       source.Pos // position of its entry; without a line in a TOML file
	Command   []Text     // program and arguments; none for a server with an address
	Cwd       string
	URL       Text
	Transport string    // "sse" for the older protocol over HTTP; otherwise ""
	Env       []Setting // sorted by name
	Headers   []Setting // sorted by name
	Left      []string  // parts of the entry that a suite cannot have, each in a few words

	// Unusable is the reason why the server is left out; "" for a server that can be used.
	Unusable string

	// Values maps the environment variables in the server's texts to their values in the file; "" for a variable that has no value
	// in the file. The values may be secrets.
	Values map[string]string
}

// Setting is a variable of a server's environment, or a header.
type Setting struct {
	Name  string
	Value Text
}

// Text is a text of a file, in parts.
type Text []Part

// Part is a literal text, or a variable of the environment.
type Part struct {
	Literal string
	Env     string // the variable's name; "" for a literal
	Default string // the default of the variable; see HasDefault

	// HasDefault is true if the file gives a default, even "". Otherwise the variable must be set.
	HasDefault bool
}

// Variable returns the variable of a text that is only a variable; ok is false for any other text.
func (t Text) Variable() (env Part, ok bool) {
	if len(t) != 1 || t[0].Env == "" {
		return Part{}, false
	}
	return t[0], true
}

// Variables returns the names of the environment variables in the server's texts, sorted.
func (s *Server) Variables() []string { return slices.Sorted(maps.Keys(s.Values)) }

// Expand returns a text with each variable replaced by the result of value.
func (t Text) Expand(value func(env Part) string) string {
	var out string
	for _, part := range t {
		if part.Env == "" {
			out += part.Literal
			continue
		}
		out += value(part)
	}
	return out
}

// Merge returns the servers of several files in the order of the files, and only the first server of each name. A variable with
// different values for two servers becomes two variables, so that no server gets the secret of another.
func Merge(files ...[]Server) (all []Server) {
	taken := map[string]bool{}
	for _, servers := range files {
		for _, s := range servers {
			if !taken[s.Name] {
				all = append(all, s)
			}
			taken[s.Name] = true
		}
	}
	separateVariables(all)
	return all
}

// separateVariables renames variables that have different values for different servers. A variable keeps its name for the servers
// whose file has no value for it; if there are none, for the servers with the first value.
func separateVariables(servers []Server) {
	values := map[string]string{} // values by variable
	for i := range servers {
		for name, value := range servers[i].Values {
			if _, has := values[name]; !has || value == "" {
				values[name] = value
			}
		}
	}
	for i := range servers {
		s := &servers[i]
		for _, name := range s.Variables() {
			value := s.Values[name]
			if value == values[name] {
				continue
			}
			newName := variableName(s.Name + "_" + name)
			for n := 2; isTaken(values, newName); n++ {
				newName = variableName(fmt.Sprintf("%s_%s_%d", s.Name, name, n))
			}
			values[newName] = value
			s.rename(name, newName)
		}
	}
}

func isTaken(names map[string]string, name string) bool {
	_, has := names[name]
	return has
}

func (s *Server) rename(from, to string) {
	texts := append(slices.Clone(s.Command), s.URL)
	for _, setting := range slices.Concat(s.Env, s.Headers) {
		texts = append(texts, setting.Value)
	}
	for _, t := range texts {
		for i := range t {
			if t[i].Env == from {
				t[i].Env = to
			}
		}
	}
	s.Values[to] = s.Values[from]
	delete(s.Values, from)
}

func sortSettings(settings []Setting) {
	sort.SliceStable(settings, func(i, j int) bool {
		a, b := &settings[i], &settings[j]
		return cmp.Compare(a.Name, b.Name) < 0
	})
}
