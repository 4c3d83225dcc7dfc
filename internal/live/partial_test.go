package live

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// memory keeps partial recordings in memory, with room for so many writes.
type memory struct {
	files fstest.MapFS
	room  int
}

func (m *memory) Begin(path string, text []byte, replaces bool) (io.WriteCloser, error) {
	if m.files[path] != nil && !replaces {
		return nil, errors.New("it is there")
	}
	m.files[path] = &fstest.MapFile{}
	w := memoryFile{m, path}
	if _, err := w.Write(text); err != nil {
		delete(m.files, path)
		return nil, err
	}
	return w, nil
}

func (m *memory) Remove(path string) error {
	delete(m.files, path)
	return nil
}

func (m *memory) Tracked(context.Context, string) (bool, error) { return false, nil }

type memoryFile struct {
	in   *memory
	path string
}

func (f memoryFile) Write(text []byte) (int, error) {
	if f.in.room--; f.in.room < 0 {
		return 0, errors.New("the disk is full")
	}
	f.in.files[f.path].Data = append(f.in.files[f.path].Data, text...)
	return len(text), nil
}

func (memoryFile) Close() error { return nil }

const partialSuite = `
agents:
  - name: curve
    model: "builtin:lexical"
    prompt: Say hello to kXJ3n5-first.
    runs: 2
    distractors: { count: 3, curve: [1, 2, 3], source: { from: catalog } }
`

const partialCassette = "cassettes/mcp-gates/curve.json"

// partialRun is a recording of the six runs of partialSuite, one after the other.
type partialRun struct {
	files  fstest.MapFS
	ends   int // after so many runs somebody interrupts it; 0 for never
	breaks int // the run of that number breaks; 0 for none
	room   int // for so many writes of partial recordings
	resume bool
}

// breaking is a provider of which one run breaks, and all others name their secret.
type breaking struct{ run int }

func (b breaking) Turn(_ context.Context, req model.Request) (model.Reply, error) {
	if req.Run == b.run {
		return model.Reply{}, errors.New("the provider broke")
	}
	secret := "gh" + "p_R4nd0mB0dy7890abcdefghijKLMN" + strings.Repeat("x", req.Run)
	return model.Reply{Text: "run " + secret, Stop: model.StopEndTurn, Model: "m"}, nil
}

// do makes the recording and returns its runner.
func (p partialRun) do(t *testing.T) (*Runner, error) {
	t.Helper()
	p.files["mcp-gates.yml"] = &fstest.MapFile{Data: []byte(partialSuite)}
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	save := func(path string, write func(io.Writer) error) error {
		var out bytes.Buffer
		err := write(&out)
		p.files[path] = &fstest.MapFile{Data: out.Bytes()}
		return err
	}
	ended := 0
	r := NewRunner(ctx, Options{
		Getenv: func(string) string { return "" }, FS: p.files, Jobs: 1, Save: save, Resume: p.resume, Partials: &memory{p.files, p.room},
		Progress: func(s Status) {
			if ended = s.Done; p.ends > 0 && ended == p.ends {
				interrupt()
			}
		},
	})
	s, errs := suite.NewLoader(p.files).Load("mcp-gates.yml")
	if len(errs) > 0 {
		t.Fatal(errs.Err())
	}
	ready, errs := r.Prepare(s, s.Cases)
	if len(errs) > 0 {
		return r, errs.Err()
	}
	ready.plans[s.Cases[0]].provider = breaking{p.breaks}
	_, err := ready.Run(ctx, s.Cases[0])
	return r, err
}

// repliesOf returns the replies of a recording, each of which names another secret.
func repliesOf(t *testing.T, files fstest.MapFS) (replies, offered []string) {
	t.Helper()
	tr, errs := trace.Read(files, []string{partialCassette}, trace.KeepAnswers)
	if len(errs) > 0 {
		t.Fatal(errs.Err())
	}
	for i := range tr.Runs {
		replies = append(replies, tr.Runs[i].FinalResponse)
		offered = append(offered, string(rune('0'+tr.Runs[i].Offered.N)))
	}
	return replies, offered
}

