// Command own-agent is an agent of one's own, on the official SDK: own-agent CONFIG reads its MCP servers from a file in the
// mcpServers form and its prompt from standard input, works on it, and writes down what it did as OpenAI's chat completions do.
//
// It needs no key: choose is where your model decides. Everything else is what any such agent does.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err) // a status other than 0 makes the run an error, with this text
	}
}

func run(ctx context.Context, config string) error {
	prompt, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(config)
	if err != nil {
		return err
	}
	var servers struct {
		All map[string]struct{ URL string } `json:"mcpServers"`
	}
	if err := json.Unmarshal(text, &servers); err != nil {
		return err
	}
	messages := []any{map[string]any{"role": "user", "content": string(prompt)}}
	for name, server := range servers.All {
		client := mcp.NewClient(&mcp.Implementation{Name: "own-agent", Version: "1"}, nil)
		session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: server.URL}, nil)
		if err != nil {
			return err
		}
		defer session.Close()
		offered, err := session.ListTools(ctx, nil)
		if err != nil {
			return err
		}
		tool := choose(string(prompt), offered.Tools)
		if tool == "" {
			continue
		}
		args := map[string]any{"title": strings.TrimSpace(string(prompt))}
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			return err
		}
		written, _ := json.Marshal(args)
		call := map[string]any{"id": name, "type": "function", "function": map[string]any{"name": name + "__" + tool, "arguments": string(written)}}
		messages = append(messages, map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{call}},
			map[string]any{"role": "tool", "tool_call_id": name, "content": result.Content[0].(*mcp.TextContent).Text})
	}
	messages = append(messages, map[string]any{"role": "assistant", "content": "Done."})
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"messages": messages})
}

// choose returns the tool whose description has the most words of the prompt; "" where none has any.
func choose(prompt string, tools []*mcp.Tool) (best string) {
	most := 0
	for _, tool := range tools {
		n := 0
		for _, word := range strings.Fields(strings.ToLower(prompt)) {
			if len(word) > 3 && strings.Contains(strings.ToLower(tool.Description), word) {
				n++
			}
		}
		if n > most {
			best, most = tool.Name, n
		}
	}
	if best == "" {
		fmt.Fprintln(os.Stderr, "no tool fits")
	}
	return best
}
