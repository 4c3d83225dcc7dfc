package clients

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what the examples give")

// TestExamples reads the files of each example, in their order, and compares the servers with its last file, want.
func TestExamples(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no examples", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got, want := shown(archive), &archive.Files[len(archive.Files)-1]
			if *update {
				want.Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if got != string(want.Data) {
				t.Errorf("%s:\n%s", name, diff.Diff("want", want.Data, "got", []byte(got)))
			}
			for line := range strings.Lines(got) {
				if !strings.HasPrefix(line, "  reads ") && (strings.Contains(line, "hunter2") || strings.Contains(line, "sk-0123456789")) {
					t.Errorf("%s: a secret was copied: %s", name, line)
				}
			}
		})
	}
}

// shown returns what the files of an example hold.
func shown(archive *txtar.Archive) string {
	var out strings.Builder
	var all [][]Server
	for _, f := range archive.Files[:len(archive.Files)-1] {
		servers, errs := Read(f.Name, f.Data, "/home/ann/shop")
		if len(errs) > 0 {
			fmt.Fprintln(&out, errs.Sorted())
		}
		all = append(all, servers)
	}
	for _, s := range Merge(all...) {
		show(&out, &s)
	}
	return out.String()
}

func show(out *strings.Builder, s *Server) {
	fmt.Fprintf(out, "%s: %q", s.Pos, s.Name)
	if s.Unusable != "" {
		fmt.Fprintf(out, " left out: %s\n", s.Unusable)
		return
	}
	name := func(p Part) string { return "<" + p.Env + "|" + p.Default + ">" }
	for _, word := range s.Command {
		fmt.Fprintf(out, " %s", word.Expand(name))
	}
	fmt.Fprintf(out, "%s %s\n", s.URL.Expand(name), s.Transport)
	if s.Cwd != "" {
		fmt.Fprintf(out, "  cwd %s\n", s.Cwd)
	}
	for _, v := range slices.Concat(s.Env, s.Headers) {
		fmt.Fprintf(out, "  %s: %s\n", v.Name, v.Value.Expand(name))
	}
	for _, v := range s.Variables() {
		fmt.Fprintf(out, "  reads %s, value %s\n", v, s.Values[v])
	}
	for _, key := range s.Left {
		fmt.Fprintf(out, "  left %s\n", key)
	}
}

func TestGiven(t *testing.T) {
	for _, c := range []struct {
		words, want string
	}{
		{"npx -y @modelcontextprotocol/server-memory", "memory"},
		{"npx -y @modelcontextprotocol/server-filesystem@2026.8.31 notes", "filesystem"},
		{"uvx mcp-server-git --repository .", "git"},
		{"docker run -i --rm mcp/fetch", "fetch"},
		{"node dist/server.js", "server"},
		{"./weather", "weather"},
		{"python weather_mcp.py", "weather"},
		{"github-mcp-server stdio", "github"},
		{`"><img`, "server"},
	} {
		if got := Given(strings.Fields(c.words), nil, "", "").Name; got != c.want {
			t.Errorf("name of %q: got %q, want %q", c.words, got, c.want)
		}
	}
	for address, want := range map[string]string{"https://mcp.linear.app/sse": "linear", "http://127.0.0.1:1/mcp": "server", "https://api.example.test/mcp": "example"} {
		if got := Given(nil, nil, address, "").Name; got != want {
			t.Errorf("name of %q: got %q, want %q", address, got, want)
		}
	}
	s := Given([]string{"server", "--token", "hunter2hunter2"}, []string{"A=b"}, "", "")
	if got := s.Command[2].Expand(func(p Part) string { return "$" + p.Env }); got != "$SERVER_ARGUMENT_2" || s.Values["SERVER_ARGUMENT_2"] != "hunter2hunter2" {
		t.Errorf("got argument %q with values %q", got, s.Values)
	}
}

func TestFind(t *testing.T) {
	getenv := func(name string) string { return map[string]string{"USERPROFILE": `C:\Users\me`}[name] }
	if got, want := Find("cursor", getenv), []string{"C:/Users/me/.cursor/mcp.json"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Find("netscape", getenv); got != nil {
		t.Errorf("got %q for an unknown client", got)
	}
}

func FuzzRead(f *testing.F) {
	names, _ := filepath.Glob("testdata/*.txtar")
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			f.Add(file.Name, file.Data)
		}
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		servers, errs := Read(name, data, "/home/ann/shop")
		for _, err := range errs {
			if err.Pos.File != name {
				t.Errorf("%s is not in %q", err, name)
			}
		}
		for _, s := range servers {
			if s.Unusable == "" && (len(s.Command) > 0) == (s.URL != nil) {
				t.Errorf("server %q has both or neither of a command and an address: %+v", s.Name, s)
			}
			for _, v := range s.Variables() {
				if !isVariable(v) {
					t.Errorf("server %q reads %q", s.Name, v)
				}
			}
		}
	})
}

func isVariable(name string) bool {
	return strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == "" && name != "" && (name[0] < '0' || name[0] > '9')
}
