package layout_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The scripts of a release, with stand-ins for ssh, npm and GitHub's client first on the path. Workflows run them on Linux.

// script is a run of a program: what it gets, and what it printed.
type script struct {
	dir, input string
	env        []string
	path       string // a folder with stand-ins
	output     string
}

// run returns the exit status of a command, and keeps what it printed.
func (s *script) run(t *testing.T, command ...string) int {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = s.dir
	cmd.Stdin = strings.NewReader(s.input)
	cmd.Env = append(os.Environ(), "PATH="+s.path+":"+os.Getenv("PATH"), "GIT_CONFIG_GLOBAL=/dev/null")
	cmd.Env = append(cmd.Env, s.env...)
	output, err := cmd.CombinedOutput()
	s.output = string(output)
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

func (s *script) mustRun(t *testing.T, command ...string) {
	t.Helper()
	if status := s.run(t, command...); status != 0 {
		t.Fatalf("%q ends with %d:\n%s", command, status, s.output)
	}
}

// ofRelease is the path of a script in .ci.
func ofRelease(t *testing.T, name string) string {
	t.Helper()
	file, err := filepath.Abs(".ci/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func writeStandIn(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/usr/bin/env bash\nset -eu\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// repositories makes a repository with one commit and these tags in the folder origin, and a clone of it in the folder clone.
func repositories(t *testing.T, tags ...string) *script {
	t.Helper()
	s := &script{dir: t.TempDir()}
	s.mustRun(t, "git", "init", "--quiet", "--initial-branch=main", "origin")
	s.mustRun(t, "git", "-C", "origin", "-c", "user.name=a", "-c", "user.email=a@example.test", "commit", "--quiet", "--allow-empty", "--message=a")
	for _, tag := range tags {
		s.mustRun(t, "git", "-C", "origin", "tag", tag)
	}
	s.mustRun(t, "git", "clone", "--quiet", "origin", "clone")
	return s
}

// TestNothingMovesBack pins that a run of an old release moves no name that moves: v1, npm's latest, the formula.
func TestNothingMovesBack(t *testing.T) {
	t.Parallel()
	s := repositories(t, "v1", "v1.0.0", "v1.2.0", "v1.10.0", "v1.11.0-rc.1", "v10.0.0", "v2.0.0")
	s.dir = filepath.Join(s.dir, "clone")
	for tag, want := range map[string]string{
		"v1.10.0": "", "v2.0.0": "", "v10.0.0": "",
		"v1.2.0": "the newest release is v1.10.0, and not v1.2.0", "v3.0.0": "the newest release is not there, and not v3.0.0",
	} {
		status := s.run(t, ofRelease(t, "newest"), tag)
		if (status == 0) != (want == "") || !strings.Contains(s.output, want) {
			t.Errorf("%s ends with %d and %q, want %q", tag, status, s.output, want)
		}
	}
}

// TestReleaseIsPushedByItsKey pins that branch and tag are pushed by the key of the environment and to nothing but GitHub's known host,
// and that without the key nothing is pushed.
func TestReleaseIsPushedByItsKey(t *testing.T) {
	t.Parallel()
	s := repositories(t)
	origin := filepath.Join(s.dir, "origin")
	s.path = t.TempDir()
	writeStandIn(t, s.path, "ssh", `
while [ "$#" -gt 1 ]; do
  case $1 in
    -i) key=$2; shift 2 ;;
    -o) case $2 in UserKnownHostsFile=*) hosts=${2#*=} ;; StrictHostKeyChecking=yes) strict=yes ;; SendEnv=*) exit 1 ;; esac; shift 2 ;;
    -F) shift 2 ;;
    *) break ;;
  esac
done
printf '%s\n' "$strict" "$1" "$2" "$(stat -c %a "$key")" "$(cat "$key")" "$(cut -d' ' -f1,2 "$hosts")" "$key" > "$LOG"
exec git receive-pack "$ORIGIN"
`)
	log := filepath.Join(t.TempDir(), "log")
	s.dir = filepath.Join(s.dir, "clone")
	s.env = []string{"GITHUB_REPOSITORY=org/mcp-gates", "LOG=" + log, "ORIGIN=" + origin, "RELEASE_KEY="}
	s.mustRun(t, "git", "tag", "v1.0.0")
	s.mustRun(t, "git", "branch", "releases/v1.0")
	push := []string{ofRelease(t, "push-release"), "--atomic", "refs/heads/releases/v1.0", "refs/tags/v1.0.0"}
	if status := s.run(t, push...); status == 0 || !strings.Contains(s.output, "no secret RELEASE_KEY") {
		t.Errorf("without a key the script ends with %d and %q", status, s.output)
	}
	s.env = append(s.env, "RELEASE_KEY=the key\nof two lines")
	s.mustRun(t, push...)
	lines := strings.Split(strings.TrimSpace(read(t, log)), "\n")
	if want := []string{"yes", "git@github.com", "git-receive-pack 'org/mcp-gates.git'", "600", "the key", "of two lines", "github.com ssh-ed25519"}; !slices.Equal(lines[:len(lines)-1], want) {
		t.Errorf("ssh got %q, want %q", lines, want)
	}
	if _, err := os.Stat(lines[len(lines)-1]); !os.IsNotExist(err) {
		t.Errorf("the key is left behind: %v", err)
	}
	s.mustRun(t, "git", "-C", origin, "show-ref", "--verify", "refs/tags/v1.0.0", "refs/heads/releases/v1.0")
}

// TestTagIsMadeOnce pins the commit and the tag of a release, that a job which made them is started again without a change, and that a
// tag with other images, or of another commit, is refused.
func TestTagIsMadeOnce(t *testing.T) {
	t.Parallel()
	s := repositories(t)
	s.dir = filepath.Join(s.dir, "clone")
	for _, file := range []string{".ci/pin-images", "action.yml", "full/action.yml"} {
		name := filepath.Join(s.dir, file)
		if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(read(t, file)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s.mustRun(t, "git", "add", "--all")
	s.mustRun(t, "git", "-c", "user.name=a", "-c", "user.email=a@example.test", "commit", "--quiet", "--message=b")
	image := func(name, digit string) string { return "ghcr.io/org/" + name + "@sha256:" + strings.Repeat(digit, 64) }
	pin := []string{".ci/pin-images", "v1.2.3", image("mcp-gates", "a"), image("mcp-gates-full", "b")}
	var before string
	for range 2 {
		s.mustRun(t, "git", "checkout", "--quiet", "--force", "main")
		s.mustRun(t, pin...)
		s.mustRun(t, "git", "rev-parse", "v1.2.3^{commit}", "releases/v1.2", "v1.2.3^{commit}^", "main")
		commits := strings.Fields(s.output)
		if before != "" && s.output != before || len(commits) != 4 || commits[0] != commits[1] || commits[2] != commits[3] {
			t.Fatalf("tag, branch, parent and main are %q, before %q", commits, before)
		}
		before = s.output
		s.mustRun(t, "git", "branch", "--quiet", "--delete", "--force", "releases/v1.2")
	}
	s.mustRun(t, "git", "show", "v1.2.3:full/action.yml")
	if !strings.Contains(s.output, "\n  image: docker://"+pin[3]+" # v1.2.3\n") {
		t.Errorf("the full action of the tag is %q", s.output)
	}
	s.mustRun(t, "git", "checkout", "--quiet", "--force", "main")
	if status := s.run(t, ".ci/pin-images", "v1.2.3", image("mcp-gates", "c"), pin[3]); status == 0 || !strings.Contains(s.output, "v1.2.3 is another commit") {
		t.Errorf("another image ends with %d and %q", status, s.output)
	}
	s.mustRun(t, "git", "checkout", "--quiet", "--force", "main")
	s.mustRun(t, "git", "-c", "user.name=a", "-c", "user.email=a@example.test", "commit", "--quiet", "--allow-empty", "--message=c")
	if status := s.run(t, pin...); status == 0 || !strings.Contains(s.output, "v1.2.3 is another commit") {
		t.Errorf("another commit ends with %d and %q", status, s.output)
	}
	for _, tag := range []string{"v1", "1.2.3", "v1.2.3-rc.1"} {
		if status := s.run(t, ".ci/pin-images", tag, pin[2], pin[3]); status == 0 || !strings.Contains(s.output, tag+" is not the tag of a version") {
			t.Errorf("%s ends with %d and %q", tag, status, s.output)
		}
	}
}

// pack writes an npm package with nothing but its name, and returns its integrity as npm has it.
func pack(t *testing.T, file, name string) string {
	t.Helper()
	about := fmt.Sprintf(`{"name": %q}`, name)
	var data bytes.Buffer
	zipped := gzip.NewWriter(&data)
	archive := tar.NewWriter(zipped)
	if err := archive.WriteHeader(&tar.Header{Name: "package/package.json", Mode: 0o644, Size: int64(len(about))}); err != nil {
		t.Fatal(err)
	}
	if _, err := archive.Write([]byte(about)); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	sum := sha512.Sum512(data.Bytes())
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

// TestPackagesGoOn pins that a publication to npm that broke off goes on when it is started again, with the package that needs the
// others last, and that it stops at another package of the same name and version, and where npm does not answer.
func TestPackagesGoOn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := pack(t, filepath.Join(dir, "mcp-gates-darwin-x64-1.2.3.tgz"), "@mcp-gates/darwin-x64")
	pack(t, filepath.Join(dir, "mcp-gates-linux-arm64-1.2.3.tgz"), "@mcp-gates/linux-arm64")
	pack(t, filepath.Join(dir, "mcp-gates-1.2.3.tgz"), "mcp-gates")
	s := &script{dir: dir, path: t.TempDir()}
	// The stand-in gets "--yes npm@VERSION view NAME@VERSION dist.integrity" or "… publish … FILE".
	writeStandIn(t, s.path, "npx", `
shift 2
case $1 in
  view) cat "have/${2//\//+}" 2> /dev/null || { echo "$COMPLAINT" >&2; exit 1; } ;;
  publish) echo "${@: -1}" >> published ;;
esac
`)
	if err := os.Mkdir(filepath.Join(dir, "have"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, complaint, have string
		status                int
		published, says       string
	}{
		{"nothing is there", "npm error code E404", "", 0, "darwin-x64- linux-arm64- ", ""},
		{"the first is there", "npm error code E404", first, 0, "linux-arm64- ", "npm has @mcp-gates/darwin-x64@1.2.3 already"},
		{"another one is there", "npm error code E404", "sha512-b3RoZXI=", 1, "", "npm has another @mcp-gates/darwin-x64@1.2.3"},
		{"npm does not let in", "npm error code E401", "", 1, "", "npm does not say whether it has @mcp-gates/darwin-x64@1.2.3"},
		{"npm does not answer", "npm error code ECONNREFUSED", "", 1, "", "npm does not say whether it has @mcp-gates/darwin-x64@1.2.3"},
	} {
		os.Remove(filepath.Join(dir, "published"))
		have := filepath.Join(dir, "have", "@mcp-gates+darwin-x64@1.2.3")
		os.Remove(have)
		if test.have != "" {
			if err := os.WriteFile(have, []byte(test.have+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s.env = []string{"COMPLAINT=" + test.complaint}
		status := s.run(t, ofRelease(t, "publish-npm"), "1.2.3", ".")
		data, _ := os.ReadFile(filepath.Join(dir, "published")) // not there: nothing was published
		published := strings.NewReplacer("././mcp-gates-", "", "1.2.3.tgz", "", "\n", " ").Replace(string(data))
		if want := test.published; test.status == 0 && published != want+" " || test.status != 0 && published != "" {
			t.Errorf("%s: published %q, want %q and the main one", test.name, published, want)
		}
		if status != test.status || !strings.Contains(s.output, test.says) {
			t.Errorf("%s: ends with %d and %q, want %d and %q", test.name, status, s.output, test.status, test.says)
		}
	}
}

// TestReleaseNotes pins that the notes of a release are the changelog's section, with links that work outside the repository, and that
// a section without the day of its release is refused.
func TestReleaseNotes(t *testing.T) {
	t.Parallel()
	s := &script{dir: t.TempDir(), input: `# Changelog

## 1.10.0, not released yet

later

## 1.1.0, 2027-01-02

[page](docs/versions.md#which) [here](#new) [there](https://example.test/a)

### New

- a

## 1.0.0, 2026-12-01

before
`}
	s.mustRun(t, ofRelease(t, "release-notes"), "1.1.0")
	want := `
[page](https://github.com/org/mcp-gates/blob/v1.1.0/docs/versions.md#which) [here](#new) [there](https://example.test/a)

### New

- a

`
	if s.output != want {
		t.Errorf("got %q, want %q", s.output, want)
	}
	for _, version := range []string{"1.10.0", "1.2.0", "1.1.1"} {
		if status := s.run(t, ofRelease(t, "release-notes"), version); status == 0 || !strings.Contains(s.output, `no heading "## `+version+`, YEAR-MONTH-DAY", but: ## 1.10.0, not released yet`) {
			t.Errorf("%s ends with %d and %q", version, status, s.output)
		}
	}
	s.input = read(t, "CHANGELOG.md")
	version := releaseVersion(t)
	s.input = strings.Replace(s.input, "## "+version+", not released yet\n", "## "+version+", 2026-12-01\n", 1)
	s.mustRun(t, ofRelease(t, "release-notes"), version)
	if !strings.Contains(s.output, "\n- ") || strings.Contains(s.output, "](docs/") {
		t.Errorf("the notes of %s are %q", version, s.output)
	}
}

// TestCanaryHasOneIssue runs the canary's last step: an issue is opened when it is red, the same one is used while it stays red, and
// closed when everything is green; a job that did not run is not green. An issue that others wrote is not asked for.
func TestCanaryHasOneIssue(t *testing.T) {
	t.Parallel()
	steps := readWorkflow(t, ".github/workflows/canary.yml").Jobs["issue"].Steps
	s := &script{dir: t.TempDir(), path: t.TempDir()}
	writeStandIn(t, s.path, "gh", `case "$1 $2" in 'issue list') [[ " $* " = *' --app github-actions '* ]] && echo "$OPEN" ;; *) echo "$*" ;; esac`)
	for _, test := range []struct{ results, open, want string }{
		{"success success success", "", ""},
		{"success success success", "7", "issue close 7 --comment The workflow canary is green: RUN"},
		{"success failure success", "", "issue create --title TITLE --body The workflow canary is red: RUN"},
		{"success failure success", "7", "issue comment 7 --body The workflow canary is red: RUN"},
		{"failure skipped skipped", "7", "issue comment 7 --body The workflow canary is red: RUN"},
		{"success skipped success", "", "issue create --title TITLE --body The workflow canary is red: RUN"},
	} {
		s.env = []string{"TITLE=TITLE", "RUN=RUN", "RESULTS=" + test.results, "OPEN=" + test.open}
		s.mustRun(t, "bash", "-e", "-c", steps[len(steps)-1].Run)
		if got := strings.TrimSpace(s.output); got != test.want {
			t.Errorf("%q with the issue %q: got %q, want %q", test.results, test.open, got, test.want)
		}
	}
}
