package layout_test

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// workflow is a workflow, as far as these tests read it.
type workflow struct {
	On          yaml.Node
	Permissions map[string]string
	Concurrency yaml.Node
	Jobs        map[string]*workflowJob
}

type workflowJob struct {
	Needs       yaml.Node
	If          string
	Uses        string
	Permissions map[string]string
	Steps       []workflowStep
	Timeout     int `yaml:"timeout-minutes"`
	Secrets     yaml.Node
	Strategy    yaml.Node
	RunsOn      string `yaml:"runs-on"`
	Environment string
}

type workflowStep struct {
	Name      string
	Uses, Run string
	With, Env map[string]string
}

// needs returns the jobs that a job waits for.
func (j *workflowJob) needs() []string {
	var one string
	var several []string
	if j.Needs.Decode(&one) == nil && one != "" {
		return []string{one}
	}
	_ = j.Needs.Decode(&several) // neither: none
	return several
}

// workflows lists the workflows of this repository and those that it offers.
func workflows(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, dir := range []string{".github/workflows", "examples/workflows"} {
		found, err := fs.Glob(os.DirFS("."), dir+"/*.yml")
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no workflows (%v)", dir, err)
		}
		files = append(files, found...)
	}
	return append(files, ofInit)
}

// ofInit is the workflow that init writes, of two files.
const ofInit = "internal/cli/init_workflow.yml"

func workflowText(t *testing.T, file string) string {
	t.Helper()
	text := read(t, file)
	if file == ofInit {
		text += read(t, "internal/cli/init_snapshot_job.yml")
	}
	return text
}

func readWorkflow(t *testing.T, file string) *workflow {
	t.Helper()
	w := new(workflow)
	if err := yaml.Unmarshal([]byte(workflowText(t, file)), w); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if len(w.Jobs) == 0 {
		t.Fatalf("%s has no job", file)
	}
	return w
}

// TestWorkflowsGrantNothingByDefault pins that a job has only the permissions that it asks for (zizmor's excessive-permissions).
func TestWorkflowsGrantNothingByDefault(t *testing.T) {
	for _, file := range workflows(t) {
		w := readWorkflow(t, file)
		if !strings.Contains(workflowText(t, file), "\npermissions: {}\n") {
			t.Errorf("%s: want %q at the top level", file, "permissions: {}")
		}
		for name, j := range w.Jobs {
			if j.Permissions == nil {
				t.Errorf("%s: the job %s has no permissions of its own", file, name)
			}
			if j.Timeout == 0 && j.Uses == "" {
				t.Errorf("%s: the job %s has no timeout", file, name)
			}
		}
		if isCalled := strings.Contains(workflowText(t, file), "\n  workflow_call:\n"); w.Concurrency.IsZero() != isCalled {
			t.Errorf("%s: want a concurrency group at the top level, unless another workflow calls it", file)
		}
	}
}

// usesOf are the words in a job that need a permission; a job with the permission has one of them.
var usesOf = map[string][]string{
	"contents: read":         {"actions/checkout@", "gh release ", "org/mcp-gates@", "uses: ./"},
	"contents: write":        {"git push", "gh release edit", "gh release upload", "goreleaser/goreleaser-action@"},
	"packages: write":        {"docker/login-action@"},
	"id-token: write":        {"cosign sign", "goreleaser/goreleaser-action@", "npm publish", ".ci/publish-npm", "ossf/scorecard-action@"},
	"attestations: write":    {"actions/attest-build-provenance@"},
	"attestations: read":     {"gh attestation verify", "gh release verify"},
	"checks: write":          {"org/mcp-gates@", "org/mcp-gates/full@", "uses: ./\n"},
	"pull-requests: write":   {"org/mcp-gates@", "org/mcp-gates/full@", "uses: ./\n", "gh pr create"},
	"pull-requests: read":    {"org/mcp-gates@", "gh pr "},
	"security-events: write": {"github/codeql-action/"},
	"issues: write":          {"gh issue create"},
	"actions: read":          {"actions/download-artifact@", "org/mcp-gates@"},
}

