package catalog

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/redact"
)

// Redacted returns the catalog without secrets.
func (c *Catalog) Redacted(r *redact.Redactor) *Catalog {
	out := New(c.File, lists.Map(c.All(), func(t *Tool) *Tool { return t.redacted(r) }))
	out.Instructions = slices.Clone(c.Instructions)
	for i := range out.Instructions {
		out.Instructions[i].Text = r.Text(out.Instructions[i].Text)
	}
	return out
}

// redacted returns the tool without secrets; it returns t itself if there are none.
func (t *Tool) redacted(r *redact.Redactor) *Tool {
	text := t.JSON()
	clean := r.JSON(text)
	if bytes.Equal(clean, text) {
		return t
	}
	name, _ := jsontext.AppendQuote(nil, t.Server)
	read, err := FromServers(jsontext.Value(fmt.Sprintf(`{%s: {"tools": [%s]}}`, name, clean)))
	if err != nil || read == nil || len(read.All()) != 1 {
		// If the whole name was a secret, clean is not a valid tool.
		return &Tool{Server: t.Server, Name: r.Text(t.Name), appsOnly: t.appsOnly, Raw: jsontext.Value(`{"name":"[REDACTED]"}`)}
	}
	return read.All()[0]
}
