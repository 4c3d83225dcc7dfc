package bench

import (
	"encoding/json"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// InlineCatalog reads a catalog that stands in a YAML file: a list of tools, or a map with the list as "tools". It
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
		for _, key := range []string{"nextCursor", "_meta"} { // of a result of tools/list, pasted as it is
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
	cat := &catalog.Catalog{File: file}
	for _, item := range v.List() {
		t := in.tool(item)
		if t != nil {
			cat.Tools = append(cat.Tools, t)
		}
	}
	if in.broken {
		return nil
	}
	return cat
}

// inlineBytes are the bytes of JSON that the catalogs in place of one file have become.
type inlineBytes struct{ n int }

// inline turns YAML values into the tools that the same values in JSON are.
type inline struct {
	file   string
	made   *int // bytes of JSON that the catalogs of the file have become: aliases can repeat a long text many times
	broken bool // a mistake was reported
}

func (in *inline) tool(v yamlread.Value) *catalog.Tool {
	block, ok := v.Map()
	if !ok {
		in.broken = true
		return nil
	}
	name := block.Str("name")
	at, ok := in.description(block, name.Pos)
	text, fits := in.append([]byte(`[`), v)
	if name.Value == "" || !ok || !fits {
		in.broken = true
		return nil
	}
	read, errs := catalog.Read(in.file, append(text, ']'))
	for _, e := range errs {
		v.Errorf("%s", e.Msg)
		in.broken = true
	}
	if in.broken {
		return nil
	}
	t := read.Tools[0]
	// Not a copy: a tool that was read knows its lines in the JSON text, which nobody sees.
	return &catalog.Tool{
		Server: t.Server, Name: t.Name, Description: t.Description,
		InputSchema: t.InputSchema, OutputSchema: t.OutputSchema, Annotations: t.Annotations,
		Raw: t.Raw, Pos: name.Pos, DescriptionPos: at,
	}
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

// append appends a value as JSON, with the keys of maps in their order, and reports whether it could.
func (in *inline) append(to []byte, v yamlread.Value) ([]byte, bool) {
	before := len(to)
	ok := true
	switch v.Kind() {
	case yamlread.MapKind:
		return in.appendMap(to, v)
	case yamlread.ListKind:
		return in.appendList(to, v)
	case yamlread.TextKind:
		to = appendText(to, v.Text())
	case yamlread.NumberKind:
		to, ok = appendNumber(to, v)
	case yamlread.BoolKind:
		var value any
		value, ok = v.JSON()
		to = strconv.AppendBool(to, value == true)
	default:
		to = append(to, "null"...)
	}
	return to, in.spend(len(to)-before, v) && ok
}

func (in *inline) appendMap(to []byte, v yamlread.Value) ([]byte, bool) {
	block, _ := v.Map()
	to = append(to, '{')
	for i, e := range block.Entries() {
		if i > 0 {
			to = append(to, ',')
		}
		before := len(to)
		to = append(appendText(to, e.Key.Value), ':')
		ok := in.spend(len(to)-before, v)
		if ok {
			to, ok = in.append(to, e.Value)
		}
		if !ok {
			return to, false
		}
	}
	return append(to, '}'), true
}

func (in *inline) appendList(to []byte, v yamlread.Value) ([]byte, bool) {
	to = append(to, '[')
	for i, item := range v.List() {
		if i > 0 {
			to = append(to, ',')
		}
		var ok bool
		if to, ok = in.append(to, item); !ok {
			return to, false
		}
	}
	return append(to, ']'), true
}

func (in *inline) spend(n int, v yamlread.Value) bool {
	if *in.made > source.MaxCatalog {
		return false
	}
	if *in.made += n; *in.made > source.MaxCatalog {
		v.Errorf("catalogs of more than %d bytes end here, expected at most that in one file, aliases followed", source.MaxCatalog)
	}
	return *in.made <= source.MaxCatalog
}

func appendText(to []byte, text string) []byte {
	quoted, err := jsontext.AppendQuote(to, text)
	if err != nil {
		return append(to, `""`...) // YAML holds no text that is not UTF-8
	}
	return quoted
}

// appendNumber appends a number as it is spelled, where JSON spells it so too.
func appendNumber(to []byte, v yamlread.Value) ([]byte, bool) {
	if json.Valid([]byte(v.Text())) {
		return append(to, v.Text()...), true
	}
	value, ok := v.JSON()
	if !ok {
		return to, false
	}
	return append(to, value.(json.Number)...), true
}
