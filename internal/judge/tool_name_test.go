package judge

import (
	"regexp"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/trace"
)

func TestToolName(t *testing.T) {
	servers := []string{"shell", "shell.de"}
	for _, test := range []struct {
		name      string
		want, not []string // SERVER/TOOL
	}{
		{"rm", []string{"/rm", "shell/rm", "files/rm"}, []string{"shell/rmdir", "rm/x"}},
		{"shell.rm", []string{"shell/rm", "/shell.rm"}, []string{"/rm", "files/rm", "files/shell.rm"}},
		{"shell.de.rm", []string{"shell.de/rm", "shell/de.rm"}, []string{"/rm"}},
		{"files.rm", []string{"files/rm", "/files.rm", "shell/files.rm"}, []string{"shell/rm"}},
		{"shell.*", []string{"shell/rm", "shell.de/rm", "/shell.rm"}, []string{"files/shell.rm", "shells/rm"}},
		{"*.rm", []string{"shell/rm", "files/rm", "files/x.rm"}, []string{"/rm"}},
		{"r*", []string{"/rm", "files/rm", "r2/x"}, []string{"files/arm"}},
		{"*", []string{"/rm", "shell/", "/"}, nil},
		{"a*b*c", []string{"/abc", "/aXbYc", "/abbcc"}, []string{"/acb", "/ab", "/bc"}},
		{"ab*ba", []string{"/abba", "/ab.ba"}, []string{"/aba"}},
		{"", nil, []string{"/", "/rm"}},
	} {
		n := NewToolName(test.name, servers)
		for want, ids := range map[bool][]string{true: test.want, false: test.not} {
			for _, id := range ids {
				server, tool, _ := strings.Cut(id, "/")
				if got := n.Names(catalog.Ref{Server: server, Name: tool}); got != want {
					t.Errorf("%q names %s: %v, want %v", test.name, id, got, want)
				}
			}
		}
	}
}

// FuzzGlob compares globs with the regular expressions that mean the same.
func FuzzGlob(f *testing.F) {
	for _, seed := range [][2]string{{"a*b", "aXb"}, {"**", ""}, {"*a*a*", "aa"}, {"ab*ba", "aba"}, {"é*", "éa"}, {"a", "a"}, {"", "a"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, glob, name string) {
		parts := strings.Split(glob, "*")
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		re, err := regexp.Compile(`(?s)\A` + strings.Join(parts, ".*") + `\z`)
		if err != nil || strings.ToValidUTF8(glob+name, "") != glob+name {
			t.Skip()
		}
		if got, want := MatchGlob(glob, name), re.MatchString(name); got != want {
			t.Errorf("%q means %q: %v, want %v", glob, name, got, want)
		}
	})
}

// TestApartGlobs pins that a glob which begins with the agent's own server shows the calls that it means, and no other.
func TestApartGlobs(t *testing.T) {
	run := trace.Run{}
	for _, id := range []string{"builtin.bash", "builtin.read", "web.bash"} {
		server, tool, _ := strings.Cut(id, ".")
		run.Calls = append(run.Calls, trace.Call{Tool: &trace.Tool{Ref: catalog.Ref{Server: server, Name: tool}}})
	}
	for _, test := range []struct {
		plan Plan
		want string
	}{
		{Plan{}, "web.bash"},
		{Plan{Listed: []Member{{Name: "bash"}}}, "web.bash"},
		{Plan{Listed: []Member{{Name: "builtin.bash"}}}, "builtin.bash web.bash"},
		{Plan{Listed: []Member{{Name: "builtin.b*"}}}, "builtin.bash web.bash"},
		{Plan{Listed: []Member{{Name: "builtin.*"}}}, "builtin.bash builtin.read web.bash"},
		{Plan{Classes: []Class{{Members: []string{"builtin.read"}}}}, "builtin.read web.bash"},
	} {
		view := newBuiltinViews(&trace.Trace{Runs: []trace.Run{run}, BuiltinsApart: true}).viewFor(Check{Plan: test.plan})
		var got []string
		for _, call := range view.Runs[0].Calls {
			got = append(got, call.Tool.ID())
		}
		others := newBuiltinViews(&trace.Trace{Others: []trace.Run{run}, BuiltinsApart: true}).viewFor(Check{Plan: test.plan}).Others
		if n := len(others[0].Calls); n != len(got) {
			t.Errorf("%+v shows %d calls of a run that is not judged, want %d", test.plan, n, len(got))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%+v shows %q, want %q", test.plan, got, test.want)
		}
	}
}

// TestApartSearches pins that a search for tools is shown only where it is named, also where the agent's own calls count.
func TestApartSearches(t *testing.T) {
	run := trace.Run{Calls: []trace.Call{
		{Tool: &trace.Tool{Ref: catalog.Ref{Server: "builtin", Name: "ToolSearch"}}, Detail: &trace.Detail{Search: &trace.Search{}}},
		{Tool: &trace.Tool{Ref: catalog.Ref{Server: "builtin", Name: "bash"}}},
		{Tool: &trace.Tool{Ref: catalog.Ref{Server: "web", Name: "ToolSearch"}}, Detail: &trace.Detail{Search: &trace.Search{}}}, // a server's tool is never hidden
	}}
	for _, test := range []struct {
		apart bool
		plan  Plan
		want  string
	}{
		{false, Plan{}, "builtin.bash web.ToolSearch"},
		{false, Plan{Listed: []Member{{Name: "builtin.Tool*"}}}, "builtin.ToolSearch builtin.bash web.ToolSearch"},
		{true, Plan{}, "web.ToolSearch"},
	} {
		view := newBuiltinViews(&trace.Trace{Runs: []trace.Run{run}, BuiltinsApart: test.apart}).viewFor(Check{Plan: test.plan})
		var got []string
		for _, call := range view.Runs[0].Calls {
			got = append(got, call.Tool.ID())
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("apart %v, %+v: shows %q, want %q", test.apart, test.plan, got, test.want)
		}
	}
}
