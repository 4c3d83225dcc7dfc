package agentlogs

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
)

// ClaudeCode reads the session files of Claude Code (~/.claude/projects/*/*.jsonl, with those of its sub-agents), and its
// output with --output-format stream-json, or json with --verbose. Lines of the output:
// https://docs.claude.com/en/api/agent-sdk/typescript#message-types. The session file has no published schema: its lines hold
// the same messages, with sessionId for session_id.
var ClaudeCode = &logs.Format{
	Name:        "claude-code",
	Builtins:    claudeBuiltins,
	Interleaved: true, // a session can have several files, and an output
	Open: func(to *logs.Sink) logs.Reader {
		return &claudeReader{to: to, chains: map[string]string{}, costs: map[*logs.Session]*claudeCosts{}, clock: clock{}}
	},
}

// claudeBuiltins are the tools of Claude Code: those that version 2.1.330 lists or offers, and tools of earlier versions.
var claudeBuiltins = []string{
	"Agent", "Artifact", "ArtifactCheck", "ArtifactComments", "ArtifactData", "AskUserQuestion", "Bash", "CronCreate",
	"CronDelete", "CronList", "Edit", "EnterPlanMode", "EnterWorktree", "ExitPlanMode", "ExitWorktree", "Glob", "Grep", "LSP",
	"ListAgents", "ListMcpResourcesTool", "Monitor", "NotebookEdit", "PowerShell", "PushNotification", "Read",
	"ReadMcpResourceDirTool", "ReadMcpResourceTool", "RemoteTrigger", "ReportFindings", "ScheduleWakeup", "SendMessage",
	"SendUserMessage", "Skill", "StructuredOutput", "Task", "TaskCreate", "TaskGet", "TaskList", "TaskOutput", "TaskStop",
	"TaskUpdate", "TeamCreate", "TeamDelete", "TodoWrite", "ToolSearch", "WebFetch", "WebSearch", "Workflow", "Write",
	// Earlier versions.
	"AgentOutputTool", "BashOutput", "KillBash", "KillShell", "LS", "ListMcpResources", "MCPSearch", "MultiEdit",
	"NotebookRead", "ReadMcpResource", "SlashCommand", "TodoRead", "exit_plan_mode",
}

// claudeReader reads one file.
type claudeReader struct {
	to     *logs.Sink
	chains map[string]string // for sub-agents without an id: the first record of a chain, by each of the chain's records
	tasks  []claudeTask      // calls that started sub-agents
	costs  map[*logs.Session]*claudeCosts
	clock  clock
}

// claudeTask is a call that started a sub-agent whose records were not found yet.
type claudeTask struct{ call, prompt string }

// Value reads a line.
func (r *claudeReader) Value(v logs.Value) {
	var line claudeLine
	if v.Decode(&line) {
		r.readLine(v, &line)
	}
}

// readLine reads one line of a session file or of the agent's output.
func (r *claudeReader) readLine(v logs.Value, line *claudeLine) {
	isMessage := line.Type == "assistant" || line.Type == "user"
	switch {
	case isMessage && line.Message.Kind() != '{':
		v.Skip("has a message that is not an object")
		return
	case !isMessage && line.SessionID == "" && line.OutputID == "":
		return // a note of the program, such as a summary
	case r.to.Seen(line.identity()):
		return
	}
	s := r.openSession(v, line)
	agent := r.agentID(line)
	s.At(r.clock.timeOf(s, agent, line.Timestamp), "")
	switch line.Type {
	case "assistant":
		r.readAssistant(v, s, line, agent)
	case "user":
		r.readUser(v, s, line, agent)
	case "result":
		r.readResult(s, line)
	case "system":
		r.readSystem(s, line)
	case "attachment":
		r.readAttachment(v, s, line)
	case "progress":
		r.readProgress(v, line)
	case "api-request-shape":
		r.readShape(v, s, line)
	case "cost-state":
		s.Spend(logs.Usage{Whole: true, Cost: line.TotalCost.Count})
	case "stream_event", "api-request-blob", "api-request": // repeat the content of other lines
	default:
		if len(line.Message) > 0 {
			v.Skip("is a record of an unknown type with a message")
		}
	}
}

