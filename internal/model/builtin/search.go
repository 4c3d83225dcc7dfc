package builtin

import (
	"encoding/json"
	"slices"

	"github.com/org/mcp-gates/internal/model"
)

// searchTool returns which of the offered tools searches for others; below 0 where none does.
func searchTool(tools []model.Tool) int {
	return slices.IndexFunc(tools, func(t model.Tool) bool { return t.Searches })
}

// searchName returns the name of the offered tool that searches; "" where none does.
func searchName(tools []model.Tool) string {
	if at := searchTool(tools); at >= 0 {
		return tools[at].Name
	}
	return ""
}

func searchArgs(query string) string {
	text, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		return "{}" // no text is refused
	}
	return string(text)
}
