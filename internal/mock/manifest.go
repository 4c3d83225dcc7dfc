package mock

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// defaultVersion is the version of a server whose file has no version.
const defaultVersion = "1.0.0"

// maxName bounds names of servers, tools and prompts, in bytes.
const maxName = 1000

// ReadManifest reads a server's manifest in src, the text of file: YAML with mock_server:. It returns all mistakes,
// sorted. If there are any, it returns no server.
func ReadManifest(file string, src []byte) (*Definition, source.Errors) {
	var errs source.Errors
	r := reader{errs: &errs, named: map[string]source.Pos{}}
	if root := yamlread.Parse(file, src, &errs); root != nil {
		r.readServer(root)
	}
	if len(errs) > 0 {
		return nil, errs.Sorted()
	}
	return &r.definition, nil
}

type reader struct {
	errs       *source.Errors
	definition Definition
	named      map[string]source.Pos // entries whose name must be unique, by kind and name
}

func (r *reader) readServer(root *yamlread.Map) {
	defer root.Done()
	if !root.Has("mock_server") {
		r.errs.Addf(root.Pos(), `"mock_server" is missing`)
		return
	}
	m := root.Map("mock_server")
	if m == nil {
		return
	}
	r.definition = Definition{
		name:         r.optionalName(m, "name", defaultName),
		version:      r.optionalName(m, "version", defaultVersion),
		instructions: optionalText(m, "instructions"),
		pageSize:     m.Int("page_size", 0, 1),
	}
	for _, child := range m.Maps("tools") {
		r.readTool(child)
	}
	for _, child := range m.Maps("resources") {
		r.readResource(child)
	}
	for _, child := range m.Maps("prompts") {
		r.readPrompt(child)
	}
	m.Done()
}

func (r *reader) optionalName(m *yamlread.Map, key, defaultValue string) string {
	if !m.Has(key) {
		return defaultValue
	}
	name := m.Str(key)
	r.checkName(name, key)
	return name.Value
}

func (r *reader) uniqueName(m *yamlread.Map, kind, key string) string {
	name := m.Str(key)
	if name.Value == "" {
		return ""
	}
	r.checkName(name, key)
	id := kind + " " + name.Value
	if first, taken := r.named[id]; taken {
		r.errs.Addf(name.Pos, "%s %q is given twice, first at %d:%d", kind, clip(name.Value), first.Line, first.Col)
		return name.Value
	}
	r.named[id] = name.Pos
	return name.Value
}

func (r *reader) checkName(name yamlread.Str, key string) {
	switch {
	case len(name.Value) > maxName:
		r.errs.Addf(name.Pos, "%q is %d bytes long, at most %d are read", key, len(name.Value), maxName)
	case strings.ContainsFunc(name.Value, unicode.IsControl):
		r.errs.Addf(name.Pos, "%q must be one line of text, found %q", key, clip(name.Value))
	}
}

// optionalText reads the text of an optional key with one of these spellings.
func optionalText(m *yamlread.Map, keys ...string) string {
	key, ok := m.OneOf(keys...)
	if !ok {
		return ""
	}
	text, _ := m.OptStr(key)
	return text.Value
}

// mimeType holds the spellings of the key for a content type, in manifests and in the protocol.
var mimeType = []string{"mime_type", "mimeType"}

func (r *reader) readResource(m *yamlread.Map) {
	uri := r.uniqueName(m, "resource", "uri")
	if parsed, err := url.Parse(uri); uri != "" && (err != nil || parsed.Scheme == "") {
		m.Errorf(m.KeyPos("uri"), `"uri" must be an absolute address such as file:///notes.txt, found %q`, clip(uri))
	}
	listed := mcp.Resource{
		URI: uri, Name: m.Str("name").Value, Title: optionalText(m, "title"), Description: optionalText(m, "description"),
		MIMEType: optionalText(m, mimeType...),
	}
	text, blob := textOrBlob(m)
	m.Done()
	content := mcp.ResourceContents{URI: uri, MIMEType: listed.MIMEType, Text: text, Blob: blob}
	r.definition.resources = append(r.definition.resources, &resource{listed, content})
}

func (r *reader) readPrompt(m *yamlread.Map) {
	p := &prompt{listed: mcp.Prompt{Name: r.uniqueName(m, "prompt", "name"), Title: optionalText(m, "title"), Description: optionalText(m, "description")}}
	known := arguments{}
	for _, child := range m.Maps("arguments") {
		a := &mcp.PromptArgument{
			Name: child.Str("name").Value, Title: optionalText(child, "title"), Description: optionalText(child, "description"),
			Required: child.Bool("required", false),
		}
		child.Done()
		known = append(known, a.Name)
		p.listed.Arguments = append(p.listed.Arguments, a)
	}
	p.messages.kind = yamlread.ListKind
	if !m.Has("messages") {
		m.Errorf(m.Pos(), `"messages" is missing`)
	}
	for _, child := range m.Maps("messages") {
		p.messages.items = append(p.messages.items, readMessage(child, known))
	}
	m.Done()
	r.definition.prompts = append(r.definition.prompts, p)
}

func readMessage(m *yamlread.Map, known arguments) tree {
	var out tree
	out.set("role", textTree(oneWord(m, "role", "user", "assistant")))
	if v, ok := m.Value("content"); ok {
		out.set("content", readBlock(v, known))
	} else {
		m.Errorf(m.Pos(), `"content" is missing`)
	}
	m.Done()
	return out
}

// oneWord reads the required text of key, which must be one of the words.
func oneWord(m *yamlread.Map, key string, words ...string) string {
	s := m.Str(key)
	if slices.Contains(words, s.Value) {
		return s.Value
	}
	if s.Value != "" {
		hint := source.DidYouMean(clip(s.Value), words)
		m.Errorf(s.Pos, "%q must be one of %s, found %q%s", key, strings.Join(words, ", "), clip(s.Value), hint)
	}
	return ""
}
