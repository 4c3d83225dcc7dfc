package agentlogs

import (
	"cmp"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/trace"
)

// OpenCode reads the output of opencode export, which is a session, and of opencode run --format json. The messages and their
// parts: https://github.com/anomalyco/opencode/blob/dev/packages/sdk/js/src/gen/types.gen.ts.
var OpenCode = &logs.Format{
	Name:        "opencode",
	Builtins:    openCodeBuiltins,
	Interleaved: true, // a session can have an output, and exports of its sub-agents
	Open:        func(to *logs.Sink) logs.Reader { return &openCodeReader{to: to} },
}

// openCodeBuiltins are the tools of opencode: those that version 1.18.33 offers, and other tools in its sources.
var openCodeBuiltins = []string{
	"apply_patch", "bash", "batch", "codesearch", "edit", "glob", "grep", "list", "list_mcp_resource_templates",
	"list_mcp_resources", "lsp", "lsp_diagnostics", "lsp_hover", "multiedit", "patch", "plan_enter", "plan_exit", "question",
	"read", "read_mcp_resource", "skill", "task", "todoread", "todowrite", "webfetch", "websearch", "write",
}

// openCodeReader reads one file.
type openCodeReader struct{ to *logs.Sink }

// openCodeLine is a line of the output, or an exported session.
type openCodeLine struct {
	Info     openCodeInfo      `json:"info"`
	Messages []openCodeMessage `json:"messages"`

	Type      string         `json:"type"`
	Timestamp openCodeMs     `json:"timestamp"`
	SessionID string         `json:"sessionID"`
	Part      openCodePart   `json:"part"`
	Error     *openCodeError `json:"error"`
}

// openCodeInfo is the description of a session, or of a message.
type openCodeInfo struct {
	ID        string         `json:"id"`
	ParentID  string         `json:"parentID"`
	Role      string         `json:"role"`
	Agent     string         `json:"agent"`
	Directory string         `json:"directory"`
	Version   string         `json:"version"`
	System    jsontext.Value `json:"system"`
	Model     openCodeModel  `json:"model"`
	ModelID   string         `json:"modelID"`
	Provider  string         `json:"providerID"`
	Tokens    openCodeTokens `json:"tokens"`
	Cost      logs.Dollars   `json:"cost"`
	Finish    string         `json:"finish"`
	Error     *openCodeError `json:"error"`
	Summary   jsontext.Value `json:"summary"`
	Time      struct {
		Created openCodeMs `json:"created"`
	} `json:"time"`
}

// openCodeModel is the model of a session (id), or of a message of the user (modelID).
type openCodeModel struct {
	ID       string `json:"id"`
	ModelID  string `json:"modelID"`
	Provider string `json:"providerID"`
}

// openCodeError is the error of a message.
type openCodeError struct {
	Name string `json:"name"`
	Data struct {
		Message jsontext.Value `json:"message"`
	} `json:"data"`
}

func (e *openCodeError) text() string {
	return cmp.Or(logs.Text(e.Data.Message), e.Name, "the run failed")
}

// openCodeTokens are the tokens of a reply: the input does not include tokens of the cache, and the output does not include
// tokens of reasoning.
type openCodeTokens struct {
	Input     logs.Number `json:"input"`
	Output    logs.Number `json:"output"`
	Reasoning logs.Number `json:"reasoning"`
	Total     logs.Number `json:"total"`
	Cache     struct {
		Read  logs.Number `json:"read"`
		Write logs.Number `json:"write"`
	} `json:"cache"`
}

func (t *openCodeTokens) usage(reply string, cost trace.Count) logs.Usage {
	return logs.Usage{
		Reply: reply, Input: logs.Sum(t.Input.Count, t.Cache.Read.Count, t.Cache.Write.Count),
		Output: logs.Sum(t.Output.Count, t.Reasoning.Count), Total: t.Total.Count,
		CacheRead: t.Cache.Read.Count, CacheWrite: t.Cache.Write.Count, Cost: cost,
	}
}

// openCodeMessage is a message of an exported session.
type openCodeMessage struct {
	Info  openCodeInfo   `json:"info"`
	Parts []openCodePart `json:"parts"`
}

// openCodePart is a part of a message.
type openCodePart struct {
	ID        string         `json:"id"`
	MessageID string         `json:"messageID"`
	Type      string         `json:"type"`
	Text      string         `json:"text"`
	Synthetic bool           `json:"synthetic"`
	Ignored   bool           `json:"ignored"`
	MIME      string         `json:"mime"`
	Tool      string         `json:"tool"`
	CallID    string         `json:"callID"`
	State     openCodeState  `json:"state"`
	Tokens    openCodeTokens `json:"tokens"`
	Cost      logs.Dollars   `json:"cost"`
	Reason    string         `json:"reason"`
}

// openCodeState is the state of a call.
type openCodeState struct {
	Status   string         `json:"status"`
	Input    jsontext.Value `json:"input"`
	Output   textValue      `json:"output"`
	Error    textValue      `json:"error"`
	Metadata struct {
		SessionID string `json:"sessionId"` // session of the sub-agent that a task started
	} `json:"metadata"`
	Time struct {
		Start openCodeMs `json:"start"`
		End   openCodeMs `json:"end"`
	} `json:"time"`
}

// Value reads a line, or an exported session.
func (r *openCodeReader) Value(v logs.Value) {
	var line openCodeLine
	switch {
	case !v.Decode(&line):
	case line.SessionID != "":
		r.readOutput(v, &line)
	default:
		r.readExport(v, &line)
	}
}

// readExport reads a session. A session with a parent is the session of a sub-agent.
func (r *openCodeReader) readExport(v logs.Value, line *openCodeLine) {
	info := &line.Info
	key, agent := cmp.Or(info.ID, "in "+v.Pos.File), ""
	if info.ParentID != "" {
		key, agent = info.ParentID, info.ID
	}
	s := r.to.Session(key, v.Pos)
	if agent == "" {
		s.ID, s.Cwd = info.ID, info.Directory
		s.Model, s.Provider = info.Model.ID, info.Model.Provider
		s.Time = info.Time.Created.text()
		s.Describe("version", info.Version)
	}
	s.Name(agent, info.Agent)
	one := openCodeSession{session: s, to: r.to, agent: agent}
	for i := range line.Messages {
		one.readMessage(&line.Messages[i], fmt.Sprintf("%s message %d", key, i))
	}
}

// readOutput reads one line of the program's output.
func (r *openCodeReader) readOutput(v logs.Value, line *openCodeLine) {
	s := r.to.Output(line.SessionID, v.Pos)
	if id := line.Part.ID; id != "" && r.to.Seen("output "+line.Type+" "+id) {
		return
	}
	s.ID, s.Time = line.SessionID, cmp.Or(s.Time, line.Timestamp.text())
	s.Unended = "the output ends before its last step does"
	s.At(cmp.Or(line.Part.State.Time.Start, line.Timestamp).orderKey(), "") // sorts calls by their start
	one := openCodeSession{session: s, to: r.to}
	switch line.Type {
	case "error":
		s.Error = "the run failed"
		if line.Error != nil {
			s.Error = line.Error.text()
		}
	case "step_start":
		s.Ended, s.Error = false, ""
	case "step_finish":
		one.endStep(&line.Part)
	default:
		one.addPart(&line.Part, line.Part.MessageID)
	}
}
