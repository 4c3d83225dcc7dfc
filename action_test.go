package layout_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	uses   = regexp.MustCompile(`(?m)^\s*(?:- )?uses: *(.*)$`)
	pinned = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+){0,2}$`)
	// floating are the uses without a commit: this repository itself, also as it was checked out at a release, and its releases in
	// examples, whose readers choose one.
	floating = regexp.MustCompile(`^(\./(full|released|released/full|\.github/workflows/try\.yml)?|org/mcp-gates(/full)?@v1( # .*)?)$`)
	digest   = regexp.MustCompile(`(?m)^FROM (?:--platform=\$BUILDPLATFORM )?[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64} AS [a-z]+$`)
	stage    = regexp.MustCompile(`(?m)^FROM (?:--platform=\S+ )?(?:scratch|\$\{\w+_IMAGE\} AS [a-z-]+)$`)
)

// TestPinned holds workflows to actions by commit and the images to bases by digest: a tag is what its owner, or who
// stole its owner's key, says it is today.
func TestPinned(t *testing.T) {
	for _, file := range workflows(t) {
		for _, m := range uses.FindAllStringSubmatch(read(t, file), -1) {
			if !pinned.MatchString(m[1]) && !floating.MatchString(m[1]) {
				t.Errorf("%s uses %q; want a commit of 40 digits and its version, OWNER/NAME@COMMIT # v1.2.3", file, m[1])
			}
		}
	}
	dockerfile := read(t, "Dockerfile")
	bases, others := digest.FindAllString(dockerfile, -1), stage.FindAllString(dockerfile, -1)
	if got, want := len(bases)+len(others), strings.Count("\n"+dockerfile, "\nFROM "); got != want || len(bases) != 3 {
		t.Errorf("Dockerfile: %d of %d stages begin at one of %d images that are pinned by digest, or at nothing; want all at 3", got, want, len(bases))
	}
	for _, m := range regexp.MustCompile(`(?m)^ARG \w+_IMAGE=(.*)$`).FindAllStringSubmatch(dockerfile, -1) {
		if !strings.Contains(strings.Join(bases, "\n")+"\n", " AS "+m[1]+"\n") {
			t.Errorf("Dockerfile: an argument names %q, which is not a pinned image", m[1])
		}
	}
}

// TestOneGo pins that binaries and images are built, and tested, with one version of Go.
func TestOneGo(t *testing.T) {
	m := regexp.MustCompile(`/golang:(\d+\.\d+\.\d+)-`).FindStringSubmatch(read(t, "Dockerfile"))
	if m == nil {
		t.Fatal("Dockerfile names no golang image by its full version")
	}
	for _, file := range workflows(t) {
		for _, got := range regexp.MustCompile(`go-version: (\S+)`).FindAllStringSubmatch(read(t, file), -1) {
			if got[1] != m[1] {
				t.Errorf("%s sets up Go %s, the Dockerfile %s", file, got[1], m[1])
			}
		}
	}
}

// TestImageRunsAsGitHubWants pins what GitHub asks of the image of a container action: no USER, no WORKDIR, an entry
// point without a shell, to which the action gives its command; and that the default image is the last stage, on an empty base.
func TestImageRunsAsGitHubWants(t *testing.T) {
	stages := regexp.MustCompile(`(?m)^FROM `).Split(read(t, "Dockerfile"), -1)
	last, full := stages[len(stages)-1], stages[len(stages)-2]
	if !strings.HasPrefix(last, "scratch\n") {
		t.Errorf("the last stage begins with %q, want it on scratch", strings.SplitN(last, "\n", 2)[0])
	}
	for _, stage := range []string{last, full} {
		if regexp.MustCompile(`(?m)^(USER|WORKDIR)\b`).MatchString(stage) {
			t.Errorf("a published stage sets USER or WORKDIR:\n%s", stage)
		}
		if want := "ENTRYPOINT [\"/usr/local/bin/mcp-gates\"]\n"; !strings.Contains(stage, want) {
			t.Errorf("a published stage has no %s:\n%s", want, stage)
		}
	}
	for _, file := range []string{"action.yml", "full/action.yml"} {
		if want := "\n  args: [action]\n"; !strings.HasSuffix(read(t, file), want) {
			t.Errorf("%s does not end with %q, the command that the image is to run", file, want)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}
