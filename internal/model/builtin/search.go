package builtin

import (
	"encoding/json"
	"slices"

	"github.com/org/mcp-gates/internal/model"
)

// searchTool returns the index of the offered tool that searches for other tools; below 0 if there is none.
func searchTool(tools []model.Tool) int {
	return slices.IndexFunc(tools, func(t model.Tool) bool { return t.Searches })
}

// searchName returns the name of the offered tool that searches for other tools; "" if there is none.
func searchName(tools []model.Tool) string {
	if at := searchTool(tools); at >= 0 {
		return tools[at].Name
	}
	return ""
}

func searchArgs(query string) string {
	text, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		return "{}" // encoding a text cannot fail
	}
	return string(text)
}
