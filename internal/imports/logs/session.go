package logs

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/tempfile"
	"github.com/org/mcp-gates/internal/trace"
)

// Sink takes the sessions of the files of one format.
type Sink struct {
	in     *importing
	format *Format
	open   map[string]*Session
	order  []*Session // open, by their first record
}

// Session returns the open session of a key, and opens it at pos when there is none. A reader of files that hold one
// session each uses one key.
func (s *Sink) Session(key string, pos source.Pos) *Session { return s.session(fileView+key, pos) }

func (s *Sink) session(key string, pos source.Pos) *Session {
	if one := s.open[key]; one != nil {
		return one
	}
	one := &Session{Pos: pos, key: key, sink: s}
	s.open[key] = one
	s.order = append(s.order, one)
	return one
}

// Seen reports whether a record of this id was seen before in this import, and notes it. An empty id was never seen.
func (s *Sink) Seen(id string) bool {
	if id == "" {
		return false
	}
	sum := sha256.Sum256([]byte(s.format.Name + "\x00" + id))
	key := [16]byte(sum[:16])
	_, seen := s.in.seen[key]
	s.in.seen[key] = struct{}{}
	return seen
}

// LeaveOut counts something that was read and is not in the runs; the reason is in the plural: "spans without arguments".
func (s *Sink) LeaveOut(reason string) { s.in.account.LeaveOut(reason) }

// LacksReplies counts a session of replies alone that is not a whole run.
func (s *Sink) LacksReplies() { s.in.account.RepliesAlone++ }

// TooLarge counts a session that begins at pos as one that could not be read: it holds more than [MaxValue] bytes.
func (s *Sink) TooLarge(pos source.Pos) {
	s.in.account.skip(pos, fmt.Sprintf("is a session of more than %d bytes", MaxValue))
}

// Value returns a value without JSON or a place, for what a reader puts together at the end of a file.
func (s *Sink) Value() Value { return Value{sink: s} }

// Done says that a session is complete.
func (s *Sink) Done(one *Session) {
	delete(s.open, one.key)
	for i, other := range s.order {
		if other == one {
			s.order = append(s.order[:i], s.order[i+1:]...)
			break
		}
	}
	s.in.complete(one)
}

// finish completes the open sessions, in the order in which they began.
func (s *Sink) finish() {
	s.pair()
	order := s.order
	s.order, s.open = nil, map[string]*Session{}
	for _, one := range order {
		if !one.paired {
			s.in.complete(one)
		}
	}
}

// Session is what a log holds of one conversation with an agent, in the order in which it stands there. The fields are
// empty where the log says nothing.
type Session struct {
	Pos source.Pos // where it begins

	ID            string
	Time          string // when it began, in the form of RFC 3339
	Model         string // as the agent was told to use it
	Provider      string
	ProviderModel string // that answered
	System        string // the system prompt
	Cwd           string
	Metadata      map[string]string
	StopReason    string
	Final         *string     // the final response, where a record of its own holds it
	Duration      trace.Count // milliseconds
	Error         string      // why the run broke

	// Ended says that a record shows that the agent came to its end. Without it the last message decides.
	Ended bool

	// Complete says that the record has all calls of the session: one without calls and messages is a run that called
	// nothing, and not one of which nothing is known.
	Complete bool

	// Unended says why the session is a broken one when no record has shown its end (see Ended); "" where logs of the
	// format do not show it.
	Unended string

	// Notes are what a reader keeps of a session from one value to the next; see [Format.Finish].
	Notes any

	key    string
	sink   *Sink
	events []event
	whole  *Usage // of the whole session
	tools  []Offered

	listsDeferred bool // a record lists the deferred tools; see Defer
	defersSome    bool // see DeferSome
	offersSearch  bool // see OfferSearch

	names   map[string]string  // of sub-agents, by what their events call them
	output  *Session           // the same session as the agent's output shows it; nil where the input has none
	paired  bool               // it is such an output
	linked  []Record           // records with those that enclose them, before they are in records
	records map[string]*record // by their ids; see place
	agents  map[string]string  // name by id of the record of an agent
	now     moment             // of the events that come next
	spare   bool               // whether they are spare; see Spare
	bytes   int                // held in memory, about
	total   int                // of all its events, those in the spill included
	stored  []tempfile.Chunk   // earlier events, in the spill
}

