package catalog

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/jsonread"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
)

// Read reads the catalog in data, the text of file: {"tools": [...]}, a bare list of tools, a JSON-RPC response with
// {"result": {"tools": [...]}}, {"servers": {"NAME": {"tools": [...]}}}, or a single tool. Tools may have the spelling
// of models' APIs. A manifest of an MCP bundle is a catalog of tools without known schemas. The catalog keeps data,
// which must not be changed afterwards. If there are mistakes, the catalog is nil.
func Read(file string, data []byte) (*Catalog, source.Errors) {
	p := newParser(data)
	p.lines = newLineIndex(file, data)
	p.readDocument()
	p.r.End()
	if ext := path.Ext(file); !p.r.Clean() && (ext == ".yaml" || ext == ".yml") && !looksLikeJSON(data) {
		var errs source.Errors
		errs.Addf(source.Start(file, data), "is YAML, which holds no tools, expected JSON; %s", snapshotAdvice)
		return nil, errs
	}
	if !p.r.Clean() {
		return nil, p.r.Errors(file, bytes.NewReader(data))
	}
	return p.catalog(file), nil
}

// FromServers reads the catalog of a cassette, {"NAME": {"tools": [...]}}. Its tools have no positions. A server may
// lack its list. For null and an empty value, the result is nil. The catalog keeps raw.
func FromServers(raw jsontext.Value) (*Catalog, error) {
	if len(raw) == 0 || raw.Kind() == 'n' {
		return nil, nil
	}
	p := newParser(raw)
	p.sparse = true
	p.readServers("the catalog")
	if p.r.Clean() {
		return p.catalog(""), nil
	}
	mistakes := p.r.Errors("", bytes.NewReader(raw))
	return nil, errors.Join(lists.Map(mistakes, func(m *source.Error) error { return errors.New(m.Msg) })...)
}

type parser struct {
	r            *jsonread.Reader
	data         []byte     // what r reads
	lines        *lineIndex // nil if data is not a file
	sparse       bool       // a server without "tools" is allowed
	tools        []*Tool
	instructions []Instructions

	manifest *Manifest // nil for none
}

func (p *parser) catalog(file string) *Catalog {
	c := New(file, p.tools)
	c.Instructions, c.Manifest = p.instructions, p.manifest
	return c
}

func newParser(data []byte) *parser {
	return &parser{r: jsonread.NewBytes(data), data: data}
}

func (p *parser) readDocument() {
	if p.r.Kind() == '[' {
		p.readTools("the catalog", "")
		return
	}
	p.readHolder("the catalog", "", `"tools", "result" or "servers"`, []string{"tools", "result", "servers"}, func(key string) {
		switch key {
		case "tools":
			p.readTools(`"tools"`, "")
		case "result":
			p.readServer(`"result"`, "")
		case "servers":
			p.readServers(`"servers"`)
		}
	})
}

// isTool reports whether a document is a single tool: an object with a name and a schema, or a function of a model's
// API. A name and a description are not enough, because package.json and server.json have them.
func isTool(data []byte) bool {
	var hasName, hasSchema, hasFunction, isFunction, isCatalog bool
	r := jsonread.NewBytes(data)
	r.Object("the catalog", func(key string) {
		kind := r.Kind()
		switch key {
		case "name":
			hasName = kind == '"'
		case "type":
			value, _ := r.String(key)
			isFunction = value == "function"
		case "function":
			hasFunction = kind == '{'
		case "tools", "result", "servers":
			isCatalog = true
		case "inputSchema", "input_schema", "parameters":
			hasSchema = hasSchema || kind == '{'
		}
	})
	return !isCatalog && (hasName && hasSchema || isFunction && hasFunction)
}

func (p *parser) readServers(what string) {
	seen := map[string]bool{}
	p.r.Object(what, func(name string) {
		if seen[name] {
			p.r.Mistakef(p.r.Offset(), "%s has server %q twice", what, name)
		}
		seen[name] = true
		p.readServer(fmt.Sprintf("server %q", name), name)
	})
}

func (p *parser) readServer(what, name string) {
	p.readHolder(what, name, `"tools"`, []string{"tools"}, func(string) {
		p.readTools(`"tools" of `+what, name)
	})
}

// readHolder reads an object in which exactly one of keys must hold the tools; read reads the value of that key. expected names
// the keys in messages. Instructions in the object belong to server.
func (p *parser) readHolder(what, server, expected string, keys []string, read func(key string)) {
	start, isFound := p.r.Offset(), false
	first := len(p.tools)
	var unknown []string
	var manifest manifestReader
	whole := p.r.Object(what, func(key string) {
		switch {
		case key == "instructions":
			p.readInstructions(server)
		case !slices.Contains(keys, key):
			unknown = append(unknown, key)
			manifest.readMember(p.r, key)
		case isFound:
			p.r.Mistakef(p.r.Offset(), "%s has a second list of tools at %q, expected one", what, key)
		default:
			isFound = true
			read(key)
		}
	})
	switch {
	case !whole || p.sparse:
	case !isFound && start == 0 && isTool(p.data):
		p.r = jsonread.NewBytes(p.data)
		p.readTool("the tool", "")
	case !isFound && manifest.isFound:
		p.r.Mistakef(start, "%s is a manifest, by its %q, that lists no tools; %s", what, manifest.Key, snapshotAdvice)
	case !isFound:
		hint := cmp.Or(similarKeyHint(unknown, keys), "; "+snapshotAdvice)
		p.r.Mistakef(start, "%s has no tools, %s, expected an object with %s%s", what, foundKeys(unknown), expected, hint)
	case manifest.isFound:
		manifest.markTools(p, p.tools[first:])
	}
}

// similarKeyHint returns a hint for the first unknown key that is similar to one of keys.
func similarKeyHint(unknown, keys []string) string {
	for _, key := range unknown {
		if hint := source.DidYouMean(key, keys); hint != "" {
			return hint
		}
	}
	return ""
}

// readTools reads the tools of a list. They belong to server or, if server is "", each to the server that it names.
func (p *parser) readTools(what, server string) {
	of := ""
	if server != "" {
		of = fmt.Sprintf(" of server %q", server)
	}
	p.r.Array(what, func(i int) {
		p.readTool("tool "+strconv.Itoa(i+1)+of, server)
	})
}
