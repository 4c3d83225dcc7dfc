package imports

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/source"
)

// plain is a format for the tests of what all formats have in common: each line calls one method of a session.
var plain = &Format{
	Name: "core", Builtins: []string{"Bash"},
	Open: func(to *Sink) Reader { return &plainReader{to: to} },
}

// interleaved is plain with the session's key in each line.
var interleaved = &Format{Name: "interleaved", Interleaved: true, Open: plain.Open}

type plainReader struct{ to *Sink }

type plainLine struct {
	Session string `json:"session"`
	Time    string
	ID      string `json:"id"` // of a record that is read once
	Output  bool   // the line is of the agent's output
	Name    []string
	Say     *struct {
		Role, Text, ID, Agent, Once string
		Aside                       bool
	}
	At *struct {
		Time int64
		In   string
	}
	Works   []string
	Spare   bool // what the line adds
	Ask     *plainCall
	Answer  *plainResult
	Execute *struct {
		ID, Parent string
		Call       plainCall
		Result     plainResult
	}
	Spend *struct {
		Reply         string
		Whole         bool
		Input, Output Number
		Cost          Dollars
	}
	Offer    *struct{ Server, Name string }
	Delegate []string
	Link     []string
	Ended    bool
	Unended  string
	Done     bool
}

type plainCall struct {
	ID, Name, Server, Agent, Reply string
	Args                           jsontext.Value
	Absent                         bool
}

func (c plainCall) call() Call {
	return Call{ID: c.ID, Name: c.Name, Server: c.Server, Agent: c.Agent, Reply: c.Reply, Args: Args{Object: c.Args, Absent: c.Absent}}
}

type plainResult struct {
	ID, Text, Error string
	Failed, History bool
	Ms              Number
}

func (r plainResult) result() Result {
	return Result{CallID: r.ID, Text: r.Text, Error: r.Error, Failed: r.Failed, Duration: r.Ms.Count, History: r.History}
}

func (r *plainReader) Value(v Value) {
	var line plainLine
	if err := json.Unmarshal(v.Raw, &line, lenient, json.MatchCaseInsensitiveNames(true)); err != nil {
		v.Skip(problemOf(err))
		return
	}
	if r.to.Seen(line.ID) {
		return
	}
	s := r.session(line, v.Pos)
	s.Time = cmp.Or(s.Time, line.Time)
	if len(line.Name) == 2 {
		s.Name(line.Name[0], line.Name[1])
	}
	s.Ended, s.Unended = s.Ended || line.Ended, s.Unended+line.Unended
	if line.At != nil {
		s.At(line.At.Time, line.At.In)
	}
	s.Spare(line.Spare)
	switch {
	case line.Say != nil:
		s.Say(Message(*line.Say))
	case line.Ask != nil:
		s.Ask(line.Ask.call())
	case line.Answer != nil:
		s.Answer(line.Answer.result())
	case line.Execute != nil:
		s.Execute(Record{line.Execute.ID, line.Execute.Parent}, line.Execute.Call.call(), line.Execute.Result.result())
	case line.Spend != nil:
		s.Spend(Usage{Reply: line.Spend.Reply, Whole: line.Spend.Whole, Input: line.Spend.Input.Count, Output: line.Spend.Output.Count, Cost: line.Spend.Cost.Count})
	case line.Offer != nil:
		s.Offer(line.Offer.Server, Tool(line.Offer.Name, "d", jsontext.Value(`{}`)))
	case len(line.Delegate) == 2:
		s.Delegate(line.Delegate[0], line.Delegate[1])
	case len(line.Works) == 2:
		s.Works(line.Works[0], line.Works[1])
	case len(line.Link) == 2:
		s.Link(line.Link[0], line.Link[1])
	}
	if line.Done {
		r.to.Done(s)
	}
}

// session returns the session of a line.
func (r *plainReader) session(line plainLine, pos source.Pos) *Session {
	open := r.to.Session
	if line.Output {
		open = r.to.Output
	}
	s := open(line.Session, pos)
	return s
}

func (r *plainReader) End() {}

// TestCore pins what all formats have in common.
func TestCore(t *testing.T) {
	withFormats(t, plain, interleaved)
	for _, e := range examples(t, "core") {
		t.Run(e.path, func(t *testing.T) { e.check(t, plain.Name) })
	}
}

// withFormats adds formats to All for one test.
func withFormats(t *testing.T, more ...*Format) {
	before := All
	All = append(All[:len(All):len(All)], more...)
	t.Cleanup(func() { All = before })
}

// TestSpill pins that sessions whose records stand between those of others are whole, also where they do not fit in
// memory.
func TestSpill(t *testing.T) {
	withFormats(t, interleaved)
	const sessions, rounds = 40, 100
	text := strings.Repeat("x", 12<<10) // 48 MB altogether, twice what is held
	var log strings.Builder
	for round := range rounds {
		for s := range sessions {
			fmt.Fprintf(&log, `{"session": "s%d", "say": {"role": "assistant", "text": "%d %s"}}`+"\n", s, round, text)
		}
	}
	var runs int
	_, err := Read(fstest.MapFS{"log": {Data: []byte(log.String())}}, []string{"log"}, Options{Format: "interleaved"}, func(run *Run) error {
		runs++
		if len(run.Turns) != rounds {
			t.Errorf("got %d turns, want %d", len(run.Turns), rounds)
		}
		for i, turn := range run.Turns {
			if want := fmt.Sprintf("%d x", i); !strings.HasPrefix(turn.Content, want) {
				t.Fatalf("turn %d begins with %.20q, want %q", i, turn.Content, want)
			}
		}
		return nil
	})
	if err != nil || runs != sessions {
		t.Errorf("got %d runs and error %v, want %d", runs, err, sessions)
	}
}

// TestSessionIsBounded pins that a session larger than a run may be is counted as unread, and takes no memory.
func TestSessionIsBounded(t *testing.T) {
	withFormats(t, plain)
	line := `{"say": {"role": "assistant", "text": "` + strings.Repeat("x", 1<<20) + `"}}` + "\n"
	account, err := Read(fstest.MapFS{"log": {Data: []byte(strings.Repeat(line, 70))}}, []string{"log"}, Options{Format: "core"}, func(*Run) error {
		t.Error("got a run")
		return nil
	})
	if err != nil || account.Unread != 1 {
		t.Errorf("got error %v and %d unread, want 1", err, account.Unread)
	}
}
