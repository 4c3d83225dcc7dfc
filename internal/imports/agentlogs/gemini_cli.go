package agentlogs

import (
	"cmp"
	"path"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
)

// GeminiCLI reads the session files of Gemini CLI (~/.gemini/tmp/*/chats/session-*.jsonl, and .json of earlier versions), and
// its output with --output-format stream-json or json. Session files:
// https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/services/chatRecordingTypes.ts; output:
// https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/output/types.ts.
var GeminiCLI = &logs.Format{
	Name:             "gemini-cli",
	Builtins:         geminiCLIBuiltins,
	SingleUnderscore: true,
	Interleaved:      true, // a session can have an output, and files of its sub-agents
	Open:             func(to *logs.Sink) logs.Reader { return &geminiCLIReader{to: to, clock: clock{}} },
}

// geminiCLIBuiltins are the tools of Gemini CLI: those that version 0.61.0 offers, other tools in its sources, and tools of earlier
// versions.
var geminiCLIBuiltins = []string{
	"activate_skill", "ask_user", "cli_help", "codebase_investigator", "complete_task", "enter_plan_mode", "exit_plan_mode",
	"generalist", "get_internal_docs", "glob", "google_web_search", "grep_search", "invoke_agent", "list_background_processes",
	"list_directory", "list_mcp_resources", "read_background_output", "read_file", "read_many_files", "read_mcp_resource",
	"replace", "run_shell_command", "save_memory", "tracker_add_dependency", "tracker_create_task", "tracker_get_task",
	"tracker_list_tasks", "tracker_update_task", "tracker_visualize", "update_topic", "web_fetch", "write_file", "write_todos",
	// Earlier versions.
	"delegate_to_agent", "search_file_content",
}

// geminiCLIReader reads one file.
type geminiCLIReader struct {
	to      *logs.Sink
	clock   clock
	session *logs.Session // session of the file; nil before the first line
	id      string        // id of the session
	agent   string        // id of the session, in a file of a sub-agent

	last      geminiCLIMessage // last message of a session file: it can be repeated with more content
	pieces    strings.Builder
	isRepeat  bool // the output was read before
	hasPieces bool // pieces of a message of the output were read
}

// geminiCLILine is a line of a session file or of the output, or a whole file of either kind.
type geminiCLILine struct {
	geminiCLIMessage

	SessionID string             `json:"sessionId"`
	Kind      string             `json:"kind"`
	Start     string             `json:"startTime"`
	Messages  []geminiCLIMessage `json:"messages"`
	Set       jsontext.Value     `json:"$set"`
	Rewind    jsontext.Value     `json:"$rewindTo"`

	// The output.
	OutputID   string         `json:"session_id"`
	Role       string         `json:"role"`
	Name       string         `json:"tool_name"`
	CallID     string         `json:"tool_id"`
	Parameters jsontext.Value `json:"parameters"`
	Status     string         `json:"status"`
	Output     jsontext.Value `json:"output"`
	Error      jsontext.Value `json:"error"`
	Stats      geminiCLIStats `json:"stats"`
	Response   *string        `json:"response"`
}

// geminiCLIMessage is a message of a session file.
type geminiCLIMessage struct {
	ID        string          `json:"id"`
	Timestamp string          `json:"timestamp"`
	Type      string          `json:"type"`
	Content   jsontext.Value  `json:"content"`
	Model     string          `json:"model"`
	Calls     []geminiCLICall `json:"toolCalls"`
	Tokens    geminiCLITokens `json:"tokens"`
}

// geminiCLICall is a call in a session file.
type geminiCLICall struct {
	ID      string         `json:"id"`
	Name    string         `json:"name"`
	Args    jsontext.Value `json:"args"`
	Result  jsontext.Value `json:"result"`
	Status  string         `json:"status"`
	AgentID string         `json:"agentId"`
}

// geminiCLITokens are the tokens of a reply. The input includes cached tokens, and the output does not include thoughts.
type geminiCLITokens struct {
	Input    logs.Number `json:"input"`
	Output   logs.Number `json:"output"`
	Cached   logs.Number `json:"cached"`
	Thoughts logs.Number `json:"thoughts"`
	Tool     logs.Number `json:"tool"`
	Total    logs.Number `json:"total"`
}

// Value reads a line, or a document.
func (r *geminiCLIReader) Value(v logs.Value) {
	var line geminiCLILine
	if !v.Decode(&line) {
		return
	}
	switch {
	case line.Set != nil || line.Rewind != nil: // the program's current history, and notes
		r.openSession(v, &line)
	case line.SessionID != "":
		r.readHead(v, &line)
	case line.OutputID != "" && line.Type == "":
		r.readWhole(v, &line)
	case line.ID != "":
		r.readMessage(v, &line.geminiCLIMessage)
	default:
		r.readOutput(v, &line)
	}
}

// End reads the message that was waiting for more content.
func (r *geminiCLIReader) End() {
	if r.session != nil {
		r.addLast()
		r.addPieces()
	}
}

func (r *geminiCLIReader) openSession(v logs.Value, line *geminiCLILine) {
	if r.session != nil {
		return
	}
	r.id = cmp.Or(line.SessionID, "in "+v.Pos.File)
	key := r.id
	// The folder of a sub-agent's file has the name of the session.
	folder := path.Base(path.Dir(v.Pos.File))
	hasFolder := folder != "." && folder != "/"
	if line.Kind == "subagent" && hasFolder {
		key, r.agent = folder, r.id
	}
	r.session = r.to.Session(key, v.Pos)
	if r.agent == "" {
		r.session.ID, r.session.Time = line.SessionID, cmp.Or(r.session.Time, line.Start)
	}
}

