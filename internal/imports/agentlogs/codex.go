package agentlogs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/trace"
)

// Codex reads the session files of Codex (~/.codex/sessions/*/*/*/rollout-*.jsonl), and the output of exec --json. Lines of
// session files: RolloutLine in https://github.com/openai/codex/blob/main/codex-rs/protocol/src/protocol.rs; lines of the
// output: https://github.com/openai/codex/blob/main/codex-rs/exec/src/exec_events.rs.
var Codex = &logs.Format{
	Name:        "codex",
	Builtins:    codexBuiltins,
	Interleaved: true, // a session can have an output, and files of its sub-agents
	Open:        func(to *logs.Sink) logs.Reader { return &codexReader{to: to, clock: clock{}} },
}

// codexBuiltins are the tools of Codex: those that version 0.169.0 offers, other tools in its sources, and tools of earlier
// versions. tool_search is not in the list, because a call of it has its own type of item, and Codex never offered a function with
// this name.
var codexBuiltins = []string{
	"apply_patch", "close_agent", "create_goal", "exec", "exec_command", "followup_task", "get_context_remaining", "get_goal",
	"image_generation", "interrupt_agent", "js_repl", "list_agents", "list_mcp_resource_templates", "list_mcp_resources",
	"local_shell", "read_mcp_resource", "request_permissions", "request_user_input", "resume_agent", "send_input",
	"send_message", "shell_command", "spawn_agent", "update_goal", "update_plan", "view_image", "wait",
	"wait_agent", "web_search", "write_stdin",
	// Earlier versions.
	"container.exec", "grep_files", "list_dir", "read_file", "shell", "unified_exec",
	// Kinds of items in the output, which does not name the tool.
	"command_execution", "file_change",
}

// codexReader reads one file.
type codexReader struct {
	to        *logs.Sink
	clock     clock
	session   *logs.Session // session of the file; nil before the line that names it
	id        string        // id of the thread
	historyOf string        // id of the thread whose history the file repeats, or of the file's own thread
	agent     string        // id of the thread, in a file of a sub-agent
	isBare    bool          // lines are items, as in the earliest versions

	reply           int              // number of finished replies; a reply ends with its tokens
	answered        bool             // a result has followed the reply
	hasUsageRecords bool             // tokens have records of their own
	itemTimes       map[string]int64 // sequence numbers that serve as the times of the output's items, by id
	timeBefore      int64            // the last sequence number of another file
	total           codexTokens      // tokens of the session up to the last count
}

// codexLine is a line of a session file, or of the output.
type codexLine struct {
	Timestamp string         `json:"timestamp"`
	Type      string         `json:"type"`
	Payload   jsontext.Value `json:"payload"`

	// The head of a session of the earliest versions.
	ID           string         `json:"id"`
	Instructions jsontext.Value `json:"instructions"`

	// The output.
	ThreadID string      `json:"thread_id"`
	Item     *codexItem  `json:"item"`
	Usage    codexTokens `json:"usage"`
	Error    codexError  `json:"error"`
}

// codexError is the error of a failed turn.
type codexError struct {
	Message string `json:"message"`
}

// codexTokens are the tokens of a reply or of a session. The input includes cached tokens, and the output includes tokens of
// reasoning.
type codexTokens struct {
	Input      logs.Number `json:"input_tokens"`
	Cached     logs.Number `json:"cached_input_tokens"`
	CacheWrite logs.Number `json:"cache_write_input_tokens"`
	Output     logs.Number `json:"output_tokens"`
	Total      logs.Number `json:"total_tokens"`
}

func (t codexTokens) usage() logs.Usage {
	return logs.Usage{
		Input: t.Input.Count, Output: t.Output.Count, Total: t.Total.Count, CacheRead: t.Cached.Count, CacheWrite: t.CacheWrite.Count,
	}
}

// Value reads a line.
func (r *codexReader) Value(v logs.Value) {
	var line codexLine
	if !v.Decode(&line) {
		return
	}
	switch line.Type {
	case "session_meta":
		r.readMeta(v, &line)
	case "turn_context":
		r.readContext(v, &line)
	case "response_item":
		r.readItem(v, line.Timestamp, line.Payload)
	case "event_msg":
		r.readEvent(v, &line)
	case "token_usage_record":
		r.readUsageRecord(v, &line)
	case "compacted", "world_state": // history, and notes of the program
	case "":
		r.readHead(v, &line)
	default:
		r.readOther(v, &line)
	}
}

func (r *codexReader) readOther(v logs.Value, line *codexLine) {
	switch {
	case strings.Contains(line.Type, "."):
		r.readOutput(v, line)
	case r.isBare:
		r.readItem(v, line.Timestamp, v.Raw)
	}
}

func (r *codexReader) openSession(v logs.Value, timestamp string) *logs.Session {
	if r.session == nil {
		r.id = cmp.Or(r.id, "in "+v.Pos.File)
		r.historyOf = cmp.Or(r.historyOf, r.id)
		r.session = r.to.Session(r.id, v.Pos)
	}
	if r.agent == "" {
		r.session.Time = cmp.Or(r.session.Time, timestamp)
	}
	r.session.At(r.clock.timeOf(r.session, r.agent, timestamp), "")
	return r.session
}

