package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// testAgent is an agent of one's own as scripts run it: test-agent ACT [ARGUMENT...]. It files the ticket that its prompt, on
// standard input, asks for, with the official SDK's client.
func testAgent() {
	if err := actAsAgent(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func actAsAgent(act string, args []string) error {
	ctx := context.Background()
	switch act {
	case "version":
		fmt.Println("test-agent", args[0])
		return nil
	case "status":
		fmt.Fprintln(os.Stderr, "the key sk-"+strings.Repeat("a1B2c3D4", 5)+" is wrong")
		os.Exit(3)
	case "hang":
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(10 * time.Minute)
	case "touch":
		return errors.Join(list(ctx, args[1]), os.WriteFile(args[0], nil, 0o600))
	case "silent":
		fmt.Println("I did nothing.")
		return list(ctx, args[0])
	case "flood":
		return flood()
	case "fork":
		return errors.Join(list(ctx, args[1]), fork(args[0]))
	case "env":
		return errors.Join(tellEnvironment(), list(ctx, args[0]))
	case "config":
		return fileByConfig(ctx, args[0])
	case "no-list":
		return withSession(ctx, args[0], func(*mcp.ClientSession) error { return nil })
	case "log":
		return writeLog(ctx, args[0], args[1:]...)
	case "insist":
		return fileInsisting(ctx, args[0])
	case "file":
		return fileTicket(ctx, args[0], args[1:])
	}
	return fmt.Errorf("unknown act %q", act)
}

// withSession connects to a server.
func withSession(ctx context.Context, url string, use func(*mcp.ClientSession) error) error {
	client := mcp.NewClient(&mcp.Implementation{Name: "test-agent", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url, MaxRetries: -1}, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	return use(session)
}

// list lists the tools of a server and does nothing else.
func list(ctx context.Context, url string) error {
	return withSession(ctx, url, func(s *mcp.ClientSession) error {
		_, err := s.ListTools(ctx, nil)
		return err
	})
}

// fileTicket lists the tools and calls each of the named ones.
func fileTicket(ctx context.Context, url string, tools []string) error {
	prompt, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	return withSession(ctx, url, func(s *mcp.ClientSession) error {
		all, err := s.ListTools(ctx, nil)
		if err != nil {
			return err
		}
		var offered []string
		for _, t := range all.Tools {
			offered = append(offered, t.Name)
		}
		slices.Sort(offered)
		for _, tool := range tools {
			if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: map[string]any{"title": string(prompt)}}); err != nil {
				return err
			}
		}
		fmt.Printf("Done: %s, with %s.\n", strings.Join(tools, ", "), strings.Join(offered, ", "))
		return nil
	})
}

// fileInsisting files a ticket until that works, with a new session each time.
func fileInsisting(ctx context.Context, url string) error {
	const most = 5
	for i := range most {
		err := withSession(ctx, url, func(s *mcp.ClientSession) error {
			if _, err := s.ListTools(ctx, nil); err != nil {
				return err
			}
			result, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "create_ticket", Arguments: map[string]any{"title": "login"}})
			if err == nil && result.IsError {
				err = errors.New("the tool failed")
			}
			return err
		})
		if err == nil {
			fmt.Printf("Done after %d errors.\n", i)
			return nil
		}
	}
	fmt.Println("I give up.")
	return nil
}

// fileByConfig reads the address of the first server from a file in the mcpServers form.
func fileByConfig(ctx context.Context, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	var config struct {
		Servers map[string]struct{ Type, URL string } `json:"mcpServers"`
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return err
	}
	one := config.Servers["tickets"]
	if one.Type != "http" || info.Mode().Perm() != 0o600 {
		return fmt.Errorf("the configuration is %+v with mode %s", config, info.Mode())
	}
	return fileTicket(ctx, one.URL, []string{"create_ticket"})
}

// writeLog calls a tool, and writes down that and the call of one that does not exist, as OpenAI's chat completions have it,
// and further lines.
func writeLog(ctx context.Context, url string, further ...string) error {
	err := withSession(ctx, url, func(s *mcp.ClientSession) error {
		if _, err := s.ListTools(ctx, nil); err != nil {
			return err
		}
		_, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "create_ticket", Arguments: map[string]any{"title": "a", "n": 1}})
		return err
	})
	fmt.Println(`{"model": "m-1", "messages": [{"role": "user", "content": "Hello."},
  {"role": "assistant", "content": "", "tool_calls": [
    {"id": "1", "type": "function", "function": {"name": "close_ticket", "arguments": "{}"}},
    {"id": "2", "type": "function", "function": {"name": "create_ticket", "arguments": "{\"n\": 1, \"title\": \"a\"}"}}]},
  {"role": "tool", "tool_call_id": "1", "content": "there is no such tool"},
  {"role": "tool", "tool_call_id": "2", "content": "shortened by the program"},
  {"role": "assistant", "content": "All done."}]}`)
	for _, line := range further {
		fmt.Println(line)
	}
	return err
}

// tellEnvironment writes everything that the program was given.
func tellEnvironment() error {
	var names []string
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		names = append(names, name)
	}
	slices.Sort(names)
	work, err := os.ReadDir(".")
	if err != nil {
		return err
	}
	home, err := os.ReadDir(os.Getenv("HOME"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(os.Getenv("HOME"), "cache"), 0o500); err != nil {
		return err
	}
	fmt.Printf("%s; %d files here, %d in HOME; MODE is %s\n", strings.Join(names, " "), len(work), len(home), os.Getenv("MODE"))
	return nil
}

// fork leaves a process behind, whose number it writes to a file.
func fork(name string) error {
	child := exec.Command("sleep", "600")
	if err := child.Start(); err != nil {
		return err
	}
	fmt.Println("I left something behind.")
	return os.WriteFile(name, fmt.Append(nil, child.Process.Pid), 0o600)
}

// flood writes without an end.
func flood() error {
	block := strings.Repeat("x", 1<<20)
	for {
		if _, err := io.WriteString(os.Stdout, block); err != nil {
			return err
		}
	}
}
