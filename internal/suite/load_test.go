package suite

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/source"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the wanted parts of testdata")

// TestMistakes pins every mistake, at its place, of the suites in testdata/mistakes, and what it stops: the first file of each archive.
func TestMistakes(t *testing.T) {
	golden(t, "testdata/mistakes/*.txtar", func(s *Suite, errs source.Errors) string {
		if len(errs) == 0 {
			return "no mistakes\n"
		}
		return errs.Error() + "\n" + describeRest(s)
	})
}

// describeRest shows which cases the mistakes of a suite stop.
func describeRest(s *Suite) string {
	if s == nil {
		return "no case is read\n"
	}
	var b strings.Builder
	for _, c := range s.Cases {
		state := "read"
		switch {
		case len(c.Mistakes) > 0:
			state = fmt.Sprintf("%d mistakes, the first at %s", len(c.Mistakes), c.Mistakes[0].Pos)
		case c.LeftOut != nil:
			state = "left out"
		}
		fmt.Fprintf(&b, "%s: %s\n", c.ID, state)
	}
	return b.String()
}

// TestSuites pins what becomes of the suites in testdata/good.
func TestSuites(t *testing.T) {
	golden(t, "testdata/good/*.txtar", func(s *Suite, errs source.Errors) string {
		if len(errs) > 0 {
			return errs.Error() + "\n"
		}
		return describe(s)
	})
}

// golden loads the first file of each archive and compares what show makes of it with the file "want".
func golden(t *testing.T, pattern string, show func(*Suite, source.Errors) string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files match %s: %v", pattern, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			fsys, want := unpack(archive)
			got := show(NewLoader(fsys).Load(archive.Files[0].Name))
			if *update {
				rewrite(t, file, archive, got)
				return
			}
			if diff := cmp.Diff(got, want); diff != "" {
				t.Errorf("%s (-got +want):\n%s", file, diff)
			}
		})
	}
}

func unpack(archive *txtar.Archive) (fsys fstest.MapFS, want string) {
	fsys = fstest.MapFS{}
	for _, f := range archive.Files {
		if f.Name == "want" {
			want = string(f.Data)
			continue
		}
		fsys[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return fsys, want
}

func rewrite(t *testing.T, file string, archive *txtar.Archive, got string) {
	t.Helper()
	kept := archive.Files[:0]
	for _, f := range archive.Files {
		if f.Name != "want" {
			kept = append(kept, f)
		}
	}
	archive.Files = append(kept, txtar.File{Name: "want", Data: []byte(got)})
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// describe shows what tests look at of a suite.
func describe(s *Suite) string {
	var b strings.Builder
	fmt.Fprintf(&b, "suite %q\n", s.Name)
	for _, v := range s.Variables {
		fmt.Fprintf(&b, "variable %+v\n", v)
	}
	for _, each := range s.Servers {
		tools := -1
		if each.Snapshot != nil {
			tools = len(each.Snapshot.Tools)
		}
		fmt.Fprintf(&b, "server %q tools %d start %+v\n", each.Name, tools, each.Start)
		if each.Source != nil {
			fmt.Fprintf(&b, "  source %q\n", each.Source)
		}
	}
	for _, c := range s.Catalogs {
		fmt.Fprintf(&b, "catalog %q of %q\n", c.Path, c.Name)
		if c.Source != nil {
			fmt.Fprintf(&b, "  source %q\n", c.Source)
		}
	}
	for _, c := range s.Cases {
		describeCase(&b, c)
	}
	for _, w := range s.Warnings {
		fmt.Fprintf(&b, "warning %s\n", w)
	}
	return b.String()
}

func describeAgent(b *strings.Builder, a *Agent) {
	shown := *a
	shown.Pos, shown.CommandPos, shown.Preset = source.Pos{}, source.Pos{}, nil
	fmt.Fprintf(b, "  agent %s at %s %+v\n", a.Title(), a.Pos, shown)
}

func describeCase(b *strings.Builder, c *Case) {
	fmt.Fprintf(b, "case %s (%s) at %s kind %d\n", c.ID, c.DisplayName(), c.Pos, c.Kind)
	fmt.Fprintf(b, "  servers %q runs %d tags %q errors %d stale %q\n", c.ServerNames, c.Runs, c.Tags, c.AllowRunErrors, c.StaleCatalog)
	fmt.Fprintf(b, "  cassettes %q at %s\n", c.Cassettes, c.CassettePos)
	if c.HasPrompt || c.HasSystemPrompt {
		fmt.Fprintf(b, "  prompt %q system %q\n", c.Prompt, c.SystemPrompt)
	}
	if (c.Live != Live{}) {
		fmt.Fprintf(b, "  live %+v\n", c.Live)
	}
	for _, f := range c.Faults {
		fmt.Fprintf(b, "  fault %s at %s\n", f.Written(), f.Pos)
	}
	if c.Agent != nil {
		describeAgent(b, c.Agent)
	}
	if c.LeftOut != nil {
		fmt.Fprintf(b, "  left out at %s: %s\n", c.LeftOut.Pos, c.LeftOut.Reason)
	}
	for _, check := range c.Checks {
		fmt.Fprintf(b, "  gate %s at %s\n", check.Gate.Name, check.Pos)
	}
	for _, m := range c.Members {
		fmt.Fprintf(b, "  member %s at %s\n", m.Name, m.Pos)
	}
	if !c.Expect.Empty() {
		fmt.Fprintf(b, "  expects of runs\n")
	}
}

// TestExamples pins that the worked examples people come with load as they stand.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("testdata/examples/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			s, errs := NewLoader(os.DirFS("testdata/examples")).Load(filepath.Base(file))
			if len(errs) > 0 {
				t.Fatalf("Load(%s):\n%s", file, errs)
			}
			gateless := filepath.Base(file) == "multi_run.yml" // which the page shows without a gate
			if gateless && len(s.Cases) == 1 && s.Cases[0].LeftOut != nil && len(s.Warnings) == 1 {
				return
			}
			if len(s.Cases) == 0 || len(s.Warnings) > 0 {
				t.Errorf("Load(%s): got %d cases and warnings %q, want cases without warnings", file, len(s.Cases), s.Warnings)
			}
		})
	}
}

// TestRealSuites pins that suites made of published agent runs load.
func TestRealSuites(t *testing.T) {
	dir := os.Getenv("MCP_GATES_DATA")
	if dir == "" {
		t.Skip("SKIPPED: set MCP_GATES_DATA to the folder with published agent runs to load suites of real size")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	files, err := Find(root.FS(), nil)
	if err != nil || len(files) != 4 {
		t.Fatalf("Find in %s: got %q, %v, want 4 suites", dir, files, err)
	}
	loader := NewLoader(root.FS())
	for _, file := range files {
		s, errs := loader.Load(file)
		if len(errs) > 0 {
			t.Errorf("Load(%s):\n%s", file, errs)
			continue
		}
		for _, c := range s.Cases {
			if _, err := fs.Stat(root.FS(), c.Cassettes[0]); err != nil {
				t.Errorf("%s: cassette of %q: %v", file, c.Name, err)
			}
		}
	}
}
