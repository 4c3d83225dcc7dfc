package cli

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/report"
)

const commit = "0123456789abcdef0123456789abcdef01234567"

func TestBuildOf(t *testing.T) {
	t.Parallel()
	vcs := func(version, modified string) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}, Settings: []debug.BuildSetting{
			{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: commit}, {Key: "vcs.modified", Value: modified}}}
	}
	module := func(version string) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version, Sum: "h1:sum="}}
	}
	replaced := module("v1.0.0")
	replaced.Main.Replace = &debug.Module{Path: "../mine"}
	for name, test := range map[string]struct {
		info           *debug.BuildInfo
		stamp, tag     string
		version, build string
	}{
		"no information":                       {version: "1.0.0-dev"},
		"the image of a release":               {stamp: commit, tag: "v1.0.0", version: "1.0.0", build: commit},
		"an image of a commit":                 {stamp: commit, version: "1.0.0-dev+0123456789ab", build: commit},
		"an image with the tag of another":     {stamp: commit, tag: "v1.0.1", version: "1.0.0-dev+0123456789ab", build: commit},
		"a stamp in a repository":              {info: vcs("v1.0.1", "true"), stamp: commit, tag: "v1.0.0", version: "1.0.0", build: commit},
		"a tag without a commit is no stamp":   {info: vcs("(devel)", "false"), tag: "v1.0.0", version: "1.0.0-dev+0123456789ab", build: commit},
		"go build at the tag":                  {info: vcs("v1.0.0", "false"), version: "1.0.0", build: commit},
		"go build at the tag, files changed":   {info: vcs("v1.0.0+dirty", "true"), version: "1.0.0-dev+0123456789ab.modified"},
		"go build at a commit":                 {info: vcs("v0.0.0-20261127061755-0123456789ab", "false"), version: "1.0.0-dev+0123456789ab", build: commit},
		"go build outside a repository":        {info: &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, version: "1.0.0-dev"},
		"go install of the release":            {info: module("v1.0.0"), version: "1.0.0", build: "h1:sum="},
		"go install of a commit":               {info: module("v0.0.0-20261127061755-0123456789ab"), version: "1.0.0-dev+0123456789ab", build: "h1:sum="},
		"go install of a commit after a tag":   {info: module("v1.0.1-0.20261127061755-0123456789ab"), version: "1.0.0-dev+0123456789ab", build: "h1:sum="},
		"go install of a tag of another":       {info: module("v0.9.0"), version: "1.0.0-dev", build: "h1:sum="},
		"go install, replaced by another tree": {info: replaced, version: "1.0.0-dev"},
	} {
		want := report.Tool{Name: "mcp-gates", Version: test.version, Build: test.build}
		if got := buildOf(test.info, test.stamp, test.tag); got != want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}

// TestOtherBuilds has two programs make shards, and a base and a head: merge refuses, and compare says so.
func TestOtherBuilds(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("mcp-gates.yml", "agents:\n"+
		"  - {name: a, cassette: run.json, tool_selection: {expected_tool: x, min_selection_rate: 1}}\n"+
		"  - {name: b, cassette: run.json, tool_selection: {expected_tool: x, min_selection_rate: 1}}\n")
	write("run.json", `{"tool_calls": [{"name": "x"}]}`)
	mcpGates := func(status int, args ...string) string {
		var stdout, stderr strings.Builder
		if got := run(append(args, "--workspace", dir), func(string) string { return "" }, strings.NewReader(""), &stdout, &stderr); got != status {
			t.Fatalf("%q: exit status %d, want %d\n%s%s", args, got, status, &stdout, &stderr)
		}
		return stdout.String()
	}
	asBy := func(path, build string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		own := `"build": "` + stampedCommit + `"`
		if !strings.Contains(string(text), own) {
			t.Fatalf("%s does not keep its build", path)
		}
		return write("other.json", strings.Replace(string(text), own, `"build": "`+build+`"`, 1))
	}
	one, two, whole := filepath.Join(dir, "1.json"), filepath.Join(dir, "2.json"), filepath.Join(dir, "whole.json")
	mcpGates(0, "run", "--shard", "1/2", "--format", "json="+one)
	mcpGates(0, "run", "--shard", "2/2", "--format", "json="+two)
	mcpGates(0, "run", "--format", "json="+whole)
	mcpGates(0, "merge", one, two)
	for _, other := range []string{commit, ""} {
		if got, want := mcpGates(2, "merge", one, asBy(two, other)), "merge needs the build that made the shards"; !strings.Contains(got, want) {
			t.Errorf("merge with a shard of the build %q prints\n%s\nwant %q", other, got, want)
		}
	}
	const said = "the base's report was made by mcp-gates 1.0.0 (commit 0123456789ab), this one by mcp-gates 1.0.0 (commit 012345678901)"
	if got := mcpGates(0, "run", "--baseline", "file:"+asBy(whole, commit)); !strings.Contains(got, said) {
		t.Errorf("with a base of another build is printed\n%s\nwant %q", got, said)
	}
	if got := mcpGates(0, "run", "--baseline", "file:"+whole); strings.Contains(got, "was made by") {
		t.Errorf("with a base of the same build is printed\n%s", got)
	}
}