// TestPermissionsAreUsed holds each permission of a job to something that needs it.
func TestPermissionsAreUsed(t *testing.T) {
	for _, file := range workflows(t) {
		for name, j := range readWorkflow(t, file).Jobs {
			text := jobText(t, file, name, j)
			for _, scope := range slices.Sorted(maps.Keys(j.Permissions)) {
				permission := scope + ": " + j.Permissions[scope]
				if !slices.ContainsFunc(usesOf[permission], func(word string) bool { return strings.Contains(text, word) }) {
					t.Errorf("%s: the job %s has the permission %q, and nothing that needs it", file, name, permission)
				}
				off := map[string]string{"checks: write": "check-name: ['\"]?off", "pull-requests: write": "comment: ['\"]?off"}[permission]
				if off != "" && regexp.MustCompile(off).MatchString(text) && !strings.Contains(text, "gh pr create") {
					t.Errorf("%s: the job %s has the permission %q, and switches off what needs it", file, name, permission)
				}
			}
		}
	}
}

// jobText is a job as it is written, with the workflow that it calls.
func jobText(t *testing.T, file, name string, j *workflowJob) string {
	t.Helper()
	_, text, ok := strings.Cut(workflowText(t, file), "\n  "+name+":\n")
	if !ok {
		t.Fatalf("%s: the job %s is not found", file, name)
	}
	if next := regexp.MustCompile(`(?m)^  [\w-]+:$`).FindStringIndex(text); next != nil {
		text = text[:next[0]]
	}
	if j.Uses != "" {
		text += workflowText(t, strings.TrimPrefix(j.Uses, "./"))
	}
	return text
}

// TestNoExpressionIsCode holds scripts to variables of the environment: an expression in a script is code of whoever wrote its value
// (zizmor's template-injection and github-env).
func TestNoExpressionIsCode(t *testing.T) {
	for _, file := range workflows(t) {
		for name, j := range readWorkflow(t, file).Jobs {
			for _, s := range j.Steps {
				if strings.Contains(s.Run, "${{") {
					t.Errorf("%s: the job %s has an expression in a script:\n%s", file, name, s.Run)
				}
				if regexp.MustCompile(`GITHUB_(ENV|PATH)\b`).MatchString(s.Run) {
					t.Errorf("%s: the job %s changes the environment of later steps:\n%s", file, name, s.Run)
				}
				if strings.HasPrefix(s.Uses, "actions/github-script@") {
					t.Errorf("%s: the job %s has a script in an input", file, name)
				}
			}
		}
	}
}

// TestNoCredentialsStay pins that no checkout leaves the token in the workspace, where every later step, and what is uploaded, has it
// (zizmor's artipacked); and that secrets are not handed on as a whole (secrets-inherit).
func TestNoCredentialsStay(t *testing.T) {
	for _, file := range workflows(t) {
		for name, j := range readWorkflow(t, file).Jobs {
			if !j.Secrets.IsZero() {
				t.Errorf("%s: the job %s hands secrets on", file, name)
			}
			for _, s := range j.Steps {
				if strings.HasPrefix(s.Uses, "actions/checkout@") && s.With["persist-credentials"] != "false" {
					t.Errorf("%s: the job %s checks out without %q", file, name, "persist-credentials: false")
				}
			}
		}
	}
}

// TestTriggers pins that only the one example that is made for it runs with the rights of the base on a change of a stranger
// (zizmor's dangerous-triggers), and that it checks nothing out.
func TestTriggers(t *testing.T) {
	for _, file := range workflows(t) {
		w := readWorkflow(t, file)
		on, err := yaml.Marshal(&w.On)
		if err != nil {
			t.Fatal(err)
		}
		isPrivileged := regexp.MustCompile(`\b(pull_request_target|workflow_run|issue_comment|repository_dispatch)\b`).Match(on)
		if allowed := path.Base(file) == "fork-safe-publish.yml"; isPrivileged != allowed {
			t.Errorf("%s runs with the rights of the base on what strangers write: %v, want %v", file, isPrivileged, allowed)
		}
		if isPrivileged && strings.Contains(workflowText(t, file), "actions/checkout@") {
			t.Errorf("%s checks out in a privileged event", file)
		}
	}
}

