package bench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/intents"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// intentsKey is the key of a list of intents, or of a map that names a file of intents.
const intentsKey = "intents"

// Open reads the file that a value names, and returns its path in the workspace. If it cannot read the file, it reports a mistake
// and ok is false.
type Open func(v yamlread.Value) (file string, data []byte, ok bool)

// WithIntents reads the file that the key intents of m names. It returns m with the intents of the file as the value of that key,
// and the list that was read. It reports mistakes. If the key names no file, its format is unknown, or the file cannot be read or
// has mistakes, it returns m itself and a nil list.
func WithIntents(m *yamlread.Map, cat *catalog.Catalog, open Open) (block *yamlread.Map, list *intents.List) {
	if v, ok := m.Peek(intentsKey); !ok || v.Kind() != yamlread.MapKind {
		return m, nil
	}
	v, _ := m.Value(intentsKey)
	of, _ := v.Map()
	file, hasFile := of.Value("file")
	format := intents.Auto
	if given, ok := of.OptStr("format"); ok {
		format = given.Value
		if !slices.Contains(intents.Formats(), format) {
			of.Errorf(given.Pos, "\"format\" must be one of %s, found %q%s", strings.Join(intents.Formats(), ", "),
				source.Shorten(format, 80), source.DidYouMean(format, intents.Formats()))
			hasFile = false
		}
	}
	server, _ := of.OptStr("server")
	of.Done()
	if !of.Has("file") {
		of.Errorf(of.Pos(), `"file" is missing, expected the path of a file of intents`)
	}
	if !hasFile {
		return m, nil
	}
	name, data, ok := open(file)
	if !ok {
		return m, nil
	}
	list, errs := intents.Read(name, data, format)
	for _, err := range errs {
		of.Errorf(err.Pos, "%s", err.Msg)
	}
	if len(errs) > 0 {
		return m, nil
	}
	return m.With(intentsEntry(list, server.Value, cat)), list
}

// intentsEntry returns the intents of a file as the value of the key intents.
func intentsEntry(list *intents.List, server string, cat *catalog.Catalog) yamlread.Given {
	known := namesOf(cat)
	all := yamlread.Given{Key: intentsKey, Pos: source.Pos{File: list.File, Line: 1, Col: 1}, Kind: yamlread.ListKind}
	for _, one := range list.Intents {
		query := yamlread.Given{Key: "query", Pos: one.Query.Pos, Kind: yamlread.TextKind, Text: one.Query.Value}
		gold := yamlread.Given{Key: "gold", Pos: one.Gold[0].Pos, Kind: yamlread.ListKind}
		for _, tool := range one.Gold {
			gold.Parts = append(gold.Parts, yamlread.Given{Pos: tool.Pos, Kind: yamlread.TextKind, Text: known.of(server, tool.Value)})
		}
		all.Parts = append(all.Parts, yamlread.Given{Pos: one.Query.Pos, Kind: yamlread.MapKind, Parts: []yamlread.Given{query, gold}})
	}
	return all
}

// of returns the catalog's name for a tool that a file of intents names, with or without the server in front, as clients write
// it. The tool belongs to the given server if the catalog has such a tool. If server is "", the name is returned unchanged.
func (n *names) of(server, name string) string {
	if server == "" {
		return name
	}
	bare := name
	for _, before := range []string{"mcp__" + server + "__", server + "__", server + ".", server + "/", server + ":", server + "-"} {
		if rest, ok := strings.CutPrefix(name, before); ok && rest != "" && n.tools[name] == nil {
			bare = rest
			break
		}
	}
	if own := fmt.Sprintf("%s.%s", server, bare); n.tools[own] != nil {
		return own
	}
	return bare
}
