package agentlogs

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/trace"
)

// claudeSynthetic is the model of messages that the program itself wrote.
const claudeSynthetic = "<synthetic>"

// readAssistant reads a message of the model with its calls, or an error of the API.
func (r *claudeReader) readAssistant(v logs.Value, s *logs.Session, line *claudeLine, agent string) {
	var m claudeMessage
	if !v.DecodePart(line.Message, &m) {
		return
	}
	isError := line.IsAPIError || line.IsOutputsError
	if isError && agent == "" {
		s.Error = cmp.Or(m.Content.allText(), "the API answered with an error")
	}
	if isError || m.Model == claudeSynthetic {
		return
	}
	reply := cmp.Or(m.ID, line.UUID)
	s.Name(agent, line.AgentType)
	if agent == "" {
		s.Error, s.Ended = "", false
		s.Model = cmp.Or(s.Model, line.Requested, m.Model)
		s.ProviderModel = cmp.Or(s.ProviderModel, m.Model)
	}
	s.Say(logs.Message{Role: logs.RoleAssistant, Text: m.Content.allText(), ID: reply, Agent: agent})
	r.addUsage(s, line, &m, reply)
	for i := range m.Content.blocks {
		r.readBlock(s, &m.Content.blocks[i], logs.Call{Agent: agent, Reply: reply})
	}
}

// addUsage adds the usage of a reply. It drops the count of output tokens in the program's output, which is preliminary.
func (r *claudeReader) addUsage(s *logs.Session, line *claudeLine, m *claudeMessage, reply string) {
	u := m.Usage.usage()
	u.Reply, u.Cost = reply, line.LineCost.Count
	if line.isOutput() {
		u.Output = trace.Count{}
	}
	if u.Input.Known || u.Output.Known {
		s.Spend(u)
	}
}

// readBlock reads a call, or the result of a tool that the API ran, from a block.
func (r *claudeReader) readBlock(s *logs.Session, b *claudeBlock, c logs.Call) {
	switch b.Type {
	case "tool_use":
		c.ID, c.Name, c.Args = b.ID, b.Name, logs.Args{Object: b.Input}
		s.Ask(c)
		r.addDelegation(s, b, c.Agent)
	case "server_tool_use":
		c.ID, c.Name, c.Server, c.Args = b.ID, b.Name, trace.BuiltinServer, logs.Args{Object: b.Input}
		s.Ask(c)
	case "web_search_tool_result", "web_fetch_tool_result", "tool_search_tool_result":
		s.Answer(b.result())
	}
}

// addDelegation notes that a call gives work to a sub-agent. The records of the sub-agent have the call's id, or another id that
// the call's result contains.
func (r *claudeReader) addDelegation(s *logs.Session, b *claudeBlock, agent string) {
	if b.Name != "Task" && b.Name != "Agent" {
		return
	}
	var input struct {
		Type   string `json:"subagent_type"`
		Prompt string `json:"prompt"`
	}
	if json.Unmarshal(b.Input, &input, logs.Lenient) != nil {
		return
	}
	s.Name(b.ID, cmp.Or(input.Type, "agent"))
	s.Delegate(cmp.Or(agent, "main"), cmp.Or(b.ID, input.Type, "agent"))
	const most = 1000 // calls whose sub-agents were not found in the file
	if len(r.tasks) < most {
		r.tasks = append(r.tasks, claudeTask{call: b.ID, prompt: input.Prompt})
	}
}

// readUser reads a line in the user's name: results of calls, an interruption, or a prompt.
func (r *claudeReader) readUser(v logs.Value, s *logs.Session, line *claudeLine, agent string) {
	var m claudeMessage
	if !v.DecodePart(line.Message, &m) {
		return
	}
	results := 0
	for i := range m.Content.blocks {
		b := &m.Content.blocks[i]
		if b.Type != "tool_result" {
			continue
		}
		results++
		result := b.result()
		result.Pool = cmp.Or(line.Made.Pool, line.MadeOutput.Pool)
		s.Answer(result)
		s.Name(line.Made.AgentID, b.CallID)
	}
	text := m.Content.userText()
	isChainStart := agent != "" && line.AgentID == "" && line.ParentCall == "" && line.UUID == agent
	switch {
	case results > 0 && text == "": // only results
	case text == claudeInterrupted || text == claudeInterruptedCall:
		if agent == "" {
			s.Error = "the user interrupted the run"
		}
	case line.IsSummary:
		r.to.LeaveOut("summaries of compacted conversations")
	case line.isProgram() || text == "":
		r.to.LeaveOut("messages that the program wrote for the user")
	case isChainStart:
		r.nameAgent(s, agent, text)
		fallthrough
	default:
		s.Say(logs.Message{Role: logs.RoleUser, Text: text, Agent: agent})
	}
}

// Texts that the program writes in the user's name after the user interrupted the model, or a call.
const (
	claudeInterrupted     = "[Request interrupted by user]"
	claudeInterruptedCall = "[Request interrupted by user for tool use]"
)

// isProgram reports whether the program wrote a message of the user: a note to the model, or the record of a command.
func (l *claudeLine) isProgram() bool {
	hasOtherOrigin := l.Origin.Kind != "" && l.Origin.Kind != "human"
	return l.IsMeta || l.IsSynthetic || l.IsOnlyShown || hasOtherOrigin
}

// claudeNotes are the beginnings of texts that the program adds to messages of the user: records of commands, and reminders.
var claudeNotes = []string{
	"<command-name>", "<command-message>", "<command-args>", "<command-contents>", "<local-command-stdout>",
	"<local-command-stderr>", "<local-command-caveat>", "<bash-input>", "<bash-stdout>", "<bash-stderr>", "<system-reminder>",
	"<user-memory-input>", "<task-notification>", "<ide_opened_file>", "<ide_selection>", "<ide_diagnostics>",
}

func (c *claudeContent) allText() string { return c.textsWhere(func(string) bool { return true }) }

// userText returns the user's own text, without the program's additions.
func (c *claudeContent) userText() string { return c.textsWhere(isUserText) }

// textsWhere returns the texts for which keep returns true, and [image] or [document] for each block of these types.
func (c *claudeContent) textsWhere(keep func(text string) bool) string {
	var texts []string
	if c.blocks == nil && keep(c.text) {
		texts = append(texts, c.text)
	}
	for i := range c.blocks {
		switch b := &c.blocks[i]; {
		case b.Type == "text" && keep(b.Text):
			texts = append(texts, b.Text)
		case b.Type == "image" || b.Type == "document":
			texts = append(texts, "["+b.Type+"]")
		}
	}
	return strings.Join(texts, "\n")
}

func isUserText(text string) bool {
	return text != "" && !slices.ContainsFunc(claudeNotes, func(note string) bool { return strings.HasPrefix(text, note) })
}
