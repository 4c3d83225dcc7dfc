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
	order  []*Session // open sessions, by their first record
}

// Session returns the open session with a key, or opens a new one at pos. A reader of files with one session each uses one key.
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

// Seen reports whether this import has already seen a record with this id, and remembers the id. An empty id was never seen.
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

// LeaveOut counts something that was read but is not in the runs. The reason is in the plural: "spans without arguments".
func (s *Sink) LeaveOut(reason string) { s.in.account.LeaveOut(reason) }

// CountRepliesAlone counts a session that has only replies and is not a whole run.
func (s *Sink) CountRepliesAlone() { s.in.account.RepliesAlone++ }

// CountTooLarge counts a session at pos as unreadable because it holds more than [MaxValue] bytes.
func (s *Sink) CountTooLarge(pos source.Pos) {
	s.in.account.skip(pos, fmt.Sprintf("is a session of more than %d bytes", MaxValue))
}

// Value returns a value without JSON or a place, for records that a reader assembles at the end of a file.
func (s *Sink) Value() Value { return Value{sink: s} }

// Done completes a session.
func (s *Sink) Done(one *Session) {
	delete(s.open, one.key)
	if at := slices.Index(s.order, one); at >= 0 {
		s.order = slices.Delete(s.order, at, at+1)
	}
	s.in.completeSession(one)
}

// finish completes the open sessions, in the order in which they began.
func (s *Sink) finish() {
	s.pairOutputs()
	order := s.order
	s.order, s.open = nil, map[string]*Session{}
	for _, one := range order {
		if !one.isPairedOutput {
			s.in.completeSession(one)
		}
	}
}

// Session holds the records of one conversation with an agent, in the order of the log. A field is empty if the log does not
// have it.
type Session struct {
	Pos source.Pos // start of the session

	ID            string
	Time          string // start of the session, in RFC 3339
	Model         string // the model that the agent was told to use
	Provider      string
	ProviderModel string // the model that answered
	System        string // the system prompt
	Cwd           string
	Metadata      map[string]string
	StopReason    string
	Final         *string     // the final response, if a record of its own holds it
	Duration      trace.Count // milliseconds
	Error         string      // the reason why the run broke

	// Ended means that a record shows the agent's end. Without such a record the last message decides.
	Ended bool

	// Complete means that the log has all calls of the session. A session without calls and messages is then a run without calls,
	// and is not left out.
	Complete bool

	// Unended is the reason why the session is broken if no record has shown its end (see Ended); "" if logs of the format do
	// not show an end.
	Unended string

	// Notes are data that a reader keeps for a session from one value to the next; see [Format.Finish].
	Notes any

	key    string
	sink   *Sink
	events []event
	whole  *Usage // usage of the whole session
	tools  []Offered

	listsDeferred bool // a record lists the deferred tools; see Defer
	defersSome    bool // see DeferSome
	lacksDuration bool // see AddDuration
	offersSearch  bool // see OfferSearch

	names          map[string]string  // names of sub-agents, by the names that their events use
	output         *Session           // the same session in the agent's own output; nil if the input has no such output
	isPairedOutput bool               // the session is the output field of another session
	unlinked       []Record           // links that are not yet in records; see linkRecords
	records        map[string]*record // records by their ids
	agents         map[string]string  // names of agents, by the ids of their records
	now            moment             // time and record of the events that are added next
	spare          bool               // whether the events that are added next are spare; see Spare
	heldBytes      int                // size of the data in memory, estimated
	totalBytes     int                // size of all events, including spilled ones
	stored         []tempfile.Chunk   // earlier events, in the spill
}

// Offered is a tool that the model was offered.
type Offered struct {
	Server   string         `json:"s"`
	Tool     jsontext.Value `json:"t"`
	Name     string         `json:"n,omitzero"` // a tool of which only the name is known
	Deferred bool           `json:"d,omitzero"` // the model did not see the tool until a search returned it
}

type kind uint8

const (
	said kind = iota
	asked
	answered
	executed
	spent
	delegated
)

