package mock

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options are the settings of a server.
type Options struct {
	// Fault is the server's fault; the zero value means none.
	Fault Fault

	// PageSize is the number of tools, resources or prompts on a page of a list. 0 means the size in the definition, or a
	// single page if the definition has none.
	PageSize int
}

// Server is a mock server. It serves one pair of streams or any number of HTTP clients, and cannot be used again.
type Server struct {
	definition *Definition
	options    Options
	byName     map[string]*tool
	sdk        *mcp.Server
	stopped    chan struct{} // closed when the server ends, to release requests that are never answered
	stop       func()
	patience   time.Duration // lastAnswers, except in tests

	mu    sync.Mutex
	calls map[*mcp.ServerSession]int // tool calls of each session, for recover-after
}

// everything is a page size that no file can exceed.
const everything = 1 << 30

// New returns a server with the given definition.
func New(d *Definition, o Options) *Server {
	if o.PageSize <= 0 {
		o.PageSize = d.pageSize
	}
	if o.PageSize <= 0 {
		o.PageSize = everything
	}
	s := &Server{
		definition: d, options: o, byName: map[string]*tool{}, stopped: make(chan struct{}), calls: map[*mcp.ServerSession]int{},
		patience: lastAnswers,
	}
	s.stop = sync.OnceFunc(func() { close(s.stopped) })
	for _, t := range d.tools {
		if s.byName[t.name] == nil {
			s.byName[t.name] = t
		}
	}
	s.sdk = mcp.NewServer(&mcp.Implementation{Name: d.name, Version: d.version}, &mcp.ServerOptions{
		Instructions: d.instructions,
		PageSize:     o.PageSize,
		Capabilities: d.capabilities(),
	})
	for _, r := range d.resources {
		s.sdk.AddResource(&r.listed, r.read)
	}
	for _, p := range d.prompts {
		s.sdk.AddPrompt(&p.listed, p.get)
	}
	s.sdk.AddReceivingMiddleware(s.middleware)
	return s
}

func (d *Definition) capabilities() *mcp.ServerCapabilities {
	c := &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}
	if len(d.resources) > 0 {
		c.Resources = &mcp.ResourceCapabilities{}
	}
	if len(d.prompts) > 0 {
		c.Prompts = &mcp.PromptCapabilities{}
	}
	return c
}

func (s *Server) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if strings.HasPrefix(method, "notifications/") {
			return next(ctx, method, req)
		}
		if s.options.Fault.kind == slow {
			if err := s.waitUntil(ctx, time.After(time.Duration(s.options.Fault.n)*time.Millisecond)); err != nil {
				return nil, err
			}
		}
		switch req := req.(type) {
		case *mcp.CallToolRequest:
			return s.answerCall(ctx, req)
		case *mcp.ListToolsRequest:
			return s.answerList(ctx, next, req)
		}
		return next(ctx, method, req)
	}
}

// waitUntil waits for a value from until, or returns an error when the request or the server ends.
func (s *Server) waitUntil(ctx context.Context, until <-chan time.Time) error {
	select {
	case <-until:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-s.stopped:
		return errors.New("the server ends")
	}
}

// answerCall answers a call with a scripted answer, or with the fault that the server imitates.
func (s *Server) answerCall(ctx context.Context, req *mcp.CallToolRequest) (mcp.Result, error) {
	switch s.options.Fault.kind {
	case hang:
		return nil, s.waitUntil(ctx, nil)
	case recoverAfter:
		if n := s.countCall(req.Session); n <= s.options.Fault.n {
			return toolError(fmt.Sprintf("fault: call %d of this session fails, as the first %d do", n, s.options.Fault.n)), nil
		}
	}
	t := s.byName[req.Params.Name]
	if t == nil {
		return nil, invalidParams("unknown tool %q", clip(req.Params.Name))
	}
	args, ok := decodeObject(req.Params.Arguments)
	if !ok {
		return nil, invalidParams(`"arguments" must be an object`)
	}
	// A nil result must not be returned directly: it would become a Result that is not nil.
	result, err := t.answerCall(req.Params.Arguments, args)
	if err != nil {
		return nil, err
	}
	return result, nil
}

func invalidParams(format string, args ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// countCall returns the number of the session's tool calls, including this one.
func (s *Server) countCall(session *mcp.ServerSession) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls[session] == 0 {
		go func() {
			_ = session.Wait() // its error changes nothing here
			s.mu.Lock()
			defer s.mu.Unlock()
			delete(s.calls, session)
		}()
	}
	s.calls[session]++
	return s.calls[session]
}

// toolList is a page of tools as in the file. It replaces the SDK's list.
type toolList struct {
	*mcp.ListToolsResult
	NextCursor string            `json:"nextCursor,omitempty"`
	Tools      []json.RawMessage `json:"tools"`
}

// answerList answers tools/list. A cursor is the number of tools on earlier pages.
func (s *Server) answerList(ctx context.Context, next mcp.MethodHandler, req *mcp.ListToolsRequest) (mcp.Result, error) {
	all, start := s.definition.tools, 0
	if req.Params != nil && req.Params.Cursor != "" {
		n, err := strconv.Atoi(req.Params.Cursor)
		if err != nil || n <= 0 || n >= len(all) {
			return nil, invalidParams("unknown cursor %q", clip(req.Params.Cursor))
		}
		start = n
	}
	// The SDK, which has no tools, adds the other fields that the protocol's version requires in a list.
	firstPage := *req
	firstPage.Params = &mcp.ListToolsParams{}
	empty, err := next(ctx, "tools/list", &firstPage)
	if err != nil {
		return nil, err
	}
	base, ok := empty.(*mcp.ListToolsResult)
	if !ok {
		return nil, fmt.Errorf("list the tools: the SDK answered with %T", empty)
	}
	page := toolList{ListToolsResult: base, Tools: []json.RawMessage{}}
	end := min(len(all), start+s.options.PageSize)
	for _, t := range all[start:end] {
		page.Tools = append(page.Tools, json.RawMessage(t.raw))
	}
	if end < len(all) {
		page.NextCursor = strconv.Itoa(end)
	}
	return page, nil
}

func (r *resource) read(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	content := r.content // the SDK changes the content that it gets
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{&content}}, nil
}

func (p *prompt) get(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	args := map[string]any{}
	for name, value := range req.Params.Arguments {
		args[name] = value
	}
	for _, a := range p.listed.Arguments {
		_, isGiven := args[a.Name]
		if a.Required && !isGiven {
			return nil, invalidParams("argument %q of prompt %q is missing", a.Name, p.listed.Name)
		}
	}
	e := &expansion{args: args}
	result := &mcp.GetPromptResult{Description: p.listed.Description}
	text := p.messages.appendTo(nil, e.expand)
	if e.err != nil {
		return nil, invalidParams("%v", e.err)
	}
	return result, json.Unmarshal(text, &result.Messages)
}