func (r *geminiCLIReader) readHead(v logs.Value, line *geminiCLILine) {
	r.openSession(v, line)
	for i := range line.Messages {
		r.readMessage(v, &line.Messages[i])
	}
}

// readMessage reads a message of a session file. If several lines have the same id, the last counts.
func (r *geminiCLIReader) readMessage(v logs.Value, m *geminiCLIMessage) {
	r.openSession(v, &geminiCLILine{})
	if m.ID != r.last.ID {
		r.addLast()
	}
	m.Content = m.Content.Clone()
	r.last = *m
}

// addLast adds the last message. It must be called after all lines of the message, because later lines replace earlier lines.
func (r *geminiCLIReader) addLast() {
	m := r.last
	r.last = geminiCLIMessage{}
	if m.ID == "" || r.to.Seen(r.id+"\x00"+m.ID) {
		return
	}
	s := r.session
	s.At(r.clock.timeOf(s, r.agent, m.Timestamp), "")
	switch m.Type {
	case "user":
		r.addUserMessage(&m)
	case "gemini":
		r.addReply(&m)
	case "error":
		if r.agent == "" {
			s.Error = logs.Text(m.Content)
		}
	}
}

// addUserMessage reads a message of the user. It skips notes of the program, and results, because the calls already have their
// results.
func (r *geminiCLIReader) addUserMessage(m *geminiCLIMessage) {
	text := geminiCLIText(m.Content)
	switch {
	case strings.Contains(string(m.Content), `"functionResponse"`):
	case strings.HasPrefix(text, "<session_context>"):
		r.to.LeaveOut("messages that the program wrote for the user")
	default:
		r.session.Say(logs.Message{Role: logs.RoleUser, Text: text, Agent: r.agent})
	}
}

func (r *geminiCLIReader) addReply(m *geminiCLIMessage) {
	s := r.session
	if r.agent == "" {
		s.Error = ""
		s.Model, s.ProviderModel = cmp.Or(s.Model, m.Model), cmp.Or(s.ProviderModel, m.Model)
	}
	s.Say(logs.Message{Role: logs.RoleAssistant, Text: geminiCLIText(m.Content), ID: m.ID, Agent: r.agent})
	for i := range m.Calls {
		r.addCall(&m.Calls[i], m.ID)
	}
	if m.Tokens.Input.Known {
		t := m.Tokens
		s.Spend(logs.Usage{
			Reply: m.ID, Input: logs.Sum(t.Input.Count, t.Tool.Count), Output: logs.Sum(t.Output.Count, t.Thoughts.Count), Total: t.Total.Count,
			CacheRead: t.Cached.Count,
		})
	}
}

// addCall adds a call with its result.
func (r *geminiCLIReader) addCall(c *geminiCLICall, reply string) {
	r.session.Ask(logs.Call{ID: c.ID, Name: c.Name, Args: logs.Args{Object: c.Args}, Agent: r.agent, Reply: reply})
	if c.AgentID != "" {
		r.addDelegation(c)
	}
	result := geminiCLIResult(c.Result)
	result.CallID = c.ID
	switch c.Status {
	case "success":
		r.session.Answer(result)
	case "error", "cancelled":
		result.Failed = true
		r.session.Answer(result)
	}
}

func (r *geminiCLIReader) addDelegation(c *geminiCLICall) {
	var args struct {
		Agent string `json:"agent_name"`
	}
	_ = json.Unmarshal(c.Args, &args, logs.Lenient) // a call may lack the name of an agent
	r.session.Name(c.AgentID, cmp.Or(args.Agent, c.Name))
	r.session.Delegate(cmp.Or(r.agent, logs.MainAgent), c.AgentID)
}

func geminiCLIResult(parts jsontext.Value) logs.Result {
	var list []struct {
		Response *struct {
			Response jsontext.Value `json:"response"`
		} `json:"functionResponse"`
	}
	isList := parts.Kind() == '[' && json.Unmarshal(parts, &list, logs.Lenient) == nil
	if !isList || len(list) == 0 || list[0].Response == nil {
		return logs.Result{Text: geminiCLIText(parts)}
	}
	var response struct {
		Output jsontext.Value `json:"output"`
		Error  jsontext.Value `json:"error"`
	}
	raw := list[0].Response.Response
	switch {
	case raw.Kind() != '{' || json.Unmarshal(raw, &response, logs.Lenient) != nil:
		return logs.Result{Text: logs.Text(raw)}
	case response.Error != nil:
		return logs.Result{Error: logs.Text(response.Error)}
	case response.Output != nil:
		return logs.Result{Text: geminiCLIUnwrapped(logs.Text(response.Output))}
	}
	return logs.Result{Text: logs.CompactText(raw)}
}

// geminiCLIUnwrapped returns the text of a server without the tags that Gemini CLI puts around it for the model.
func geminiCLIUnwrapped(text string) string {
	inner, is := strings.CutPrefix(text, "<untrusted_context>\n")
	if !is {
		return text
	}
	return strings.TrimSuffix(inner, "\n</untrusted_context>")
}
