package logs_test

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/imports/logtest"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/thorough"
	"github.com/org/mcp-gates/internal/trace"
)

// plain is a format for the tests of what all formats have in common: each line calls one method of a session.
var plain = &logs.Format{
	Name: "core", Builtins: []string{"Bash"},
	Open: func(to *logs.Sink) logs.Reader { return &plainReader{to: to} },
}

// interleaved is plain with the session's key in each line.
var interleaved = &logs.Format{Name: "interleaved", Interleaved: true, Open: plain.Open}

// core are the formats of these tests.
var core = logs.Formats{plain, interleaved}

type plainReader struct{ to *logs.Sink }

type plainLine struct {
	Session string   `json:"session"`
	Time    string   `json:"time"`
	ID      string   `json:"id"`     // of a record that is read once
	Output  bool     `json:"output"` // the line is of the agent's output
	Name    []string `json:"name"`
	Say     *struct {
		Role  string `json:"role"`
		Text  string `json:"text"`
		ID    string `json:"id"`
		Agent string `json:"agent"`
		Once  string `json:"once"`
		Aside bool   `json:"aside"`
	} `json:"say"`
	At *struct {
		Time int64  `json:"time"`
		In   string `json:"in"`
	} `json:"at"`
	Works   []string     `json:"works"`
	Spare   bool         `json:"spare"` // what the line adds
	Ask     *plainCall   `json:"ask"`
	Answer  *plainResult `json:"answer"`
	Execute *struct {
		ID     string      `json:"id"`
		Parent string      `json:"parent"`
		Call   plainCall   `json:"call"`
		Result plainResult `json:"result"`
	} `json:"execute"`
	Spend *struct {
		Reply  string       `json:"reply"`
		Whole  bool         `json:"whole"`
		Input  logs.Number  `json:"input"`
		Output logs.Number  `json:"output"`
		Cost   logs.Dollars `json:"cost"`
	} `json:"spend"`
	Offer *struct {
		Server string `json:"server"`
		Name   string `json:"name"`
	} `json:"offer"`
	Delegate []string `json:"delegate"`
	Link     []string `json:"link"`
	Ended    bool     `json:"ended"`
	Unended  string   `json:"unended"`
	Done     bool     `json:"done"`
}

type plainCall struct {
	ID     string         `json:"id"`
	Name   string         `json:"name"`
	Server string         `json:"server"`
	Agent  string         `json:"agent"`
	Reply  string         `json:"reply"`
	Args   jsontext.Value `json:"args"`
	Absent bool           `json:"absent"`
}

func (c plainCall) call() logs.Call {
	return logs.Call{ID: c.ID, Name: c.Name, Server: c.Server, Agent: c.Agent, Reply: c.Reply, Args: logs.Args{Object: c.Args, Absent: c.Absent}}
}

type plainResult struct {
	ID      string      `json:"id"`
	Text    string      `json:"text"`
	Error   string      `json:"error"`
	Failed  bool        `json:"failed"`
	History bool        `json:"history"`
	Ms      logs.Number `json:"ms"`
}

func (r plainResult) result() logs.Result {
	return logs.Result{CallID: r.ID, Text: r.Text, Error: r.Error, Failed: r.Failed, Duration: r.Ms.Count, History: r.History}
}

func (r *plainReader) Value(v logs.Value) {
	var line plainLine
	if !v.Decode(&line) {
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
		s.Say(logs.Message(*line.Say))
	case line.Ask != nil:
		s.Ask(line.Ask.call())
	case line.Answer != nil:
		s.Answer(line.Answer.result())
	case line.Execute != nil:
		s.Execute(logs.Record{ID: line.Execute.ID, Parent: line.Execute.Parent}, line.Execute.Call.call(), line.Execute.Result.result())
	case line.Spend != nil:
		s.Spend(logs.Usage{Reply: line.Spend.Reply, Whole: line.Spend.Whole, Input: line.Spend.Input.Count, Output: line.Spend.Output.Count, Cost: line.Spend.Cost.Count})
	case line.Offer != nil:
		s.Offer(logs.Offered{Server: line.Offer.Server, Tool: logs.Tool(line.Offer.Name, "d", jsontext.Value(`{}`))})
	case len(line.Delegate) == 2:
		s.Delegate(line.Delegate[0], line.Delegate[1])
	case len(line.Works) == 2:
		s.MarkAgent(line.Works[0], line.Works[1])
	case len(line.Link) == 2:
		s.Link(line.Link[0], line.Link[1])
	}
	if line.Done {
		r.to.Done(s)
	}
}

// session returns the session of a line.
func (r *plainReader) session(line plainLine, pos source.Pos) *logs.Session {
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
	for _, e := range logtest.Examples(t, "core") {
		t.Run(e.Path, func(t *testing.T) { e.Check(t, core, plain.Name) })
	}
}

// TestSpill pins that sessions whose records stand between those of others are whole, also where they do not fit in
// memory.
func TestSpill(t *testing.T) {
	thorough.Unraced(t, "it takes seconds, on one goroutine")
	const sessions, rounds = 40, 100
	text := strings.Repeat("x", 12<<10) // 48 MB altogether, twice what is held
	var log bytes.Buffer
	for round := range rounds {
		for s := range sessions {
			fmt.Fprintf(&log, `{"session": "s%d", "say": {"role": "assistant", "text": "%d %s"}}`+"\n", s, round, text)
		}
	}
	var runs int
	_, err := core.Read(fstest.MapFS{"log": {Data: log.Bytes()}}, []string{"log"}, logs.Options{Format: "interleaved"}, func(run *logs.Run) error {
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
	thorough.Unraced(t, "it takes seconds, on one goroutine")
	line := []byte(`{"say": {"role": "assistant", "text": "` + strings.Repeat("x", 1<<20) + `"}}` + "\n")
	account, err := core.Read(fstest.MapFS{"log": {Data: bytes.Repeat(line, 66)}}, []string{"log"}, logs.Options{Format: "core"}, func(*logs.Run) error {
		t.Error("got a run")
		return nil
	})
	if err != nil || account.Unread != 1 {
		t.Errorf("got error %v and %d unread, want 1", err, account.Unread)
	}
}

// TestBegan pins when a run began.
func TestAddDuration(t *testing.T) {
	known, unknown := trace.Known(500), trace.Count{}
	for _, test := range []struct {
		of   []trace.Count
		want trace.Count
	}{
		{nil, unknown},
		{[]trace.Count{known}, known},
		{[]trace.Count{known, known}, trace.Known(1000)},
		{[]trace.Count{known, unknown}, unknown},
		{[]trace.Count{unknown, known}, unknown},
	} {
		s := &logs.Session{}
		for _, one := range test.of {
			s.AddDuration(one)
		}
		if s.Duration != test.want {
			t.Errorf("the sum of %v = %v, want %v", test.of, s.Duration, test.want)
		}
	}
}

func TestBegan(t *testing.T) {
	for times, want := range map[string]string{
		`"time": "2026-11-22T14:05:06.789+02:00"`: "2026-11-22T12:05:06Z",
		`"time": "yesterday"`:                     "",
		`"id": "1"`:                               "",
	} {
		log := fstest.MapFS{"log": {Data: []byte(`{` + times + `, "say": {"role": "assistant", "text": "hello"}}`)}}
		_, err := core.Read(log, []string{"log"}, logs.Options{Format: "core"}, func(run *logs.Run) error {
			if run.Time != want {
				t.Errorf("%s: got %q, want %q", times, run.Time, want)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
