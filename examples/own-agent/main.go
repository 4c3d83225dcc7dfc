// Command own-agent is an example of your own agent, with the official SDK: own-agent CONFIG reads its MCP servers from a file in
// the mcpServers form and its prompt from standard input, works on the prompt, and writes its messages in the format of OpenAI's
// chat completions.
//
// It needs no key, because the function choose stands in for a model: replace it with your model. The rest is the same for any such
// agent.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"log"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type object = map[string]any

func main() {
	prompt, err := io.ReadAll(os.Stdin)
	text, readErr := os.ReadFile(os.Args[1])
	var config struct {
		Servers map[string]struct{ URL string } `json:"mcpServers"`
	}
	if err := cmp.Or(err, readErr, json.Unmarshal(text, &config)); err != nil {
		log.Fatal(err) // a status other than 0 makes the run an error, with this text
	}
	messages, answer := []object{{"role": "user", "content": string(prompt)}}, "Done."
	for _, name := range slices.Sorted(maps.Keys(config.Servers)) { // sorted, so that all runs do the same
		steps, failed, err := work(context.Background(), name, config.Servers[name].URL, strings.TrimSpace(string(prompt)))
		if err != nil {
			log.Fatal(err)
		}
		if messages = append(messages, steps...); failed {
			answer = "A tool failed."
		}
	}
	messages = append(messages, object{"role": "assistant", "content": answer})
	if err := json.NewEncoder(os.Stdout).Encode(object{"messages": messages}); err != nil {
		log.Fatal(err)
	}
}

// work works on the prompt with the tools of one server. It returns its messages, and whether the call of a tool failed.
func work(ctx context.Context, name, url, prompt string) (messages []object, failed bool, err error) {
	session, err := mcp.NewClient(&mcp.Implementation{Name: "own-agent", Version: "1"}, nil).Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url}, nil)
	if err != nil {
		return nil, false, err
	}
	defer session.Close()
	offered, err := session.ListTools(ctx, nil)
	if err != nil {
		return nil, false, err
	}
	tool := choose(prompt, offered.Tools)
	if tool == "" {
		return nil, false, nil
	}
	args := object{"title": prompt}
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return nil, false, err
	}
	var texts []string
	for _, content := range result.Content { // the list can be empty, and can have images
		if text, ok := content.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	written, err := json.Marshal(args)
	function := object{"name": name + "__" + tool, "arguments": string(written)}
	return []object{
		{"role": "assistant", "content": nil, "tool_calls": []object{{"id": name, "type": "function", "function": function}}},
		{"role": "tool", "tool_call_id": name, "content": strings.Join(texts, "\n")},
	}, result.IsError, err
}

// choose returns the tool whose description has the most words of the prompt; "" if no description has any.
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
	return best
}
