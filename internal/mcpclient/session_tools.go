package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
)

// Bounds on a server's list of tools; the whole list is also bounded by the size of a catalog file.
const (
	maxPages = 1_000
	maxTools = 10_000
)

type page struct {
	Tools      []json.RawMessage `json:"tools"`
	NextCursor string            `json:"nextCursor"`
}

// pageCache holds the pages by their cursor, for requests that the SDK answers from its own cache.
type pageCache struct {
	mu    sync.Mutex
	pages map[string]json.RawMessage
}

// Listing is the list of tools that a server offers.
type Listing struct {
	Catalog *catalog.Catalog // tools in the server's order, including all of the same name
	Pages   int
}

// Tools returns the tools that the server lists, see [Session.listTools].
func (s *Session) Tools(ctx context.Context) (*catalog.Catalog, error) {
	list, err := s.listTools(ctx)
	return list.Catalog, err
}

// listTools reads all pages of tools/list. It keeps each tool as the server wrote it, with every field, and with its keys in
// order. An error is an [*Error].
func (s *Session) listTools(ctx context.Context) (Listing, error) {
	var all []json.RawMessage
	var list Listing
	size, cursor := 0, ""
	asked := map[string]bool{}
	for {
		asked[cursor] = true
		p, err := s.requestPage(ctx, cursor)
		if err != nil {
			return Listing{}, err
		}
		list.Pages++
		all = append(all, p.Tools...)
		for _, raw := range p.Tools {
			size += len(raw)
		}
		if err := checkBounds(list.Pages, len(all), size); err != nil {
			return Listing{}, s.failure("tools/list", err)
		}
		cursor = p.NextCursor
		if cursor == "" {
			break
		}
		if asked[cursor] {
			err := &protocolError{fmt.Sprintf("page %d leads back to an earlier one, by the cursor %q", list.Pages, s.cutter().oneLine(cursor))}
			return Listing{}, s.failure("tools/list", err)
		}
	}
	cat, err := s.readTools(all)
	if err != nil {
		return Listing{}, s.failure("tools/list", err)
	}
	list.Catalog = cat
	if init := s.client.InitializeResult(); init != nil && cat != nil {
		cat.Instructions = []catalog.Instructions{{Server: s.config.Name, Text: init.Instructions}}
	}
	return list, nil
}

func checkBounds(pages, tools, size int) error {
	switch {
	case tools > maxTools:
		return &protocolError{fmt.Sprintf("there are more than %d tools", maxTools)}
	case size > source.MaxCatalog:
		return &protocolError{fmt.Sprintf("the tools have more than %d bytes", source.MaxCatalog)}
	case pages >= maxPages:
		return &protocolError{fmt.Sprintf("there are %d pages and more", maxPages)}
	}
	return nil
}

// requestPage reads the page of a cursor, "" for the first one.
func (s *Session) requestPage(ctx context.Context, cursor string) (page, error) {
	a := &answer{}
	err := s.request(ctx, "tools/list", a, func(ctx context.Context) error {
		_, err := s.client.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		return err
	})
	var refusal *jsonrpc.Error
	switch {
	case errors.As(err, &refusal) && refusal.Code == jsonrpc.CodeMethodNotFound && !s.offersTools():
		return page{}, nil
	case errors.As(err, &refusal):
		return page{}, s.failure("tools/list", fmt.Errorf("the server answered error %d: %q", refusal.Code, s.cutter().oneLine(refusal.Message)))
	case err != nil:
		return page{}, err
	}
	var p page
	if err := json.Unmarshal(s.pages.keepPage(cursor, a.result), &p); err != nil {
		return page{}, s.failure("tools/list", &protocolError{"the result is not a list of tools: " + s.cutter().oneLine(err.Error())})
	}
	return p, nil
}

func (s *Session) offersTools() bool {
	init := s.client.InitializeResult()
	return init != nil && init.Capabilities != nil && init.Capabilities.Tools != nil
}

// keepPage stores a new page and returns it. If raw is nil, it returns the stored page.
func (c *pageCache) keepPage(cursor string, raw json.RawMessage) json.RawMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	if raw == nil {
		return c.pages[cursor]
	}
	if c.pages == nil {
		c.pages = map[string]json.RawMessage{}
	}
	c.pages[cursor] = raw
	return raw
}

func (s *Session) readTools(all []json.RawMessage) (*catalog.Catalog, error) {
	name, err := json.Marshal(s.config.Name)
	if err != nil {
		return nil, err
	}
	text := append(append([]byte{'{'}, name...), `:{"tools":[`...)
	for i, raw := range all {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, raw...)
	}
	cat, err := catalog.FromServers(append(text, `]}}`...))
	if err != nil {
		return nil, fmt.Errorf("the list of %s tools: %w", strconv.Itoa(len(all)), err)
	}
	return cat, nil
}
