package live

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/toolsearch"
	"github.com/org/mcp-gates/internal/trace"
)

// searching finds deferred tools for the model of one run. The imitated client decides which tools are deferred; a tool can ask in
// its definition not to be deferred.
type searching struct {
	settings *suite.Deferred
	index    *toolsearch.Index
	tool     *catalog.Tool // the tool by which the model searches
	deferred map[catalog.Ref]model.Tool
	loaded   map[catalog.Ref]bool
	found    []model.Tool // tools found since the last turn
}

// newSearching defers tools, and returns the tools that the model is offered from the start: the search tool, which gets a name in
// byName, and the tools that the client does not defer.
func newSearching(settings *suite.Deferred, seen *catalog.Catalog, tools []model.Tool, byName map[string]*catalog.Tool) (*searching, []model.Tool) {
	s := &searching{
		settings: settings, index: settings.Client.Index(serversOf(seen)), tool: settings.Client.SearchTool(),
		deferred: map[catalog.Ref]model.Tool{}, loaded: map[catalog.Ref]bool{},
	}
	s.tool.Server = trace.BuiltinServer
	name := uniqueName(s.tool.Name, byName, map[string]int{})
	offered := []model.Tool{{
		Name: name, Server: s.tool.Server, Real: s.tool.Name, Description: s.tool.Description, Schema: s.tool.InputSchema, Searches: true,
	}}
	for _, t := range tools {
		tool := byName[t.Name]
		if settings.Client.IsEager(tool) {
			offered = append(offered, t)
			continue
		}
		s.deferred[tool.Ref()] = t
	}
	byName[name] = s.tool
	return s, offered
}

// deferTools returns the search of the run, and the tools that the run has from the start. If the test defers no tools,
// the search is nil and the run has all tools.
func (o *oneRun) deferTools(seen *catalog.Catalog, tools []model.Tool, byName map[string]*catalog.Tool) (*searching, []model.Tool) {
	settings := o.plan.tested.Deferred
	if settings == nil {
		return nil, tools
	}
	s, offered := newSearching(settings, seen, tools, byName)
	o.deferred = trace.UnionOf(slices.AppendSeq([]catalog.Ref{}, maps.Keys(s.deferred)), nil)
	return s, offered
}

// serversOf returns the tools that can be offered, by server, in the order of the catalog.
func serversOf(cat *catalog.Catalog) (list []toolsearch.Server) {
	indexOf := map[string]int{}
	distinct, _ := distinctTools(cat)
	for _, t := range distinct {
		i, known := indexOf[t.Server]
		if !known {
			instructions, _ := cat.InstructionsOf(t.Server)
			i, indexOf[t.Server] = len(list), len(list)
			list = append(list, toolsearch.Server{Name: t.Server, Instructions: instructions.Text})
		}
		list[i].Tools = append(list[i].Tools, t)
	}
	return list
}

func (s *searching) isSearchTool(t *catalog.Tool) bool { return s != nil && t == s.tool }

// isOffered reports whether the model may call the tool: it is not deferred, or was found.
func (s *searching) isOffered(t *catalog.Tool) bool {
	if s == nil || s.loaded[t.Ref()] {
		return true
	}
	_, deferred := s.deferred[t.Ref()]
	return !deferred
}

// runSearch searches for tools, and notes the found tools. The model is offered them from the next turn on.
func (s *searching) runSearch(args jsontext.Value) toolResult {
	var input struct {
		Query *string `json:"query"`
	}
	err := json.Unmarshal(args, &input)
	if err != nil || input.Query == nil || strings.TrimSpace(*input.Query) == "" {
		return failedResult(`the argument "query" must be a text that says what to search for`)
	}
	query := *input.Query
	if len(query) > trace.MaxQuery {
		return failedResult(`the argument "query" is %d bytes long, at most %d are searched for`, len(query), trace.MaxQuery)
	}
	search := &trace.Search{Query: query, ByName: s.settings.Client.IsByName(query), Tools: []catalog.Ref{}}
	var names []string
	for _, r := range s.index.Search(query, s.settings.Limit) {
		ref := r.Tool.Ref()
		search.Tools = append(search.Tools, ref)
		t, isDeferred := s.deferred[ref]
		if !isDeferred {
			continue
		}
		names = append(names, t.Name)
		isFound := slices.ContainsFunc(s.found, func(other model.Tool) bool { return other.Name == t.Name })
		if !s.loaded[ref] && !isFound {
			s.found = append(s.found, t)
		}
	}
	text := "No tool was found. Search for something else."
	if len(names) > 0 {
		text = fmt.Sprintf("These tools were found and can be called now: %s", strings.Join(names, ", "))
	}
	return toolResult{CallResult: mcpclient.CallResult{Text: text}, search: search}
}

func (c *conversation) offerFound() {
	if c.search == nil {
		return
	}
	for _, t := range c.search.found {
		c.pendingTokens += c.plan.countTool(t)
		c.search.loaded[catalog.Ref{Server: t.Server, Name: t.Real}] = true
	}
	c.request.Tools = slices.Concat(c.request.Tools, c.search.found)
	c.search.found = nil
}