// Offered is a tool that the model was offered.
type Offered struct {
	Server   string         `json:"s"`
	Tool     jsontext.Value `json:"t"`
	Name     string         `json:"n,omitzero"` // of a tool of which nothing else is known
	Deferred bool           `json:"d,omitzero"` // the model did not see it until a search returned it
}

// kind is what an event is.
type kind uint8

const (
	said kind = iota
	asked
	answered
	executed
	spent
	delegated
)

// event is one thing that happened. One type holds all kinds, so that events can be spilled.
type event struct {
	Kind    kind      `json:"k"`
	At      moment    `json:"t,omitzero"`
	Spare   bool      `json:"x,omitzero"`
	Message Message   `json:"m,omitzero"`
	Call    Call      `json:"c,omitzero"`
	Result  Result    `json:"r,omitzero"`
	Usage   Usage     `json:"u,omitzero"`
	To      [2]string `json:"d,omitzero"`
	Record  Record    `json:"e,omitzero"`
}

// moment is when something happened, and in which record it is noted.
type moment struct {
	Time int64  `json:"t,omitzero"` // nanoseconds; 0 where the log has none
	In   string `json:"i,omitzero"`
}

// Record places an execution among others: its own id and that of the record that encloses it.
type Record struct{ ID, Parent string }

// Message is a message of a conversation.
type Message struct {
	Role  string // "user" or "assistant"
	Text  string // of all its parts that are text
	ID    string // of the reply: several messages with one id are parts of one reply; "" for others
	Agent string // the sub-agent that it is of; "" for the main agent
	Once  string // of messages that have this in common the first counts, such as one that history repeats; "" for others
	Aside bool   // the user said it while the agent worked: no turn begins with it
}

// The roles of messages in logs.
const (
	// RoleUser is the role of a [Message] of the user.
	RoleUser = "user"
	// RoleAssistant is the role of a [Message] of a model.
	RoleAssistant = "assistant"
	// RoleSystem is the role of what becomes [Session.System].
	RoleSystem = "system"
	// RoleTool is the role of what becomes a [Result].
	RoleTool = "tool"
)

// Call is a tool call.
type Call struct {
	ID     string // by which its result names it; "" where there is none
	Name   string // as the log has it
	Server string // as the log has it in a field of its own; "" otherwise
	Args   Args
	Agent  string // the sub-agent that made it; "" for the main agent
	Reply  string // the reply that asked for it, or the record that holds it
}

// Args are the arguments of a call: an object, or a text that holds one.
type Args struct {
	Object jsontext.Value // nil where Text is given, or there are none
	Text   string
	Absent bool // the log does not keep arguments, so that nothing is known of them
}

// Result is what came of a call.
type Result struct {
	CallID   string
	Text     string
	Failed   bool
	Error    string
	Duration trace.Count // milliseconds
	Found    []Found     // the tools that a search returned; nil for another call
	Pool     trace.Count // how many tools were deferred when a search was made
	History  bool        // it repeats what may be of an earlier run, so that nothing is lost where its call is not there
}

// Usage is what a reply took, or a whole session.
type Usage struct {
	Reply                                       string      // the reply; of two usages of one reply the later one holds
	Whole                                       bool        // of the whole session; what it leaves open is added up
	Input, Output, Total, CacheRead, CacheWrite trace.Count // tokens; Input includes those of the cache
	Cost                                        trace.Count // micro-dollars
}

// Say adds a message.
func (s *Session) Say(m Message) { s.add(event{Kind: said, Message: m}, len(m.Text)) }

// Ask adds a call that a model asked for.
func (s *Session) Ask(c Call) { s.add(event{Kind: asked, Call: c.kept()}, c.Size()) }

// Answer adds the result of the call of its CallID.
func (s *Session) Answer(r Result) {
	s.add(event{Kind: answered, Result: r}, len(r.Text)+foundSize*len(r.Found))
}

// Execute adds a call that was made, with its result, as another program than the model saw it. It is joined with the call
// that the model asked for, if there is one. Its Result's CallID is ignored.
func (s *Session) Execute(at Record, c Call, r Result) {
	s.Link(at.ID, at.Parent)
	s.add(event{Kind: executed, Record: at, Call: c.kept(), Result: r}, c.Size()+len(r.Text))
}

