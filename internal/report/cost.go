package report

import (
	"github.com/org/mcp-gates/internal/cost"
	"github.com/org/mcp-gates/internal/trace"
)

// Cost is what the tools of a catalog cost a model, as the command cost writes it. A count that is not known is absent.
type Cost struct {
	Tools         int          `json:"tools"`
	Surface       int64        `json:"surface_tokens"`
	Instructions  *int64       `json:"instructions_tokens,omitzero"`
	OutputSchemas int64        `json:"output_schema_tokens"`
	WithOutput    int          `json:"tools_with_output_schema"`
	Clients       []ClientCost `json:"clients"`
}

// ClientCost is what a model has with a client that defers tools.
type ClientCost struct {
	Client     string `json:"client"`
	Version    string `json:"version"`
	Eager      int64  `json:"eager_tokens"`
	Listed     int64  `json:"listed_tokens"`
	SearchTool int64  `json:"search_tool_tokens"`
	Upfront    int64  `json:"upfront_tokens"`
	AtLeast    bool   `json:"at_least,omitzero"` // listed_tokens and upfront_tokens lack instructions that are not known
	Searches   int    `json:"searches"`
	Loaded     *int64 `json:"loaded_tokens,omitzero"` // the median
}

// CostMove is a catalog of the head that costs otherwise than in the base.
type CostMove struct {
	Name string `json:"name"`
	Path string `json:"path"`
	Base Cost   `json:"base"`
}

// NewCost returns what was counted.
func NewCost(c *cost.Cost) Cost {
	out := Cost{Tools: c.Tools, Surface: c.Full, Instructions: known(c.Instructions), OutputSchemas: c.OutputSchemas, WithOutput: c.WithOutput}
	for i := range c.Clients {
		one := &c.Clients[i]
		out.Clients = append(out.Clients, ClientCost{Client: one.Name, Version: one.Version, Eager: one.Eager, Listed: one.Listed,
			SearchTool: one.SearchTool, Upfront: one.Upfront(), AtLeast: one.AtLeast, Searches: one.Searches, Loaded: known(one.Loaded)})
	}
	return out
}

func known(n trace.Count) *int64 {
	if !n.Known {
		return nil
	}
	return &n.N
}

// With returns what a model has with a version of a client; nil where that is not counted, and for no cost.
func (c *Cost) With(client, version string) *ClientCost {
	if c == nil {
		return nil
	}
	for i := range c.Clients {
		if one := &c.Clients[i]; one.Client == client && one.Version == version {
			return one
		}
	}
	return nil
}

// CostOf returns what a catalog of the head cost in the base, where that differs; else nil. The comparison may be nil.
func (c *Comparison) CostOf(one *Catalog) *Cost {
	if c == nil {
		return nil
	}
	for i := range c.Costs {
		if m := &c.Costs[i]; m.Path == one.Path && m.Name == one.Name {
			return &m.Base
		}
	}
	return nil
}
