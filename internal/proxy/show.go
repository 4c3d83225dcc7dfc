package proxy

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/proxy/frame"
	"github.com/org/mcp-gates/internal/source"
)

// maxPages bounds the number of pages of a server's list of tools. A longer list is an error.
const maxPages = 1_000

// asker makes a request of this program to the server and returns the answer, which has the id of the request.
type asker func(ctx context.Context, f *frame.Frame) (*frame.Frame, error)

// showTools answers tools/list with the tools that the program is to see, as one page.
func (e *Endpoint) showTools(w http.ResponseWriter, r *http.Request, p *posted, ask asker) {
	f := p.frames[0]
	last, tools, err := e.listAll(r.Context(), f, ask)
	var status *statusError
	if errors.As(err, &status) && status.status == http.StatusNotFound {
		http.Error(w, "the server answered "+http.StatusText(status.status), status.status) // the session has ended
		return
	}
	if err != nil {
		e.watch.noteBroken(fmt.Errorf("list the tools of server %q: %w", e.options.Server.Name, err))
		p.writeAnswers(w, frame.Refusal(f.ID, frame.CodeInternal, "the tools could not be listed"))
		return
	}
	if len(last.Error) > 0 {
		p.writeAnswers(w, last.Raw)
		return
	}
	e.checkInjected(tools)
	e.watch.noteTools(tools)
	list := jsontext.Value{'['}
	for i, tool := range e.options.Show(tools) {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, tool.JSON()...)
	}
	p.writeAnswers(w, frame.Line(frame.Success(f.ID, frame.Replaced(last.Result, append(list, ']'), "tools"))))
}

// checkInjected records an error if the server has a tool with the name of an injected one, because calls of that tool
// do not reach the server.
func (e *Endpoint) checkInjected(real []*catalog.Tool) {
	for _, tool := range real {
		if e.options.Injected[tool.Name] {
			e.watch.noteBroken(fmt.Errorf("server %q has a tool %q of its own, and an injected tool has that name", e.options.Server.Name, tool.Name))
			return
		}
	}
}

// listAll requests all pages of the list. It returns the last answer, which may be an error, and the tools of all pages.
func (e *Endpoint) listAll(ctx context.Context, f *frame.Frame, ask asker) (*frame.Frame, []*catalog.Tool, error) {
	var all []*catalog.Tool
	size := 0
	var cursor jsontext.Value // nil for the first page
	isAsked := map[string]bool{}
	for range maxPages {
		answer, err := ask(ctx, pageRequest(f, cursor))
		if err != nil || len(answer.Error) > 0 {
			return answer, nil, err
		}
		list, _ := frame.Member(answer.Result, "tools")
		size += len(list)
		if size > source.MaxCatalog {
			return nil, nil, fmt.Errorf("the tools have more than %d bytes", source.MaxCatalog)
		}
		if list == nil {
			return nil, nil, errors.New("a page has no tools")
		}
		tools, err := readTools(e.options.Server.Name, list)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, tools...)
		cursor, _ = frame.Member(answer.Result, "nextCursor")
		if frame.Text(cursor) == "" {
			return answer, all, nil
		}
		if isAsked[frame.Text(cursor)] {
			return nil, nil, errors.New("a page leads back to an earlier one")
		}
		isAsked[frame.Text(cursor)] = true
	}
	return nil, nil, fmt.Errorf("there are more than %d pages", maxPages)
}

// pageRequest turns a client's request for the first page into a request for the page at cursor; nil is the first page.
func pageRequest(f *frame.Frame, cursor jsontext.Value) *frame.Frame {
	params := map[string]jsontext.Value{}
	_ = json.Unmarshal(f.Params, &params, frame.Lax()) // parameters that are not an object hold nothing to keep
	delete(params, "cursor")
	if cursor != nil {
		params["cursor"] = cursor
	}
	text, err := json.Marshal(params, frame.Lax(), json.Deterministic(true))
	if err != nil {
		text = []byte("{}")
	}
	out := *f
	out.Params = text
	out.Raw = append(append(jsontext.Value(`{"jsonrpc":"2.0","id":`), f.ID...), `,"method":"tools/list","params":`...)
	out.Raw = append(append(out.Raw, text...), '}')
	return &out
}