// At says when what is added next happened, in nanoseconds, and which record notes it. The events of a session with times
// are put in their order; 0 is for logs that stand in order. The record may be "".
func (s *Session) At(time int64, record string) { s.now = moment{time, record} }

// Spare says whether what is added next is only there in case that no other record has it: what the user said, or what agents
// said and asked for.
func (s *Session) Spare(spare bool) { s.spare = spare }

// Works says that a record is the work of an agent. What records inside it note is of a sub-agent where another agent's
// record encloses it.
func (s *Session) Works(record, agent string) {
	if s.agents == nil {
		s.agents = map[string]string{}
	}
	s.agents[record] = agent
	if at := s.record(record); at != nil {
		at.works = true
	}
	s.total += len(record) + len(agent)
}

// Spend adds what was used. Of two usages of the whole session the later one holds.
func (s *Session) Spend(u Usage) {
	if u.Whole {
		s.whole = &u
		return
	}
	s.add(event{Kind: spent, Usage: u}, 0)
}

// Take adds the milliseconds of a turn or a process to those before it. They are unknown where it is.
func (s *Session) Take(duration trace.Count) { s.Duration = Sum(duration, s.Duration) }

// Delegate adds work that one agent handed to another; the main agent is "main".
func (s *Session) Delegate(from, to string) {
	s.add(event{Kind: delegated, To: [2]string{from, to}}, len(from)+len(to))
}

// Describe adds metadata; the first value of a key holds.
func (s *Session) Describe(key, value string) {
	if value == "" || s.Metadata[key] != "" {
		return
	}
	if s.Metadata == nil {
		s.Metadata = map[string]string{}
	}
	s.Metadata[key] = value
	s.hold(len(value))
}

// Instruct sets the system prompt, and counts the memory that it takes.
func (s *Session) Instruct(system string) {
	s.System = system
	s.hold(len(system))
}

// Now returns the time that [Session.At] was given last, in nanoseconds; 0 before that.
func (s *Session) Now() int64 { return s.now.Time }

// Whole returns what the last usage of the whole session says; ok is false where there was none.
func (s *Session) Whole() (whole Usage, ok bool) {
	if s.whole == nil {
		return Usage{}, false
	}
	return *s.whole, true
}

// Offer adds a tool that the model was offered, in MCP's form; its server may be "". A tool that was offered before is not
// added again. A tool that cannot be read is nil: the session has no list of tools then.
func (s *Session) Offer(tool Offered) {
	tool.Tool = tool.Tool.Clone()
	s.tools = append(s.tools, tool)
	s.hold(len(tool.Tool))
}

// Link says which record encloses another, so that executions can be placed. Links stay in memory: they are counted for the
// session, and not for what is spilled.
func (s *Session) Link(id, parent string) {
	if id == "" {
		return
	}
	s.linked = append(s.linked, Record{id, parent})
	s.total += len(id) + len(parent)
}

// Size returns what the texts of a call take, in bytes, about.
func (c Call) Size() int { return len(c.Args.Object) + len(c.Args.Text) + len(c.Name) }

// kept returns the call with arguments of its own: those of a [Value] are valid only as long as it is read.
func (c Call) kept() Call {
	c.Args.Object = c.Args.Object.Clone()
	return c
}

// Grow makes room for so many more messages, calls, results and usages of replies.
func (s *Session) Grow(n int) { s.events = slices.Grow(s.events, n) }

func (s *Session) add(e event, size int) {
	e.At, e.Spare = s.now, s.spare
	s.events = append(s.events, e)
	s.hold(size + eventSize)
}

// eventSize is what an event takes in memory beside its texts, in bytes, about.
const eventSize = 500

// hold counts memory. The events of sessions that stay open are spilled when they get large together.
func (s *Session) hold(size int) {
	s.total += size
	if s.isTooLarge() {
		s.events, s.tools, s.linked, s.records, s.agents, s.names, s.System = nil, nil, nil, nil, nil, nil, ""
		return
	}
	s.bytes += size
	s.sink.in.spill.hold(s, size)
}

// isTooLarge reports whether the session holds more than one run may. Its events are dropped then.
func (s *Session) isTooLarge() bool { return s.total > MaxValue }
