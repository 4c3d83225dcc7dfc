package trace_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/trace"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what was found to the examples")

const keepAll = trace.KeepArgs | trace.KeepResults | trace.KeepTurns | trace.KeepAnswers

// files returns the files of an archive but for "want", and their names in order.
func files(ar *txtar.Archive) (fstest.MapFS, []string) {
	fsys := fstest.MapFS{}
	var names []string
	for _, f := range ar.Files {
		if f.Name != "want" {
			fsys[f.Name] = &fstest.MapFile{Data: f.Data}
			names = append(names, f.Name)
		}
	}
	return fsys, names
}

// golden runs found over the files of every archive that matches pattern, and compares what it returns with "want".
func golden(t *testing.T, pattern string, found func(t *testing.T, fsys fstest.MapFS, names []string) string) {
	t.Helper()
	archives, err := filepath.Glob(pattern)
	if err != nil || len(archives) == 0 {
		t.Fatalf("no examples match %s (%v)", pattern, err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			fsys, names := files(ar)
			compare(t, path, ar, found(t, fsys, names))
		})
	}
}

func compare(t *testing.T, path string, ar *txtar.Archive, got string) {
	t.Helper()
	want := ""
	for i, f := range ar.Files {
		if f.Name == "want" {
			want, ar.Files[i].Data = string(f.Data), []byte(got)
		}
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(ar), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("%s (-got +want):\n%s", path, diff)
	}
}

// TestMistakes pins every mistake and its place, the same whatever is kept.
func TestMistakes(t *testing.T) {
	golden(t, "testdata/mistakes/*.txtar", func(t *testing.T, fsys fstest.MapFS, names []string) string {
		tr, errs := trace.Read(fsys, names, keepAll)
		if errs == nil || tr != nil {
			t.Fatalf("got trace %v and mistakes %v, want no trace and some mistakes", tr, errs)
		}
		_, fewer := trace.Read(fsys, names, 0)
		if diff := cmp.Diff(fewer.Error(), errs.Error()); diff != "" {
			t.Errorf("mistakes differ when nothing is kept (-nothing +everything):\n%s", diff)
		}
		return errs.Error() + "\n"
	})
}

// TestShapes pins what the accepted shapes mean: "want" is the cassette that they are written back as.
func TestShapes(t *testing.T) {
	golden(t, "testdata/shapes/*.txtar", func(t *testing.T, fsys fstest.MapFS, names []string) string {
		tr, errs := trace.Read(fsys, names, keepAll)
		if errs != nil {
			t.Fatal(errs)
		}
		return written(t, tr)
	})
}

func written(t *testing.T, tr *trace.Trace) string {
	t.Helper()
	var out strings.Builder
	if err := trace.Write(&out, tr); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func readAll(t *testing.T, content string) *trace.Trace {
	t.Helper()
	fsys := fstest.MapFS{"a.json": {Data: []byte(content)}}
	tr, errs := trace.Read(fsys, []string{"a.json"}, keepAll)
	if errs != nil {
		t.Fatalf("%.500s\n%s", content, errs)
	}
	return tr
}

// archived returns the files of an archive but for "want".
func archived(f *testing.F, path string) [][]byte {
	f.Helper()
	ar, err := txtar.ParseFile(path)
	if err != nil {
		f.Fatal(err)
	}
	var contents [][]byte
	for _, file := range ar.Files {
		if file.Name != "want" {
			contents = append(contents, file.Data)
		}
	}
	return contents
}