// event is an event of a session. A single type covers all kinds, so that events can be spilled.
type event struct {
	Kind    kind      `json:"k"`
	At      moment    `json:"t,omitzero"`
	Spare   bool      `json:"x,omitzero"`
	Message Message   `json:"m,omitzero"`
	Call    Call      `json:"c,omitzero"`
	Result  Result    `json:"r,omitzero"`
	Usage   Usage     `json:"u,omitzero"`
	FromTo  [2]string `json:"d,omitzero"` // the agents of a delegation
	Record  Record    `json:"e,omitzero"`
}

// moment is the time of an event, and the record that notes it.
type moment struct {
	Time int64  `json:"t,omitzero"` // nanoseconds; 0 if the log has no time
	In   string `json:"i,omitzero"`
}

// Record has the id of a record, such as that of an execution, and the id of the record that encloses it.
type Record struct{ ID, Parent string }

// Message is a message of a conversation.
type Message struct {
	Role  string // "user" or "assistant"
	Text  string // all text parts of the message
	ID    string // id of the reply: messages with the same id are parts of one reply; "" for other messages
	Agent string // the sub-agent that the message belongs to; "" for the main agent
	Once  string // of messages with the same value only the first counts, because a history can repeat them; "" if each counts
	Aside bool   // the user wrote the message while the agent worked, so no turn begins with it
}

// The roles of messages in logs.
const (
	// RoleUser is the role of a [Message] of the user.
	RoleUser = "user"
	// RoleAssistant is the role of a [Message] of a model.
	RoleAssistant = "assistant"
	// RoleSystem is the role of the message that becomes [Session.System].
	RoleSystem = "system"
	// RoleTool is the role of a message that becomes a [Result].
	RoleTool = "tool"
)

// Call is a tool call.
type Call struct {
	ID     string // the id that its result refers to; "" if there is none
	Name   string // the name in the log
	Server string // the log's own field for the server; "" if there is none
	Args   Args
	Agent  string // the sub-agent that made the call; "" for the main agent
	Reply  string // id of the reply that asked for the call, or of the record that has this reply
}

// Args are the arguments of a call: an object, or a text that holds one.
type Args struct {
	Object jsontext.Value // nil if Text is given or there are no arguments
	Text   string
	Absent bool // the log does not keep arguments, so they are unknown
}

// Result is the result of a call.
type Result struct {
	CallID   string
	Text     string
	Failed   bool
	Error    string
	Duration trace.Count // milliseconds
	Found    []Found     // the tools that a search returned; nil for another call
	Pool     trace.Count // the number of tools that were deferred when a search was made
	History  bool        // the result may repeat a result of an earlier run, so it is not counted as left out if its call is missing
}

// Usage is the tokens and the cost of a reply or of a whole session.
type Usage struct {
	Reply                                       string      // the reply; of two usages of one reply the later one counts
	Whole                                       bool        // of the whole session; missing counts are sums over the replies
	Input, Output, Total, CacheRead, CacheWrite trace.Count // tokens; Input includes cached tokens
	Cost                                        trace.Count // micro-dollars
}

// Say adds a message.
func (s *Session) Say(m Message) { s.add(event{Kind: said, Message: m}, len(m.Text)) }

// Ask adds a call that a model asked for.
func (s *Session) Ask(c Call) { s.add(event{Kind: asked, Call: c.withOwnArgs()}, c.Size()) }

// Answer adds the result of the call with the id CallID.
func (s *Session) Answer(r Result) {
	s.add(event{Kind: answered, Result: r}, len(r.Text)+foundSize*len(r.Found))
}

// Execute adds a call that was made, with its result, as recorded by a program other than the model. It is joined with the call
// that the model asked for, if there is one. The CallID of r is ignored.
func (s *Session) Execute(at Record, c Call, r Result) {
	s.Link(at.ID, at.Parent)
	s.add(event{Kind: executed, Record: at, Call: c.withOwnArgs(), Result: r}, c.Size()+len(r.Text))
}

// At sets the time of the events that are added next, in nanoseconds, and the record that notes them. Events are sorted by their
// times. The time is 0 for logs that are in order, and the record may be "".
func (s *Session) At(time int64, record string) { s.now = moment{time, record} }

// Spare sets whether the events that are added next are fallbacks. A spare message of the user counts only if the session has no
// other message of the user. A spare message or call of an agent counts only if the session has no other message or call of an
// agent.
func (s *Session) Spare(spare bool) { s.spare = spare }

