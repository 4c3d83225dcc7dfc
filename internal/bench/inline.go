package bench

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// InlineCatalog reads a catalog that is written in a YAML file: a list of tools, or a map with the list as "tools". It
// returns nil for anything else; mistakes are reported where they stand.
func InlineCatalog(v yamlread.Value) *catalog.Catalog {
	file := v.Pos().File
	if v.Kind() == yamlread.MapKind {
		block, _ := v.Map()
		tools, ok := block.Value("tools")
		if !ok {
			v.Errorf(`"catalog" has no "tools", expected a list of tools there`)
			return nil
		}
		for _, key := range []string{"nextCursor", "_meta"} { // these are keys of a result of tools/list, which people paste as it is
			block.Has(key)
		}
		block.Done()
		v = tools
	}
	if v.Kind() != yamlread.ListKind {
		v.Errorf(`"catalog" must be a list of tools, or a map with the list as "tools", found %s`, v.Describe())
		return nil
	}
	in := inline{file: file, made: &yamlread.Shared[inlineBytes](v).n}
	var tools []*catalog.Tool
	for _, item := range v.List() {
		t := in.tool(item)
		if t != nil {
			tools = append(tools, t)
		}
	}
	if in.broken {
		return nil
	}
	return catalog.New(file, tools)
}

// inlineBytes counts the bytes of JSON that the catalogs within one YAML file have become.
type inlineBytes struct{ n int }

// inline turns YAML values into the tools that the same values in JSON are.
type inline struct {
	file   string
	made   *int // bytes of JSON that the catalogs of the file have become: aliases can repeat a long text many times
	broken bool // a mistake was reported
	out    *jsontext.Encoder
}

// tool reads a tool that is written into the suite. It writes the tool as JSON and reads it like that of a catalog, so that the
// same rules apply.
func (in *inline) tool(v yamlread.Value) *catalog.Tool {
	block, ok := v.Map()
	if !ok {
		in.broken = true
		return nil
	}
	name := block.Str("name")
	at, ok := in.description(block, name.Pos)
	var text bytes.Buffer
	in.out = jsontext.NewEncoder(&text)
	isWritten := in.put(v, jsontext.BeginArray) && in.write(v) && in.put(v, jsontext.EndArray)
	if name.Value == "" || !ok || !isWritten {
		in.broken = true
		return nil
	}
	read, errs := catalog.Read(in.file, text.Bytes())
	for _, e := range errs {
		v.Errorf("%s", e.Msg)
		in.broken = true
	}
	if in.broken {
		return nil
	}
	return read.All()[0].At(name.Pos, at)
}

// description returns where a tool's description stands, or name when it has none, and whether it is a text.
func (in *inline) description(tool *yamlread.Map, name source.Pos) (source.Pos, bool) {
	v, ok := tool.Value("description")
	if !ok {
		return name, true
	}
	if v.Kind() != yamlread.NullKind {
		_, ok = v.Str()
	}
	return v.Pos(), ok
}

// write writes a value as JSON, with the keys of maps in their order, and reports whether it could.
func (in *inline) write(v yamlread.Value) bool {
	switch v.Kind() {
	case yamlread.MapKind:
		block, _ := v.Map()
		ok := in.put(v, jsontext.BeginObject)
		for _, e := range block.Entries() {
			ok = ok && in.put(v, jsontext.String(e.Key.Value)) && in.write(e.Value)
		}
		return ok && in.put(v, jsontext.EndObject)
	case yamlread.ListKind:
		ok := in.put(v, jsontext.BeginArray)
		for _, item := range v.List() {
			ok = ok && in.write(item)
		}
		return ok && in.put(v, jsontext.EndArray)
	case yamlread.TextKind:
		return in.put(v, jsontext.String(v.Text()))
	case yamlread.NullKind, yamlread.BrokenKind:
		return in.put(v, jsontext.Null)
	}
	return in.writeScalar(v)
}

// writeScalar writes a number or a truth value. A number stays as it is spelled where JSON spells it so too.
func (in *inline) writeScalar(v yamlread.Value) bool {
	text := jsontext.Value(v.Text())
	if !text.IsValid() {
		value, ok := v.JSON()
		if !ok {
			return false
		}
		text = jsontext.Value(fmt.Sprint(value))
	}
	return in.spend(v, len(text)) && in.out.WriteValue(text) == nil
}

func (in *inline) put(v yamlread.Value, token jsontext.Token) bool {
	return in.spend(v, len(token.String())) && in.out.WriteToken(token) == nil
}

func (in *inline) spend(v yamlread.Value, n int) bool {
	if *in.made > source.MaxCatalog {
		return false
	}
	if *in.made += n; *in.made > source.MaxCatalog {
		v.Stopf("catalogs of more than %d bytes end here, expected at most that many in one file, aliases followed", source.MaxCatalog)
	}
	return *in.made <= source.MaxCatalog
}
