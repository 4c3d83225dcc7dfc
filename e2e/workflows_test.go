package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/e2e/repo"
	"gopkg.in/yaml.v3"
)

// nightly is examples/workflows/record-nightly.yml, as far as its own commands go.
type nightly struct {
	Env  map[string]string
	Jobs map[string]struct {
		Steps []struct{ Name, Run string }
	}
}

// night is one run of the nightly recording: a repository that is recorded, one that proposes, and what both push to.
type night struct {
	*testing.T
	workflow          nightly
	remote, temp, bin string
	openPulls         string // as gh counts them
}

func newNight(t *testing.T, files repo.Files) *night {
	t.Helper()
	data, err := os.ReadFile("../examples/workflows/record-nightly.yml")
	if err != nil {
		t.Fatal(err)
	}
	n := &night{T: t, temp: t.TempDir(), bin: t.TempDir(), openPulls: "0"}
	if err := yaml.Unmarshal(data, &n.workflow); err != nil {
		t.Fatal(err)
	}
	n.remote = filepath.Join(t.TempDir(), "remote")
	n.sh(t.TempDir(), "git init --quiet --bare --initial-branch=main "+n.remote)
	n.write(filepath.Join(n.bin, "gh"), "#!/bin/sh\necho \"gh $*\" >> \"$RUNNER_TEMP/gh\"\nif [ \"$1 $2\" = 'pr list' ]; then cat \"$RUNNER_TEMP/pulls\"; fi\n")
	if err := os.Chmod(filepath.Join(n.bin, "gh"), 0o755); err != nil {
		t.Fatal(err)
	}
	seed := n.clone()
	for name, content := range files {
		n.write(filepath.Join(seed, name), content)
	}
	n.sh(seed, "git add . && git commit --quiet --message seed && git push --quiet origin HEAD:main")
	return n
}

func (n *night) write(name, content string) {
	n.Helper()
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		n.Fatal(err)
	}
}

func (n *night) clone() string {
	n.Helper()
	dir := filepath.Join(n.TempDir(), "clone")
	n.sh(n.temp, "git clone --quiet "+n.remote+" "+dir)
	return dir
}

// sh runs a script as the runner does, and returns what it printed.
func (n *night) sh(dir, script string) string {
	n.Helper()
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+n.bin+":"+programs(), "HOME="+n.temp, "RUNNER_TEMP="+n.temp,
		"GITHUB_OUTPUT="+filepath.Join(n.temp, "output"), "GITHUB_REF_NAME=main", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	for name, value := range n.workflow.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		n.Fatalf("%s\n%v: %s", script, err, out)
	}
	return string(out)
}

// step returns the commands of a step of a job.
func (n *night) step(job, name string) string {
	n.Helper()
	for _, s := range n.workflow.Jobs[job].Steps {
		if s.Name == name {
			return s.Run
		}
	}
	n.Fatalf("job %q has no step %q", job, name)
	return ""
}

// record runs the first job, with change made beside what is recorded, and returns whether it has something to propose.
func (n *night) record(change string) bool {
	n.Helper()
	n.write(filepath.Join(n.temp, "output"), "")
	dir := n.clone()
	n.sh(dir, "mcp-gates run --record; "+change)
	n.sh(dir, n.step("record", "Keep what has changed"))
	return n.read("output") == "changed=true\n"
}

// propose runs the second job, and returns what it had gh do.
func (n *night) propose() string {
	n.Helper()
	n.sh(n.temp, "mkdir -p recorded && mv cassettes.patch recorded && rm -f gh")
	n.write(filepath.Join(n.temp, "pulls"), n.openPulls+"\n")
	n.sh(n.clone(), n.step("propose", "Open the pull request, or update it"))
	return n.read("gh")
}

func (n *night) read(name string) string {
	n.Helper()
	data, err := os.ReadFile(filepath.Join(n.temp, name))
	if err != nil {
		n.Fatal(err)
	}
	return string(data)
}

// proposed lists what the proposal changes.
func (n *night) proposed() []string {
	n.Helper()
	return strings.Fields(n.sh(n.remote, "git diff --name-status main mcp-gates/record"))
}

// TestNightly runs the commands of the nightly recording: what is new is proposed, in one pull request, and nothing else.
func TestNightly(t *testing.T) {
	t.Parallel()
	n := newNight(t, forecast(telling))
	if !n.record("echo '{}' > report.json; echo changed >> weather.yml; mkdir -p .github; touch .github/x.json") {
		t.Fatal("what was recorded is not proposed")
	}
	if said := n.propose(); !strings.Contains(said, "gh pr create --head mcp-gates/record --base main ") {
		t.Errorf("no pull request was opened: %s", said)
	}
	if got, want := n.proposed(), []string{"A", stormCassette}; !slices.Equal(got, want) {
		t.Errorf("proposed are %q, want %q", got, want)
	}

	// As long as it is open it is the one.
	n.openPulls = "1"
	n.record("")
	if said := n.propose(); strings.Contains(said, "pr create") {
		t.Errorf("a second pull request was opened: %s", said)
	}

	// Once it is merged there is nothing more to say.
	n.sh(n.remote, "git branch --force main mcp-gates/record")
	if n.record("echo changed >> weather.yml") {
		t.Error("something is proposed though nothing was recorded")
	}
}

// TestNightlyTakesCassettesAlone hands the second job a change that somebody else has written.
func TestNightlyTakesCassettesAlone(t *testing.T) {
	t.Parallel()
	n := newNight(t, forecast(telling))
	n.record("")
	dir := n.clone()
	n.sh(dir, `mkdir -p .github/workflows cassettes
		touch .github/workflows/evil.yml evil.json 'cassettes/$(touch pwned)"`+"`touch pwned`"+`.json' cassettes/evil.yml
		echo evil >> mcp-gates.yml
		git add . && git diff --cached --binary > "$RUNNER_TEMP/cassettes.patch"`)
	n.propose()
	want := []string{"A", `"cassettes/$(touch`, "pwned)\\\"`touch", "pwned`.json\""}
	if got := n.proposed(); !slices.Equal(got, want) {
		t.Errorf("proposed are %q, want %q", got, want)
	}

	// Git goes by the new name of what a change renames, and by the name of a link.
	for what, change := range map[string]string{
		"a file that was moved away": "mkdir -p cassettes; git mv mcp-gates.yml cassettes/moved.json",
		"a link":                     "mkdir -p cassettes; ln -s ../mcp-gates.yml cassettes/link.json; git add .",
	} {
		n.record("")
		dir := n.clone()
		n.sh(dir, change+`; git diff --cached --binary --find-renames > "$RUNNER_TEMP/cassettes.patch"`)
		n.sh(n.temp, "rm -rf recorded; mkdir recorded; mv cassettes.patch recorded; rm -f gh; echo > gh")
		clone := n.clone()
		n.write(filepath.Join(n.temp, "step"), n.step("propose", "Open the pull request, or update it"))
		said := n.sh(clone, `if bash -eo pipefail "$RUNNER_TEMP/step" 2>&1; then echo and went on; fi`)
		if !strings.Contains(said, "something other than cassettes") || strings.Contains(said, "went on") || n.read("gh") != "\n" {
			t.Errorf("%s was not refused: %s; %s", what, said, n.read("gh"))
		}
	}
}