// MarkAgent notes that a record is the work of an agent. If the record of another agent encloses this record, the agent is a
// sub-agent, and the events inside this record belong to it.
func (s *Session) MarkAgent(record, agent string) {
	if s.agents == nil {
		s.agents = map[string]string{}
	}
	s.agents[record] = agent
	if at := s.record(record); at != nil {
		at.isAgent = true
	}
	s.totalBytes += len(record) + len(agent)
}

// Spend adds a usage. If there are two usages of the whole session, the later one counts.
func (s *Session) Spend(u Usage) {
	if u.Whole {
		s.whole = &u
		return
	}
	s.add(event{Kind: spent, Usage: u}, 0)
}

// AddDuration adds the duration of a turn or a process to that of the session, in milliseconds. The sum is unknown if one of them
// is unknown.
func (s *Session) AddDuration(duration trace.Count) {
	if s.lacksDuration = s.lacksDuration || !duration.Known; s.lacksDuration {
		s.Duration = trace.Count{}
		return
	}
	s.Duration = Sum(duration, s.Duration)
}

// Delegate adds work that one agent handed to another; the main agent is "main".
func (s *Session) Delegate(from, to string) {
	s.add(event{Kind: delegated, FromTo: [2]string{from, to}}, len(from)+len(to))
}

// Describe adds metadata; the first value of a key counts.
func (s *Session) Describe(key, value string) {
	if value == "" || s.Metadata[key] != "" {
		return
	}
	if s.Metadata == nil {
		s.Metadata = map[string]string{}
	}
	s.Metadata[key] = value
	s.countMemory(len(value))
}

// Instruct sets the system prompt, and counts the memory that it takes.
func (s *Session) Instruct(system string) {
	s.System = system
	s.countMemory(len(system))
}

// Now returns the time that [Session.At] was given last, in nanoseconds; 0 before that.
func (s *Session) Now() int64 { return s.now.Time }

// WholeUsage returns the last usage of the whole session; ok is false if there is none.
func (s *Session) WholeUsage() (whole Usage, ok bool) {
	if s.whole == nil {
		return Usage{}, false
	}
	return *s.whole, true
}

// Offer adds a tool that the model was offered, in MCP's form; its server may be "". A tool that was offered before does not
// count again. The reader gives nil for a tool that it cannot read: the session's list of tools is then unknown.
func (s *Session) Offer(tool Offered) {
	tool.Tool = tool.Tool.Clone()
	s.tools = append(s.tools, tool)
	s.countMemory(len(tool.Tool))
}

// Link notes that the record parent encloses the record id. Links count for the session's size, but are not spilled.
func (s *Session) Link(id, parent string) {
	if id == "" {
		return
	}
	s.unlinked = append(s.unlinked, Record{id, parent})
	s.totalBytes += len(id) + len(parent)
}

// Size returns the size of a call's texts, in bytes, estimated.
func (c Call) Size() int { return len(c.Args.Object) + len(c.Args.Text) + len(c.Name) }

// withOwnArgs returns the call with a copy of its arguments, because a [Value] is valid only while it is read.
func (c Call) withOwnArgs() Call {
	c.Args.Object = c.Args.Object.Clone()
	return c
}

// Grow makes room for n more messages, calls, results and usages of replies.
func (s *Session) Grow(n int) { s.events = slices.Grow(s.events, n) }

func (s *Session) add(e event, size int) {
	e.At, e.Spare = s.now, s.spare
	s.events = append(s.events, e)
	s.countMemory(size + eventSize)
}

// eventSize is the memory that an event takes in addition to its texts, in bytes, estimated.
const eventSize = 500

// countMemory counts the bytes of data that were added. It drops the events of a session that is too large, and spills open
// sessions if they take too much memory; see spillIfFull.
func (s *Session) countMemory(size int) {
	s.totalBytes += size
	if s.isTooLarge() {
		s.events, s.tools, s.unlinked, s.records, s.agents, s.names, s.System = nil, nil, nil, nil, nil, nil, ""
		return
	}
	s.heldBytes += size
	s.sink.in.spill.spillIfFull(s, size)
}

// isTooLarge reports whether the session exceeds the bound on a run. Its events are dropped then.
func (s *Session) isTooLarge() bool { return s.totalBytes > MaxValue }
