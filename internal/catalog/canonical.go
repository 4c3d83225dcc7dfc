package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/jsonread"
)

// SHA256 returns the hash, in lower-case hex, of the RFC 8785 canonical form of {"SERVER": [tools]}: the tools sorted
// by name, each with name, description, inputSchema, outputSchema and annotations if it has them. Other fields of a
// tool, the order of tools and keys, the spelling of numbers and text, and hidden tools do not change the hash.
func (c *Catalog) SHA256() string {
	byServer := map[string][]*Tool{}
	for _, t := range c.Tools {
		byServer[t.Server] = append(byServer[t.Server], t)
	}
	text := []byte{'{'}
	for _, server := range slices.Sorted(maps.Keys(byServer)) {
		text = append(appendQuoted(appendComma(text), server), ':')
		text = appendList(text, sorted(byServer[server]), (*Tool).appendHashed)
	}
	sum := sha256.Sum256(canonical(append(text, '}')))
	return hex.EncodeToString(sum[:])
}

// sorted returns tools by name; tools with the same name keep their order.
func sorted(tools []*Tool) []*Tool {
	return slices.SortedStableFunc(slices.Values(tools), func(a, b *Tool) int {
		return strings.Compare(a.Name, b.Name)
	})
}

// canonical returns the RFC 8785 form of value. Parts that the form does not allow, such as a key that occurs twice,
// are not changed.
func canonical(value jsontext.Value) jsontext.Value {
	// On an error the value is unchanged: it is not JSON, which is possible only in a tool made by hand.
	_ = value.Canonicalize(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return value
}

// appendHashed appends the tool as a JSON object with the fields that go into the catalog's hash.
func (t *Tool) appendHashed(text []byte) []byte {
	text = appendQuoted(append(text, `{"name":`...), t.Name)
	switch {
	case t.Description != "":
		text = appendQuoted(append(text, `,"description":`...), t.Description)
	case t.emptyDescription != nil:
		text = append(append(text, `,"description":`...), t.emptyDescription...)
	}
	for _, field := range []struct {
		key   string
		value jsontext.Value
	}{{"inputSchema", t.InputSchema}, {"outputSchema", t.OutputSchema}, {"annotations", t.Annotations}} {
		if len(field.value) > 0 {
			text = append(appendQuoted(append(text, ','), field.key), ':')
			text = append(text, field.value...)
		}
	}
	return append(text, '}')
}

// SHA256 returns the hash, in lower-case hex, of everything that clients show or use. For a tool without
// [UnhashedFields], it equals the hash of a catalog with only this tool.
func (t *Tool) SHA256() string {
	text := append(append(appendQuoted([]byte{'{'}, t.Server), `:[`...), t.asSent()...)
	sum := sha256.Sum256(canonical(append(text, "]}"...)))
	return hex.EncodeToString(sum[:])
}

// asSent returns the tool as a server sends it, with everything that clients show or use.
func (t *Tool) asSent() jsontext.Value {
	text := t.appendHashed(nil)
	text = text[:len(text)-1] // without the closing brace
	for _, key := range UnhashedFields {
		if value := t.Field(key); len(value) > 0 {
			text = append(append(appendQuoted(append(text, ','), key), ':'), value...)
		}
	}
	return append(text, '}')
}

// UnhashedFields are the fields of a tool that clients show or use, but that the hash of a catalog leaves out because
// models do not read them.
var UnhashedFields = []string{"title", "icons", "execution", "_meta"}

// Field returns a member of the tool as written; nil if it is missing.
func (t *Tool) Field(key string) (value jsontext.Value) {
	r := jsonread.NewBytes(t.Raw)
	r.Object("tool", func(name string) {
		if name == key {
			value = r.Raw()
		}
	})
	return value
}

// appendQuoted appends s as a JSON string; bytes that are not UTF-8 become replacement characters.
func appendQuoted(text []byte, s string) []byte {
	text, _ = jsontext.AppendQuote(text, s)
	return text
}

// appendComma appends a comma, unless text ends in an opening bracket or brace.
func appendComma(text []byte) []byte {
	if last := text[len(text)-1]; last == '[' || last == '{' {
		return text
	}
	return append(text, ',')
}

func appendList(text []byte, tools []*Tool, add func(*Tool, []byte) []byte) []byte {
	text = append(text, '[')
	for _, t := range tools {
		text = add(t, appendComma(text))
	}
	return append(text, ']')
}
