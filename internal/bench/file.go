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

// intentsKey is the key of a block that holds intents, or names a file of them.
const intentsKey = "intents"

// Open reads the file that a value names, and returns its path in the workspace. Where it cannot, it reports why.
type Open func(v yamlread.Value) (file string, data []byte, ok bool)

// WithIntents reads the file that the key intents: of m names. It returns m with the intents of the file in place of that key, and the
// list that was read. If the key names no file, or one that cannot be used, it returns m unchanged and nil, and reports the file's mistakes.
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

// intentsEntry returns the entry of a block that the intents of a file are.
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

// of returns the catalog's name for a tool in a file of intents. There, a tool has its own name, or one with the server in
// front, as clients write it. If the catalog has the tools of several servers, the name must be a tool of this server. Without
// a server, the name is not changed.
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