// TestReleaseBuildsFromNothing pins that what another run left in a cache has no place in a release (zizmor's cache-poisoning).
func TestReleaseBuildsFromNothing(t *testing.T) {
	for name, j := range readWorkflow(t, ".github/workflows/release.yml").Jobs {
		for _, s := range j.Steps {
			if strings.HasPrefix(s.Uses, "actions/setup-go@") && s.With["cache"] != "false" {
				t.Errorf("the job %s of a release sets up Go with a cache", name)
			}
			if strings.HasPrefix(s.Uses, "docker/build-push-action@") && s.With["no-cache"] != "true" {
				t.Errorf("the job %s of a release builds an image with a cache", name)
			}
			if strings.HasPrefix(s.Uses, "actions/cache") {
				t.Errorf("the job %s of a release restores a cache", name)
			}
		}
	}
}

// TestReleaseIsTriedFirst holds the order of a release: the major tag, and the packages that a registry never takes back, come after
// the published release was tried, which comes after everything is in it.
func TestReleaseIsTriedFirst(t *testing.T) {
	const file = ".github/workflows/release.yml"
	w := readWorkflow(t, file)
	var after func(job string) map[string]bool
	after = func(job string) map[string]bool {
		all := map[string]bool{}
		for _, one := range w.Jobs[job].needs() {
			if w.Jobs[one] == nil {
				t.Fatalf("%s needs %s, which is not there", job, one)
			}
			all[one] = true
			maps.Copy(all, after(one))
		}
		return all
	}
	for job, want := range map[string][]string{
		"image": {"version"}, "tag": {"image"}, "binaries": {"tag"}, "publish": {"image", "binaries"},
		"try": {"publish"}, "major": {"try"}, "packages": {"major"},
	} {
		if w.Jobs[job] == nil {
			t.Fatalf("%s has no job %s", file, job)
		}
		got := after(job)
		for _, one := range want {
			if !got[one] {
				t.Errorf("%s: %s does not wait for %s", file, job, one)
			}
		}
		if strings.Contains(w.Jobs[job].If, "always") || strings.Contains(w.Jobs[job].If, "cancelled") || strings.Contains(w.Jobs[job].If, "failure") {
			t.Errorf("%s: %s runs also where an earlier job failed", file, job)
		}
	}
	for name, j := range w.Jobs {
		text := jobText(t, file, name, j)
		if moves := strings.Contains(text, "$MAJOR"); moves != (name == "major") {
			t.Errorf("%s: %s moves the major tag or the images' major name: %v", file, name, moves)
		}
		if publishes := strings.Contains(text, "--draft=false"); publishes != (name == "publish") {
			t.Errorf("%s: %s publishes the release: %v", file, name, publishes)
		}
	}
	if got, want := w.Jobs["try"].Uses, "./.github/workflows/try.yml"; got != want {
		t.Errorf("%s tries by %q, want %q", file, got, want)
	}
	if pushed := `.ci/push-release --atomic "refs/heads/releases/${TAG%.*}" "refs/tags/$TAG"`; !strings.Contains(jobText(t, file, "tag", w.Jobs["tag"]), pushed) {
		t.Errorf("%s: the tag is pushed without %q", file, pushed)
	}
}

// TestReleaseCanGoOn holds what makes it safe to start a failed job of a release again: one draft, no version that is not in the
// changelog, packages that npm has already, and no name that moves back.
func TestReleaseCanGoOn(t *testing.T) {
	const file = ".github/workflows/release.yml"
	if !strings.Contains(read(t, ".goreleaser.yaml"), "\n  draft: true\n") || !strings.Contains(read(t, ".goreleaser.yaml"), "\n  replace_existing_draft: true\n") {
		t.Error(".goreleaser.yaml leaves two drafts where it runs twice")
	}
	w := readWorkflow(t, file)
	for job, steps := range map[string][]string{
		"version": {`.ci/release-notes "$version"`, ".ci/run"}, "binaries": {".ci/release-notes", "goreleaser/goreleaser-action@", "gh release upload"},
		"major":    {`.ci/newest "$TAG"`, "docker buildx imagetools", ".ci/push-release --force"},
		"packages": {`.ci/newest "$TAG"`, ".ci/publish-npm", "git diff --cached --quiet || git commit"},
	} {
		text := jobText(t, file, job, w.Jobs[job])
		for _, step := range steps {
			_, after, ok := strings.Cut(text, step)
			if !ok {
				t.Errorf("%s: %s has no %q, or not in the order of %q", file, job, step, steps)
			}
			text = after
		}
	}
	for name, j := range w.Jobs {
		if uses := strings.Contains(jobText(t, file, name, j), "secrets.RELEASE_KEY"); uses != (j.Environment == "release") {
			t.Errorf("%s: %s has the key of the environment release: %v, and is in the environment %q", file, name, uses, j.Environment)
		}
	}
}

