package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/report/trend"
	"github.com/org/mcp-gates/internal/thorough"
)

// repo is a repository that a test has git make of commits.
type repo struct {
	t      testing.TB
	dir    string
	script bytes.Buffer
	at     int // the newest commit
}

func newRepo(t testing.TB) *repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: git is not installed, which makes the repositories of these tests")
	}
	r := &repo{t: t, dir: t.TempDir()}
	r.git("init", "-q", "-b", "main")
	return r
}

func (r *repo) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = r.dir, &r.script
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit adds a commit on main with these files changed; "" deletes one.
func (r *repo) commit(subject string, files map[string]string) *repo {
	r.at++
	fmt.Fprintf(&r.script, "commit refs/heads/main\nmark :%d\nauthor Ann <a@example.test> %d +0000\ncommitter Ann <a@example.test> %d +0000\ndata %d\n%s\n",
		r.at, 1_700_000_000+r.at*3600, 1_700_000_000+r.at*3600, len(subject), subject)
	if r.at > 1 {
		fmt.Fprintf(&r.script, "from :%d\n", r.at-1)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if files[name] == "" {
			fmt.Fprintf(&r.script, "D %s\n", name)
			continue
		}
		fmt.Fprintf(&r.script, "M 100644 inline %s\ndata %d\n%s\n", name, len(files[name]), files[name])
	}
	return r
}

// open has git make the repository, and opens its history.
func (r *repo) open() (*baseline.Repository, *baseline.History, string) {
	r.t.Helper()
	r.git("fast-import", "--quiet")
	repository, err := baseline.Open(baseline.Place{Dir: r.dir})
	if err != nil {
		r.t.Fatal(err)
	}
	objects, err := repository.History(context.Background())
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { objects.Close() })
	head, err := repository.Head(context.Background())
	if err != nil {
		r.t.Fatal(err)
	}
	return repository, objects, head.SHA
}

// read evaluates the history.
func (r *repo) read(o Options) (*trend.History, *baseline.Repository) {
	r.t.Helper()
	repository, objects, head := r.open()
	o.Head = head
	h, err := Read(context.Background(), objects, o)
	if err != nil {
		r.t.Fatal(err)
	}
	return h, repository
}