func (r *codexReader) readHead(v logs.Value, line *codexLine) {
	if line.ID == "" || r.session != nil {
		return // a mark of the program's state
	}
	r.isBare, r.id = true, line.ID
	s := r.openSession(v, line.Timestamp)
	s.ID = line.ID
	s.System = logs.Text(line.Instructions)
}

// codexMeta is the description of a session in its file.
type codexMeta struct {
	ID           string         `json:"id"`
	SessionID    string         `json:"session_id"`
	Forked       string         `json:"forked_from_id"`
	Cwd          string         `json:"cwd"`
	Version      string         `json:"cli_version"`
	Provider     string         `json:"model_provider"`
	Source       jsontext.Value `json:"source"`
	Base         codexText      `json:"base_instructions"`
	Instructions jsontext.Value `json:"instructions"`
}

// codexText is a text in an object.
type codexText struct {
	Text string `json:"text"`
}

// codexSpawned is the source of a thread that another thread started.
type codexSpawned struct {
	Subagent struct {
		Spawn struct {
			Parent   string `json:"parent_thread_id"`
			Role     string `json:"agent_role"`
			Nickname string `json:"agent_nickname"`
		} `json:"thread_spawn"`
	} `json:"subagent"`
}

// readMeta reads the description of the file's session. A second description belongs to the thread whose history follows.
func (r *codexReader) readMeta(v logs.Value, line *codexLine) {
	var m codexMeta
	if !v.DecodePart(line.Payload, &m) {
		return
	}
	if r.session != nil {
		r.historyOf = cmp.Or(m.ID, r.historyOf)
		return
	}
	r.id = cmp.Or(m.ID, m.SessionID)
	r.historyOf = cmp.Or(m.Forked, r.id)
	if r.readSpawned(v, line, &m) {
		return
	}
	s := r.openSession(v, line.Timestamp)
	s.ID, s.Cwd, s.Provider = r.id, cmp.Or(s.Cwd, m.Cwd), cmp.Or(s.Provider, m.Provider)
	s.Instruct(cmp.Or(s.System, m.Base.Text, logs.Text(m.Instructions)))
	s.Describe("version", m.Version)
}

// readSpawned reads the head of a sub-agent's file. The file's records belong to the session of the thread that started the
// sub-agent. It returns false for any other head.
func (r *codexReader) readSpawned(v logs.Value, line *codexLine, m *codexMeta) bool {
	var from codexSpawned
	if m.Source.Kind() != '{' || !strings.Contains(string(m.Source), `"thread_spawn"`) || !v.DecodePart(m.Source, &from) {
		return false
	}
	spawn := from.Subagent.Spawn
	root := spawn.Parent
	if m.SessionID != "" && m.SessionID != m.ID {
		root = m.SessionID
	}
	if root == "" {
		return false
	}
	r.agent = r.id
	r.session = r.to.Session(root, v.Pos)
	s := r.openSession(v, line.Timestamp)
	s.Name(r.agent, cmp.Or(spawn.Role, spawn.Nickname, "agent"))
	parent := spawn.Parent
	if parent == root {
		parent = logs.MainAgent
	}
	s.Delegate(parent, r.agent)
	return true
}

func (r *codexReader) readContext(v logs.Value, line *codexLine) {
	var c struct {
		Model string `json:"model"`
		Cwd   string `json:"cwd"`
	}
	if !v.DecodePart(line.Payload, &c) || r.agent != "" {
		return
	}
	s := r.openSession(v, line.Timestamp)
	s.Model, s.Cwd = cmp.Or(s.Model, c.Model), cmp.Or(s.Cwd, c.Cwd)
}

// readUsageRecord reads the tokens of a reply, which follow the reply's content.
func (r *codexReader) readUsageRecord(v logs.Value, line *codexLine) {
	var t struct {
		Usage codexTokens `json:"usage"`
		ID    string      `json:"response_id"`
	}
	if !v.DecodePart(line.Payload, &t) || r.isRepeat(v, line.Timestamp, t.ID, line.Payload) {
		return
	}
	r.hasUsageRecords = true
	r.addUsage(r.openSession(v, line.Timestamp), t.Usage)
}

func (r *codexReader) addUsage(s *logs.Session, t codexTokens) {
	u := t.usage()
	r.answered = false // a reply's tokens can follow the results of its calls
	u.Reply = r.currentReply()
	s.Spend(u)
	r.reply++
}

// currentReply returns a name for the current reply. In a session file without tokens, a reply ends with the results of its calls.
func (r *codexReader) currentReply() string {
	if r.answered {
		r.reply++
		r.answered = false
	}
	return fmt.Sprintf("%s reply %d", r.id, r.reply)
}

// isRepeat reports whether a record was read before: a file can repeat the history of another thread, and several files can have
// records of one thread. A record without an id is identified by its time and content.
func (r *codexReader) isRepeat(v logs.Value, timestamp, id string, payload jsontext.Value) bool {
	r.openSession(v, timestamp)
	key := id
	if id == "" {
		key = timestamp + " " + string(payload)
	}
	return r.to.Seen(r.historyOf + "\x00" + key)
}

func (r *codexReader) server(namespace, name string) string {
	if namespace != "" && !strings.HasPrefix(namespace, "mcp__") && slices.Contains(codexBuiltins, name) {
		return trace.BuiltinServer
	}
	return namespace
}