// TestTryTriesEverything holds what is tried of a release to what is in it: the action with its pinned images, red and green, both
// images, the binary of each released platform, the signatures, the attestations, and that it cannot be changed.
func TestTryTriesEverything(t *testing.T) {
	const file = ".github/workflows/try.yml"
	w := readWorkflow(t, file)
	text := read(t, file)
	for _, want := range []string{
		"uses: ./released\n", "uses: ./released/full\n", "image: [mcp-gates, mcp-gates-full]", "cosign verify ", "cosign verify-blob ",
		"gh attestation verify \"oci://", "gh attestation verify \"$archive\"", "gh release verify \"$RELEASE\"", "checksums.txt.sigstore.json", "--bundle checksums.intoto.jsonl", "gh release verify-asset ",
		"'failure fail'", "'success pass 0'", "tool-selection/failing.yml", "NOTICES.txt",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s has no %q", file, want)
		}
	}
	config := read(t, ".goreleaser.yaml")
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, machine := range []string{"amd64", "arm64"} {
			if !strings.Contains(config, system) || !strings.Contains(config, machine) {
				t.Errorf(".goreleaser.yaml does not build for %s on %s", system, machine)
			}
			if !strings.Contains(text, "archive: "+system+"_"+machine+".") {
				t.Errorf("%s does not try the binary for %s on %s", file, system, machine)
			}
		}
	}
	for name, j := range w.Jobs {
		runners, err := yaml.Marshal(&j.Strategy)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range j.Steps {
			if strings.HasPrefix(s.Uses, "sigstore/cosign-installer@") && strings.Contains(string(runners), "windows-11-arm") {
				t.Errorf("%s: %s installs cosign where there is none: for Windows on ARM", file, name)
			}
			if s.With["check-name"] != "" && s.With["check-name"] != "off" {
				t.Errorf("%s: %s writes a check run", file, name)
			}
		}
	}
	canary := readWorkflow(t, ".github/workflows/canary.yml")
	if canary.Jobs["try"].Uses != "./"+file || !strings.Contains(read(t, ".github/workflows/canary.yml"), "uses: org/mcp-gates@v1\n") {
		t.Error("canary.yml does not try the newest release, or not as users write it")
	}
}

// TestStampsAgree holds the three places that stamp a build to one another: the Dockerfile, .goreleaser.yaml and .ci/build.
func TestStampsAgree(t *testing.T) {
	flags := regexp.MustCompile(`-trimpath|-buildvcs=false|-buildid=[^\s"]*|-s -w|internal/cli\.stamped\w+=`)
	var want []string
	for _, file := range []string{".ci/build", "Dockerfile", ".goreleaser.yaml"} {
		text := strings.ReplaceAll(read(t, file), "$stamp.", "internal/cli.")
		got := flags.FindAllString(text, -1)
		slices.Sort(got)
		got = slices.Compact(got)
		if want == nil {
			want = got
		}
		if len(got) != 6 || !slices.Equal(got, want) {
			t.Errorf("%s builds with %q, want %q as .ci/build", file, got, want)
		}
	}
	for _, file := range []string{"internal/cli/version.go"} {
		for _, name := range []string{"stampedCommit ", "stampedRelease "} {
			if !strings.Contains(read(t, file), "\t"+name) {
				t.Errorf("%s has no variable %s", file, name)
			}
		}
	}
}
