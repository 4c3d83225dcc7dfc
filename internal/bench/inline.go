package bench

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// InlineCatalog reads a catalog that is written in a YAML file: a list of tools, or a map with the list as "tools". If there are
// mistakes, it reports them at their positions and returns nil.
func InlineCatalog(v yamlread.Value) *catalog.Catalog {
	file := v.Pos().File
	if v.Kind() == yamlread.MapKind {
		block, _ := v.Map()
		tools, ok := block.Value("tools")
		if !ok {
			v.Errorf(`"catalog" has no "tools", expected a list of tools there`)
			return nil
		}
		for _, key := range []string{"nextCursor", "_meta"} { // people paste results of tools/list, which have these keys
			block.Has(key) // so that the key does not count as unknown
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
		if t := in.tool(item); t != nil {
			tools = append(tools, t)
		}
	}
	if in.broken {
		return nil
	}
	return catalog.New(file, tools)
}

// inlineBytes counts the bytes of JSON into which the catalogs of one YAML file were converted.
type inlineBytes struct{ n int }

// inline converts YAML values to tools, by way of JSON.
type inline struct {
	file   string
	made   *int // see inlineBytes; bounded, because aliases can repeat a long text many times
	broken bool // a mistake was reported
	out    *jsontext.Encoder
}

// tool reads a tool that is written in the YAML file; nil if it has mistakes. It converts the tool to JSON and reads it like a
// tool of a catalog, so that the same rules apply.
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

// description returns the position of a tool's description; ok is false if the description is not a text. If there is no
// description, it returns the position of the name.
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

// write writes a value as JSON, with the keys of maps in their order, and reports whether it succeeded.
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

// writeScalar writes a number or a truth value. A number keeps its spelling if that is also valid in JSON.
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
