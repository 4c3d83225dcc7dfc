package logs

import (
	"bytes"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/trace"
)

// A tool is deferred if the model does not see it until a search for tools returns it.

// Found is a tool that a search returned, under the name that the log uses.
type Found struct {
	Server string `json:"s,omitzero"` // the server, if the log has it in a separate field
	Name   string `json:"n"`
}

// Defer adds a deferred tool of which the log has only the name, from a list of all deferred tools.
func (s *Session) Defer(name string) {
	s.listsDeferred = true
	s.tools = append(s.tools, Offered{Name: name, Deferred: true})
	s.countMemory(len(name) + foundSize)
}

// foundSize is the memory that a tool's name takes in addition to its text, in bytes, estimated.
const foundSize = 100

// NoteFullToolList notes that the log lists all tools of the session, including the deferred tools.
func (s *Session) NoteFullToolList() { s.listsDeferred = true }

// DeferSome notes that the log lacks names of deferred tools. The list of the tools that the model saw is then unknown, too.
func (s *Session) DeferSome() { s.defersSome = true }

// OfferSearch notes that the model had a search for tools: some tools are deferred even if no record lists them.
func (s *Session) OfferSearch() { s.offersSearch = true }

// Defers reports whether a request defers the tools of a server, or one of them. The key is defer_loading. OpenAI's type mcp has
// the key for the server, and Anthropic's mcp_toolset for all tools or for single tools.
func Defers(server jsontext.Value) bool {
	type config struct {
		Defer AnyText `json:"defer_loading"`
	}
	var entry struct {
		config
		Default config            `json:"default_config"`
		Configs map[string]config `json:"configs"`
	}
	if json.Unmarshal(server, &entry, Lenient) != nil {
		return false
	}
	isOn := func(c config) bool { return c.Defer == "true" }
	return isOn(entry.config) || isOn(entry.Default) || slices.ContainsFunc(slices.Collect(maps.Values(entry.Configs)), isOn)
}

// FoundIn returns the tools in the result of a search in the form of Anthropic's API: blocks of the type tool_reference, alone or
// in a block of another type. For any other result, FoundIn returns nil. See
// https://docs.claude.com/en/docs/agents-and-tools/tool-use/tool-search-tool.
func FoundIn(content jsontext.Value) []Found {
	if !bytes.Contains(content, []byte(`tool_reference`)) {
		return nil
	}
	return foundBelow(content, 0)
}

func foundBelow(content jsontext.Value, depth int) []Found {
	const deepest = 3
	if depth > deepest {
		return nil
	}
	var found []Found
	switch content.Kind() {
	case '[':
		for _, one := range ElementsOf(content) {
			found = append(found, foundBelow(one, depth+1)...)
		}
	case '{':
		found = foundInBlock(content, depth)
	}
	return found
}

func foundInBlock(raw jsontext.Value, depth int) []Found {
	var block struct {
		Type       AnyText        `json:"type"`
		Name       AnyText        `json:"tool_name"`
		References jsontext.Value `json:"tool_references"`
		Content    jsontext.Value `json:"content"`
	}
	if json.Unmarshal(raw, &block, Lenient) != nil {
		return nil
	}
	if block.Type == referenceType {
		return []Found{{Name: string(block.Name)}}
	}
	if block.References.Kind() == '[' {
		found := []Found{} // not nil, because this is the result of a search even if the list is empty
		return append(found, foundBelow(block.References, depth+1)...)
	}
	return foundBelow(block.Content, depth+1)
}

// referenceType is the type of the block for a tool that a search returned.
const referenceType = "tool_reference"

// FoundTools returns the tools that a search returned in the form of OpenAI's Responses API: definitions, some of them in a
// namespace. The list is never nil. See https://platform.openai.com/docs/guides/tools-tool-search.
func FoundTools(tools jsontext.Value) []Found {
	found := []Found{}
	for _, one := range ElementsOf(tools) {
		var tool struct {
			Type  AnyText        `json:"type"`
			Name  AnyText        `json:"name"`
			Tools jsontext.Value `json:"tools"`
		}
		if one.Kind() != '{' || json.Unmarshal(one, &tool, Lenient) != nil {
			continue
		}
		if tool.Type != "namespace" {
			found = append(found, Found{Name: string(tool.Name)})
			continue
		}
		for _, inner := range FoundTools(tool.Tools) {
			found = append(found, Found{Server: string(tool.Name), Name: inner.Name})
		}
	}
	return found
}

// Read sets the text of a result, and the tools that a search returned, from the result's content.
func (r *Result) Read(content jsontext.Value) {
	r.Found, r.Text = FoundIn(content), Text(content)
	if r.Found != nil && content.Kind() == '{' {
		r.Text = foundText(r.Found)
	}
}

// deferredTools returns the tools that were deferred in the session, sorted. The result is nil if the log shows no deferred tools,
// and empty if the log does not name them or names too many.
func (a *assembly) deferredTools() []catalog.Ref {
	s := a.session
	list := []catalog.Ref{}
	add := func(ref catalog.Ref) {
		if ref.Server != trace.BuiltinServer && ref.Name != "" {
			list = append(list, ref)
		}
	}
	for _, t := range s.tools {
		if !t.Deferred {
			continue
		}
		if t.Name != "" {
			add(s.sink.in.names.ref(s.sink.format, t.Server, t.Name))
		} else if ref, _, err := a.offeredTool(t); err == nil {
			add(ref)
		}
	}
	searched := s.offersSearch
	for _, c := range a.calls {
		if c.search == nil {
			continue
		}
		searched = true
		for _, ref := range c.found(s) {
			add(ref)
		}
	}
	lacksList := searched && !s.listsDeferred
	if len(list) == 0 && !s.defersSome && !lacksList {
		return nil
	}
	all := trace.UnionOf(list, nil)
	exceedsBound := len(all) == 0 && len(list) > 0 // see UnionOf
	if exceedsBound {
		s.DeferSome()
	}
	return all
}
