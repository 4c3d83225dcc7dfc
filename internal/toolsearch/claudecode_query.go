package toolsearch

import (
	"slices"
	"strings"
)

func cutQuery(query string) string {
	return strings.TrimFunc(firstUnits(query, maxQueryUnits), isBlank)
}

func firstWords(query string) string {
	words := 0
	inWord := false
	for i, r := range query {
		if blank := isBlank(r); blank == inWord {
			inWord = !blank
			if blank {
				words++
			}
			if words == maxQueryWords {
				return query[:i]
			}
		}
	}
	return query
}

// firstUnits returns the longest beginning of a text with at most n UTF-16 units.
func firstUnits(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for i, r := range text {
		if n--; r > 0xffff {
			n--
		}
		if n < 0 {
			return text[:i]
		}
	}
	return text
}

// maxDescriptionUnits is the number of UTF-16 units of a description that Claude Code keeps.
const maxDescriptionUnits = 4096

func cutUnits(description string) string {
	cut := firstUnits(description, maxDescriptionUnits)
	if len(cut) == len(description) {
		return description
	}
	return cut + "… [truncated]"
}

// lowerCase equals JavaScript's toLowerCase, except for a sigma at the end of a word.
func lowerCase(s string) string {
	return strings.ToLower(strings.ReplaceAll(s, "İ", "i̇"))
}

func selectedNames(query string) (names []string, ok bool) {
	const word = "select:"
	if len(query) < len(word) || !strings.EqualFold(query[:len(word)], word) {
		return nil, false
	}
	for i, name := range strings.Split(query[len(word):], ",") {
		if i == maxSelected {
			break
		}
		if name = strings.TrimFunc(name, isBlank); name != "" {
			names = append(names, name)
		}
	}
	return names, true
}

// selectedTools returns the tools that a query selects by name, also eager ones, in the order of the query, each once.
func (c *claudeCode) selectedTools(names []string) (list []hit) {
	add := func(tool int32) {
		if !slices.Contains(list, hit{tool: tool}) {
			list = append(list, hit{tool: tool})
		}
	}
	n := int32(len(c.index.tools) + len(c.index.eager))
	for _, name := range names {
		isWire := false
		for tool := range n {
			if c.index.entryAt(tool).wireName == name {
				isWire = true
				add(tool)
				break
			}
		}
		for tool := int32(0); tool < n && !isWire; tool++ {
			if own := c.index.entryAt(tool).tool.Name; own == name || wireWord(own) == name {
				add(tool)
			}
		}
	}
	return list
}

// namedTools returns the tool whose name is the query, otherwise the tools whose names begin with it.
func (c *claudeCode) namedTools(query string) (list []hit, ok bool) {
	lower := lowerCase(query)
	for _, wires := range []struct {
		of   map[string]int32
		name string
	}{{c.wires, query}, {c.lowerWires, lower}} {
		switch tool, ok := wires.of[wires.name]; {
		case ok && int(tool) < len(c.index.tools):
			return []hit{{tool: tool}}, true
		case ok:
			return nil, true // the tool is already in front of the model
		}
	}
	if !strings.HasPrefix(lower, "mcp__") || lower == "mcp__" {
		return nil, false
	}
	for i, e := range c.index.tools {
		if strings.HasPrefix(strings.ToLower(e.wireName), lower) {
			list = append(list, hit{tool: int32(i)})
		}
	}
	return list, len(list) > 0
}

// termsOf returns the terms of a query, and the terms that must occur.
func termsOf(query string) (terms, required []string) {
	for _, word := range strings.FieldsFunc(lowerCase(query), isBlank) {
		if len(word) > 1 && word[0] == '+' {
			required = append(required, word[1:])
			word = word[1:]
		}
		terms = append(terms, word)
	}
	return terms, required
}
