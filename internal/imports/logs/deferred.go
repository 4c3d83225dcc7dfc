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

// ListsTools notes that the log lists all tools of the session, with those that were deferred.
func (s *Session) ListsTools() { s.listsDeferred = true }

// DeferSome notes that tools are deferred, but that the log lacks some of their names and the tools that the model saw.
func (s *Session) DeferSome() { s.defersSome = true }

// OfferSearch notes that the model had a search for tools: some tools are deferred even if no record lists them.
func (s *Session) OfferSearch() { s.offersSearch = true }

// Defers reports whether a request defers the tools of a server, or one of them: OpenAI's type mcp has defer_loading,
// Anthropic's mcp_toolset has it for all tools or for single ones.
func Defers(server jsontext.Value) bool {
	type config struct {
		Defer AnyText `json:"defer_loading"`
	}
	var of struct {
		config
		Default config            `json:"default_config"`
		Configs map[string]config `json:"configs"`
	}
	if json.Unmarshal(server, &of, Lenient) != nil {
		return false
	}
	isOn := func(c config) bool { return c.Defer == "true" }
	return isOn(of.config) || isOn(of.Default) || slices.ContainsFunc(slices.Collect(maps.Values(of.Configs)), isOn)
}

// FoundIn returns the tools in the result of a search, as Anthropic's API has them: blocks of the type tool_reference, alone or
// in a block of another type. For any other result, FoundIn returns nil. See
// https://docs.claude.com/en/docs/agents-and-tools/tool-use/tool-search-tool.
func FoundIn(content jsontext.Value) []Found {
	if !bytes.Contains(content, []byte(`tool_reference`)) {
		return nil
	}
	return foundIn(content, 0)
}

func foundIn(content jsontext.Value, depth int) []Found {
	const deepest = 3
	var found []Found
	switch {
	case depth > deepest:
	case content.Kind() == '[':
		for _, one := range ElementsOf(content) {
			found = append(found, foundIn(one, depth+1)...)
		}
	case content.Kind() == '{':
		var block struct {
			Type       AnyText        `json:"type"`
			Name       AnyText        `json:"tool_name"`
			References jsontext.Value `json:"tool_references"`
			Content    jsontext.Value `json:"content"`
		}
		if json.Unmarshal(content, &block, Lenient) != nil {
			return nil
		}
		if block.Type == referenceType {
			return []Found{{Name: string(block.Name)}}
		}
		if block.References.Kind() == '[' {
			return append([]Found{}, foundIn(block.References, depth+1)...)
		}
		return foundIn(block.Content, depth+1)
	}
	return found
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

// Read reads the content of a result: its text and the tools that a search returned.
func (r *Result) Read(content jsontext.Value) {
	r.Found, r.Text = FoundIn(content), Text(content)
	if r.Found != nil && content.Kind() == '{' {
		r.Text = textOf(r.Found)
	}
}

// deferredTools returns the tools that were deferred in the session, sorted; nil if the log shows none.
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
	if len(list) == 0 && !s.defersSome && (!searched || s.listsDeferred) {
		return nil
	}
	all := trace.UnionOf(list, nil)
	if len(all) < min(1, len(list)) { // the list exceeds the bound of UnionOf
		s.DeferSome()
	}
	return all
}