// TestResume pins that a recording that was interrupted after any run, and gone on from, holds the runs of one that was not: at the
// same points of a curve, each secret with a number of its own.
func TestResume(t *testing.T) {
	whole := partialRun{files: fstest.MapFS{}, room: 100}
	if _, err := whole.do(t); err != nil {
		t.Fatal(err)
	}
	_, want := repliesOf(t, whole.files)
	for ends := 1; ends < 6; ends++ {
		files := fstest.MapFS{}
		if _, err := (partialRun{files: files, room: 100, ends: ends}).do(t); err == nil {
			t.Fatalf("nobody has interrupted it after %d runs", ends)
		}
		if files[partialCassette] != nil {
			t.Fatalf("there is a recording after %d runs", ends)
		}
		if _, err := (partialRun{files: files, room: 100}).do(t); err == nil || !strings.Contains(err.Error(), "--resume") {
			t.Errorf("a recording began again: %v", err)
		}
		if _, err := (partialRun{files: files, room: 100, resume: true}).do(t); err != nil {
			t.Fatal(err)
		}
		replies, offered := repliesOf(t, files)
		if got := strings.Join(offered, ""); got != strings.Join(want, "") {
			t.Errorf("after %d runs: distractors %s, want %s", ends, got, want)
		}
		seen := map[string]bool{}
		for _, reply := range replies {
			if seen[reply] || !strings.HasPrefix(reply, "run [REDACTED:github:") {
				t.Errorf("after %d runs: %q, want a secret of its own in each", ends, replies)
			}
			seen[reply] = true
		}
		if files[partialCassette+trace.PartialSuffix] != nil {
			t.Error("the partial recording is left")
		}
	}
}

// TestKeptWithoutRoom pins that lines that could not be written are written later, and that those that never could are told.
func TestKeptWithoutRoom(t *testing.T) {
	files := fstest.MapFS{}
	r, err := (partialRun{files: files, room: 3, ends: 5}).do(t)
	if err == nil {
		t.Fatal("nobody has interrupted it")
	}
	p, errs := trace.ReadPartial(files, partialCassette+trace.PartialSuffix)
	if len(errs) > 0 || len(p.Runs) != 3 {
		t.Errorf("%d runs are kept, %v, want 3", len(p.Runs), errs.Err())
	}
	want := `2 runs of "curve" could not be kept in ` + partialCassette + trace.PartialSuffix + `: the disk is full`
	if got := strings.Join(r.Notes(), "\n"); got != want {
		t.Errorf("notes: got %q, want %q", got, want)
	}
	kept := r.Recordings().Kept
	if len(kept) != 1 || kept[0].Finished != 3 || kept[0].Missing != 3 || kept[0].Runs != 6 {
		t.Errorf("kept: %+v, want three runs, of which three are missing", kept)
	}
}

// TestBrokenRunsStayCounted pins that a run that broke first is kept once another has finished, and that one is made beside it at
// the same point of the curve.
func TestBrokenRunsStayCounted(t *testing.T) {
	files := fstest.MapFS{}
	r, err := (partialRun{files: files, room: 100, breaks: 1}).do(t)
	if err != nil {
		t.Fatal(err)
	}
	kept := r.Recordings().Kept
	if len(kept) != 1 || kept[0].Finished != 5 || kept[0].Broken != 1 || kept[0].Missing != 1 {
		t.Fatalf("kept: %+v, want five runs and one that broke, beside which one is missing", kept)
	}
	if r, err = (partialRun{files: files, room: 100, resume: true}).do(t); err != nil {
		t.Fatal(err)
	}
	kept = r.Recordings().Kept
	if len(kept) != 1 || kept[0].Finished != 6 || kept[0].Broken != 1 || kept[0].Missing != 0 {
		t.Fatalf("kept: %+v, want six runs and one that broke", kept)
	}
	p, errs := trace.ReadPartial(files, partialCassette+trace.PartialSuffix)
	if len(errs) > 0 {
		t.Fatal(errs.Err())
	}
	if last := p.Runs[6]; last.Number != 7 || last.Beside != 1 || last.Offered.N != 1 {
		t.Errorf("the last run has number %d, is beside %d, and was offered %d, want 7, 1 and 1", last.Number, last.Beside, last.Offered.N)
	}
	// Where no run finishes, nothing is kept.
	files = fstest.MapFS{}
	if _, err := (partialRun{files: files, room: 100, ends: 1, breaks: 1}).do(t); err == nil || files[partialCassette+trace.PartialSuffix] != nil {
		t.Errorf("%v, and a partial recording of nothing", err)
	}
}
