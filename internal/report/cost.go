package report

import (
	"github.com/org/mcp-gates/internal/cost"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/trace"
)

// Cost has the token costs of a catalog's tools for a model, as the command cost shows them. An unknown count is absent.
type Cost struct {
	Tools         int          `json:"tools"`
	Surface       int64        `json:"surface_tokens"`
	Instructions  *int64       `json:"instructions_tokens,omitzero"`
	OutputSchemas int64        `json:"output_schema_tokens"`
	WithOutput    int          `json:"tools_with_output_schema"`
	Clients       []ClientCost `json:"clients"`
}

// ClientCost has the token costs for a client that defers tools.
type ClientCost struct {
	Client     string `json:"client"`
	Version    string `json:"version"`
	Eager      int64  `json:"eager_tokens"`
	Listed     int64  `json:"listed_tokens"`
	SearchTool int64  `json:"search_tool_tokens"`
	Upfront    int64  `json:"upfront_tokens"`
	AtLeast    bool   `json:"at_least,omitzero"` // the tokens of unknown instructions are missing in listed_tokens and upfront_tokens
	Searches   int    `json:"searches"`
	Loaded     *int64 `json:"loaded_tokens,omitzero"` // median of the loaded tokens
}

// CostMove is a catalog of the head whose cost differs from the base's.
type CostMove struct {
	Name string `json:"name"`
	Path string `json:"path"`
	Base Cost   `json:"base"`
}

// NewCost converts a cost to the form of a report.
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

// With returns the cost with a version of a client; nil if it was not counted, or if c is nil.
func (c *Cost) With(client, version string) *ClientCost {
	if c == nil {
		return nil
	}
	return lists.Find(c.Clients, func(one *ClientCost) bool { return one.Client == client && one.Version == version })
}

// CostOf returns the base's cost of a catalog of the head; nil if both costs are equal. The comparison may be nil.
func (c *Comparison) CostOf(one *Catalog) *Cost {
	if c == nil {
		return nil
	}
	if m := lists.Find(c.Costs, func(m *CostMove) bool { return m.Path == one.Path && m.Name == one.Name }); m != nil {
		return &m.Base
	}
	return nil
}