// openSession returns the session of a line, and adds the line's values to it. Only few lines have these values.
func (r *claudeReader) openSession(v logs.Value, line *claudeLine) *logs.Session {
	id := cmp.Or(line.SessionID, line.OutputID)
	open := r.to.Session
	if line.isOutput() {
		open = r.to.Output
	}
	s := open(cmp.Or(id, "in "+v.Pos.File), v.Pos)
	s.ID = id
	s.Cwd, s.Time = cmp.Or(s.Cwd, line.Cwd), cmp.Or(s.Time, line.Timestamp)
	s.Describe("version", cmp.Or(line.Version, line.OutputVersion))
	s.Describe("git_branch", line.GitBranch)
	return s
}

// agentID returns the id of a line's sub-agent; "" for the main agent. Earlier versions write no ids of sub-agents, so the first
// record of a chain serves as the id.
func (r *claudeReader) agentID(line *claudeLine) string {
	switch {
	case line.AgentID != "":
		return line.AgentID
	case line.ParentCall != "":
		return line.ParentCall
	case !line.IsSidechain:
		return ""
	}
	root := cmp.Or(r.chains[line.ParentUUID], line.UUID, "sidechain")
	r.chains[line.UUID] = root
	return root
}

// nameAgent gives a sub-agent without an id the name that belongs to the call with the sub-agent's prompt.
func (r *claudeReader) nameAgent(s *logs.Session, agent, prompt string) {
	i := slices.IndexFunc(r.tasks, func(t claudeTask) bool { return t.prompt == prompt })
	if i < 0 {
		return
	}
	s.Name(agent, r.tasks[i].call)
	r.tasks = slices.Delete(r.tasks, i, i+1)
}

// readSystem reads a line of the program: the beginning of a run, or the duration of a turn.
func (r *claudeReader) readSystem(s *logs.Session, line *claudeLine) {
	switch line.Subtype {
	case "init":
		s.Model = cmp.Or(s.Model, line.Model)
		s.Unended = "the output ends before its result"
		if line.defers() {
			s.OfferSearch()
		}
		for _, server := range line.Servers {
			if server.Status == "failed" {
				s.Describe("failed_server", server.Name)
			}
		}
	case "turn_duration":
		if line.TurnMs.Known {
			s.AddDuration(line.TurnMs.Count)
		}
	}
}

// defers reports whether tools are deferred: the agent has tools of servers, and a search for them.
func (l *claudeLine) defers() bool {
	hasSearch, hasTool := false, false
	for _, raw := range logs.ElementsOf(l.Tools) {
		name := logs.Unquote(raw)
		hasSearch = hasSearch || name == "ToolSearch"
		hasTool = hasTool || strings.HasPrefix(name, "mcp__")
	}
	return hasSearch && hasTool
}

// readProgress reads the message in a note on a sub-agent's progress. Only some versions write such notes.
func (r *claudeReader) readProgress(v logs.Value, line *claudeLine) {
	var data struct {
		Type    string         `json:"type"`
		AgentID string         `json:"agentId"`
		Message jsontext.Value `json:"message"`
	}
	if line.Data.Kind() != '{' || !v.DecodePart(line.Data, &data) {
		return
	}
	if data.Type != "agent_progress" || data.Message.Kind() != '{' {
		return
	}
	var inner claudeLine
	if !v.DecodePart(data.Message, &inner) || inner.Type == "progress" {
		return
	}
	inner.SessionID, inner.OutputID = line.SessionID, line.OutputID
	inner.AgentID = cmp.Or(data.AgentID, line.ProgressOf)
	if inner.Type == "assistant" || inner.Type == "user" {
		r.openSession(v, line).Name(inner.AgentID, line.ProgressOf)
		r.readLine(v, &inner)
	}
}