// examples returns the files of examples by their paths.
func examples(t testing.TB, names ...string) map[string]string {
	t.Helper()
	files := map[string]string{}
	top := os.DirFS("../../examples")
	for _, name := range names {
		err := fs.WalkDir(top, name, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			content, err := fs.ReadFile(top, path)
			files[path] = string(content)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestEqualsRun holds each commit of random histories to a check of that commit alone: whatever was found in other commits, the
// verdicts and figures are those that run has there.
func TestEqualsRun(t *testing.T) {
	for seed := range uint64(thorough.Size(3, 10)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { equalsRun(t, rand.New(rand.NewPCG(seed, 27))) })
	}
}

func equalsRun(t *testing.T, random *rand.Rand) {
	files := examples(t, "quickstart", "tool-quality", "tool-selection", "findability", "equal-function-sets", "stability", "trajectory", "logs", "discovery", "distractors")
	files["second/mcp-gates.yml"] = secondSuite
	r := newRepo(t).commit("begin", files)
	for i := range 60 {
		r.commit(fmt.Sprintf("change %d", i), randomChange(random, files))
	}
	o := Options{Suites: true, Jobs: 2}
	h, repository := r.read(o)
	if len(h.Points) < 10 {
		t.Fatalf("%d points, want many of 61 commits", len(h.Points))
	}
	for _, p := range h.Points {
		fresh := evaluated(t, repository, p.SHA)
		if diff := cmp.Diff(fresh, figuresOf(p)); diff != "" {
			t.Errorf("commit %s (%s): -run +history\n%s", p.Short(), p.Subject, diff)
		}
	}
}

// secondSuite judges a catalog that another suite names.
const secondSuite = `servers:
  tickets:
    catalog: ../quickstart/catalogs/tickets.json
tool_quality:
  - name: tickets again
    server: tickets
    expect:
      - min_score: { ">=": 0.8 }
`

var numbers = regexp.MustCompile(`\b0\.\d+\b`)

// randomChange edits some files as people do, and notes the edits in files.
func randomChange(random *rand.Rand, files map[string]string) map[string]string {
	names := slices.Sorted(maps.Keys(files))
	changed := map[string]string{}
	for range 1 + random.IntN(3) {
		name := names[random.IntN(len(names))]
		if suites := suitesOf(names); random.IntN(2) == 0 && len(suites) > 0 {
			name = suites[random.IntN(len(suites))]
		}
		switch old := files[name]; random.IntN(7) {
		case 0:
			at := numbers.FindAllStringIndex(old, -1)
			if len(at) > 0 && strings.HasSuffix(name, ".yml") { // a threshold, as a rule
				one := at[random.IntN(len(at))]
				changed[name] = old[:one[0]] + fmt.Sprintf("0.%d", 1+random.IntN(9)) + old[one[1]:]
			}
		case 1:
			changed[name] = strings.Replace(old, "description", "descriptoin", 1)
		case 2:
			if suites := suitesOf(names); len(suites) > 3 || !slices.Contains(suites, name) { // otherwise there is soon nothing to evaluate
				changed[name] = ""
			}
		case 3:
			changed["moved/"+name], changed[name] = old, ""
		case 4:
			changed[name] = strings.Replace(old, "tickets", "ticketz", 1)
		case 5:
			changed[name] = strings.Replace(old, " the ", " any ", 2)
		case 6:
			other := names[random.IntN(len(names))]
			if strings.HasSuffix(other, ".json") && strings.HasSuffix(name, ".json") {
				changed[name] = files[other]
			}
		}
	}
	for name, content := range changed {
		if files[name] = content; content == "" {
			delete(files, name)
		}
	}
	return changed
}

func suitesOf(names []string) (suites []string) {
	for _, name := range names {
		if strings.HasSuffix(name, ".yml") {
			suites = append(suites, name)
		}
	}
	return suites
}

// evaluated returns the figures of a check of one commit.
func evaluated(t *testing.T, repository *baseline.Repository, sha string) []string {
	t.Helper()
	files, err := repository.Files(context.Background(), sha)
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	found := check.Run(context.Background(), files, check.Options{})
	p := &trend.Point{}
	for i := range found.Cases {
		p.Cases = append(p.Cases, trend.CaseOf(&found.Cases[i]))
	}
	for i := range found.Catalogs {
		p.Catalogs = append(p.Catalogs, trend.CatalogOf(&found.Catalogs[i]))
	}
	return figuresOf(p)
}

// figuresOf lists the figures of a commit. A suite that was moved has the name of the newest commit in a history.
func figuresOf(p *trend.Point) (list []string) {
	for _, c := range p.Cases {
		about := fmt.Sprintf("%s [%s] %s %d %s", c.Name, c.Model, c.Verdict, c.Runs, c.Reason)
		list = append(list, about)
		for _, f := range c.Figures {
			list = append(list, fmt.Sprintf("%s: %s %s %s %s %s", about, f.Gate, f.Target, f.Value.Digits(), f.Matcher, f.Verdict))
		}
	}
	for _, c := range p.Catalogs {
		for _, f := range c.Figures {
			list = append(list, fmt.Sprintf("%s %s: %s %s", c.Name, c.Then, f.Target, f.Value.Digits()))
		}
	}
	slices.Sort(list)
	return list
}

// TestUnsearched pins that a commit with more folders than are searched for suites is a gap, and not a commit without suites.
func TestUnsearched(t *testing.T) {
	r := newRepo(t).commit("begin", map[string]string{"mcp-gates.yml": secondSuite, "deep" + strings.Repeat("/d", 2000) + "/f": "1"})
	r.commit("change", map[string]string{"deep" + strings.Repeat("/d", 2000) + "/f": "2"})
	h, _ := r.read(Options{Suites: true})
	if len(h.Points) != 1 || !strings.Contains(h.Points[0].Gap, "folders deep") {
		t.Errorf("got %d points, want one gap: %+v", len(h.Points), h.Points)
	}
}

// TestLinks pins that a link is followed: a change of the file behind it is one of what is read.
func TestLinks(t *testing.T) {
	r := newRepo(t).commit("begin", map[string]string{"real/tools.json": toolsNamed("one"), "mcp-gates.yml": "tool_quality:\n  - {name: q, catalog: link/tools.json}\n"})
	r.script.WriteString("M 120000 inline link\ndata 4\nreal\n")
	r.commit("change", map[string]string{"real/tools.json": toolsNamed("one", "two")}).commit("elsewhere", map[string]string{"a.txt": "a"})
	h, _ := r.read(Options{Suites: true})
	var subjects []string
	for _, p := range h.Points {
		subjects = append(subjects, p.Subject)
	}
	if !slices.Equal(subjects, []string{"begin", "change"}) {
		t.Errorf("got %q, want both commits that change the tools", subjects)
	}
}

func toolsNamed(names ...string) string {
	var tools []string
	for _, name := range names {
		tools = append(tools, fmt.Sprintf(`{"name":%q,"description":"Gets it","inputSchema":{"type":"object"}}`, name))
	}
	return `{"tools":[` + strings.Join(tools, ",") + `]}`
}

// TestRemoved pins that a commit which removes all that is read is one of the history, as is the one that brings it back.
func TestRemoved(t *testing.T) {
	r := newRepo(t).commit("begin", map[string]string{"a.txt": "a"}).commit("add", map[string]string{"c.json": toolsNamed("one")}).
		commit("remove", map[string]string{"c.json": ""}).commit("elsewhere", map[string]string{"a.txt": "b"}).commit("back", map[string]string{"c.json": toolsNamed("one")})
	h, _ := r.read(Options{Catalogs: []NamedCatalog{{Path: "c.json"}}})
	var got []string
	for _, p := range h.Points {
		got = append(got, fmt.Sprint(p.Subject, len(p.Catalogs)))
	}
	if want := []string{"add1", "remove0", "back1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestMissingObjects pins that a commit whose files the clone lacks is a gap with its reason, and that the others stand.
func TestMissingObjects(t *testing.T) {
	r := newRepo(t).commit("begin", map[string]string{"c.json": toolsNamed("one")}).commit("lost", map[string]string{"c.json": toolsNamed("two")}).
		commit("end", map[string]string{"c.json": toolsNamed("one", "two")})
	o := Options{Catalogs: []NamedCatalog{{Path: "c.json"}}}
	_, objects, head := r.open()
	o.Head = head
	blob := r.git("rev-parse", "main~1:c.json")
	if err := os.Remove(filepath.Join(r.dir, ".git/objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	h, err := Read(context.Background(), objects, o)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range h.Points {
		got = append(got, fmt.Sprint(p.Subject, len(p.Catalogs), strings.Contains(p.Gap, "not in the local clone")))
	}
	if want := []string{"begin1 false", "lost0 true", "end1 false"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestMaxWork pins that a history that takes more evaluations than it may is refused, and one that takes as many is not.
func TestMaxWork(t *testing.T) {
	r := newRepo(t)
	for i := range 5 {
		r.commit("change", map[string]string{"c.json": toolsNamed(fmt.Sprintf("tool%d", i))})
	}
	_, objects, head := r.open()
	for most, want := range map[int]error{0: nil, 5: nil, 3: ErrWork} {
		_, err := Read(context.Background(), objects, Options{Head: head, Catalogs: []NamedCatalog{{Path: "c.json"}}, MaxWork: most, Jobs: 1})
		if !errors.Is(err, want) || err != nil && want == nil {
			t.Errorf("at most %d: %v, want %v", most, err, want)
		}
	}
	h, err := Read(context.Background(), objects, Options{Head: head, Catalogs: []NamedCatalog{{Path: "c.json"}}, MaxLooked: 2})
	if err != nil || len(h.Points) != 2 || !h.More {
		t.Errorf("of 2 commits: %d points, %v, more: %v", len(h.Points), err, h.More)
	}
}
