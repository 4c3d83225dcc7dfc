package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// inSubmodule is a repository whose suites are its own and those of a submodule, suites/shared.
type inSubmodule struct {
	*checkouts
	shared      *checkouts // the repository of the submodule
	strict, lax string     // its commits
}

func newInSubmodule(t *testing.T) *inSubmodule {
	t.Helper()
	shared := newCheckouts(t)
	s := &inSubmodule{checkouts: &checkouts{T: t, dir: t.TempDir()}, shared: shared, strict: shared.base, lax: shared.head}
	s.git("init", "-qb", "main", ".")
	s.write("suites/own.yml", "agents: [{name: owns, cassette: ../run.json, tool_selection: {expected_tool: find, min_selection_rate: 0.9}}]\n")
	s.write("run.json", `{"tool_calls": [{"name": "find"}]}`)
	s.git("submodule", "--quiet", "add", "-b", "main", "file://"+shared.dir, "suites/shared")
	s.move(s.strict)
	s.git("add", "-A")
	s.git("commit", "-qm", "base")
	s.base = s.git("rev-parse", "HEAD")
	return s
}

func (s *inSubmodule) move(to string) { s.git("-C", "suites/shared", "checkout", "-q", to) }

// shallow leaves the submodule with the one commit that is checked out there, as actions/checkout does.
func (s *inSubmodule) shallow(moved string) {
	s.Helper()
	s.remove("suites/shared")
	s.write("suites/shared/x", "")
	s.git("-C", "suites/shared", "init", "-q", ".")
	s.git("-C", "suites/shared", "fetch", "-q", "--depth=1", "file://"+s.shared.dir, moved)
	s.git("-C", "suites/shared", "checkout", "-qf", "FETCH_HEAD")
	s.remove("suites/shared/x")
}

func (s *inSubmodule) remove(name string) {
	s.Helper()
	if err := os.RemoveAll(filepath.Join(s.dir, filepath.FromSlash(name))); err != nil {
		s.Fatal(err)
	}
}

// empty leaves the submodule's folder as a checkout without submodules does.
func (s *inSubmodule) empty() {
	s.Helper()
	s.remove("suites/shared")
	if err := os.Mkdir(filepath.Join(s.dir, "suites", "shared"), 0o777); err != nil {
		s.Fatal(err)
	}
}

func (s *inSubmodule) commitAll() {
	s.git("add", "-A")
	s.git("commit", "-qm", "change", "--allow-empty")
}

// TestSubmodules pins that suites of a submodule that was moved are compared, or are said not to be.
func TestSubmodules(t *testing.T) {
	t.Parallel()
	const (
		unknown  = "the base could not be read in full: submodule \"suites/shared\""
		weakened = "weakens its own judge"
		none     = ""
	)
	moved := func(s *inSubmodule) { s.move(s.lax); s.commitAll(); s.shallow(s.lax) }
	soften := func(s *inSubmodule) {
		s.write("suites/own.yml", "agents: [{name: owns, cassette: ../run.json, tool_selection: {expected_tool: find, min_selection_rate: 0.1}}]\n")
		s.commitAll()
	}
	tests := []struct {
		name   string
		change func(*inSubmodule)
		suite  string
		demand string
		want   int
		says   string
	}{
		{"moved", moved, "", "fail-on-weakened", 3, unknown},
		{"moved, nothing asked", moved, "", "", 0, unknown},
		{"moved, breaking", moved, "", "fail-on-breaking", 3, unknown},
		{"moved, judged by the base", moved, "", "gates-from", 3, unknown},
		{"moved, its suites only", moved, "suites/shared/mcp-gates.yml", "fail-on-weakened", 3, unknown},
		{"moved, its suites only, judged by the base", moved, "suites/shared/*.yml", "gates-from", 3, unknown},
		{"moved, other suites", moved, "suites/own.yml", "fail-on-weakened", 0, none},
		{"moved, with its history", func(s *inSubmodule) { s.move(s.lax); s.commitAll() }, "", "fail-on-weakened", 1, weakened},
		{"moved, with its history, judged by the base", func(s *inSubmodule) { s.move(s.lax); s.commitAll() }, "", "gates-from", 0, none},
		{"moved, not checked out as in the base", func(s *inSubmodule) { s.move(s.lax); s.commitAll(); s.empty() }, "", "fail-on-weakened", 0, none},
		{"not moved", func(s *inSubmodule) { s.commitAll(); s.shallow(s.strict) }, "", "fail-on-weakened", 0, none},
		{"not moved, not checked out", func(s *inSubmodule) { s.commitAll(); s.empty() }, "", "fail-on-weakened", 0, none},
		{"not moved, its suites only", func(s *inSubmodule) { s.commitAll(); s.shallow(s.strict) }, "suites/shared", "fail-on-weakened", 0, none},
		{"not moved, another suite softened", soften, "", "fail-on-weakened", 1, weakened},
		{"not checked out any more", func(s *inSubmodule) {
			s.git("config", "-f", ".gitmodules", "submodule.suites/shared.update", "none")
			s.commitAll()
			s.empty()
		}, "", "fail-on-weakened", 3, unknown},
		{"removed", func(s *inSubmodule) {
			s.git("rm", "-q", "--cached", "suites/shared")
			s.empty()
			s.git("commit", "-qm", "x")
		}, "", "fail-on-weakened", 3, unknown},
		{"files in its place", func(s *inSubmodule) {
			s.git("rm", "-q", "--cached", "suites/shared")
			s.remove("suites/shared/.git")
			s.commitAll()
		}, "", "fail-on-weakened", 3, unknown},
		{"changed where it is checked out", func(s *inSubmodule) { s.commitAll(); s.move(s.lax) }, "", "fail-on-weakened", 1, weakened},
	}
	all := newInSubmodule(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := *all
			s.checkouts = all.copy(t)
			test.change(&s)
			s.check(test.suite, test.demand, test.want, test.says)
		})
	}
}

// check has run and the action check a suite, with a demand.
func (s *inSubmodule) check(suite, demand string, want int, says string) {
	s.Helper()
	args := []string{"run", "--workspace", s.dir, "--baseline", s.base}
	env := []string{"INPUT_SUITE=" + suite}
	switch demand {
	case "gates-from":
		args, env = append(args, "--gates-from", "base"), append(env, "INPUT_GATES-FROM=base")
	case "":
	default:
		args, env = append(args, "--"+demand), append(env, "INPUT_"+strings.ToUpper(demand)+"=true")
	}
	if suite != "" {
		args = append(args, suite)
	}
	var stdout, stderr stream
	status := run(args, os.Getenv, strings.NewReader(""), &stdout, &stderr)
	outputs := map[string]string{"run": string(stdout.all()) + string(stderr.all())}
	statuses := map[string]int{"run": status}
	statuses["action"], outputs["action"] = s.act("push", s.git("rev-parse", "HEAD"), object{"before": s.base}, env...)
	for command, output := range outputs {
		if statuses[command] != want || !strings.Contains(output, says) || says == "" && strings.Contains(output, "submodule") {
			s.Errorf("%s: exit status %d, want %d and %q:\n%s", command, statuses[command], want, says, output)
		}
	}
}
