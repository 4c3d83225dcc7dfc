package agentlogs

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/org/mcp-gates/internal/imports/logs"
)

// openCodeSession reads the messages of one session.
type openCodeSession struct {
	session *logs.Session
	to      *logs.Sink
	agent   string // id of the session of a sub-agent; "" for the main agent
}

// readMessage reads a message of an exported session. place serves as the id of a message without one.
func (o *openCodeSession) readMessage(m *openCodeMessage, place string) {
	info := &m.Info
	if info.ID != "" && o.to.Seen("message "+info.ID) {
		return
	}
	s := o.session
	s.At(info.Time.Created.orderKey(), "")
	if info.Role == logs.RoleUser {
		o.addUserMessage(m)
		return
	}
	reply := cmp.Or(info.ID, place)
	s.Say(logs.Message{Role: logs.RoleAssistant, ID: reply, Agent: o.agent})
	for i := range m.Parts {
		o.addPart(&m.Parts[i], reply)
	}
	if info.Error == nil {
		s.Spend(info.Tokens.usage(reply, info.Cost.Count))
	}
	if o.agent != "" {
		return
	}
	s.ProviderModel = cmp.Or(s.ProviderModel, info.ModelID)
	s.Model, s.Provider = cmp.Or(s.Model, info.ModelID), cmp.Or(s.Provider, info.Provider)
	s.StopReason, s.Error = info.Finish, ""
	if info.Error != nil {
		s.Error = info.Error.text()
	}
}

// addUserMessage reads the user's own text, without the parts that the program added.
func (o *openCodeSession) addUserMessage(m *openCodeMessage) {
	if o.agent == "" {
		o.session.System = cmp.Or(o.session.System, logs.Text(m.Info.System))
	}
	var texts []string
	for i := range m.Parts {
		p := &m.Parts[i]
		switch {
		case p.Synthetic || p.Ignored:
			o.to.LeaveOut("messages that the program wrote for the user")
		case p.Type == "text":
			texts = append(texts, p.Text)
		case p.Type == "file":
			texts = append(texts, "["+logs.OneWord(strings.TrimSpace("file "+p.MIME))+"]")
		}
	}
	if len(texts) > 0 {
		o.session.Say(logs.Message{Role: logs.RoleUser, Text: strings.Join(texts, "\n"), Agent: o.agent})
	}
}

func (o *openCodeSession) addPart(p *openCodePart, reply string) {
	switch p.Type {
	case "text":
		if !p.Synthetic && !p.Ignored {
			o.session.Say(logs.Message{Role: logs.RoleAssistant, Text: p.Text, ID: reply, Agent: o.agent})
		}
	case "tool":
		o.addCall(p, reply)
	}
}

// invalidTool is the tool that opencode calls if the model named a tool that does not exist, or arguments that the tool does
// not accept.
const invalidTool = "invalid"

// addCall reads a call, with its result if it has ended.
func (o *openCodeSession) addCall(p *openCodePart, reply string) {
	c := logs.Call{ID: cmp.Or(p.CallID, p.ID), Name: p.Tool, Args: logs.Args{Object: p.State.Input}, Agent: o.agent, Reply: reply}
	result := logs.Result{CallID: c.ID, Text: string(p.State.Output), Duration: p.State.Time.Start.millisecondsUntil(p.State.Time.End)}
	var asked struct {
		Tool  string `json:"tool"`
		Error string `json:"error"`
	}
	if p.Tool == invalidTool && json.Unmarshal(p.State.Input, &asked, logs.Lenient) == nil && asked.Tool != "" {
		c.Name, c.Args = asked.Tool, logs.Args{Absent: true}
		result.Failed, result.Text, result.Error = true, "", asked.Error
	}
	o.session.Ask(c)
	if child := p.State.Metadata.SessionID; p.Tool == "task" && child != "" {
		o.addDelegation(p, child)
	}
	switch p.State.Status {
	case "completed":
		o.session.Answer(result)
	case "error":
		result.Failed, result.Error = true, string(p.State.Error)
		o.session.Answer(result)
	}
}

func (o *openCodeSession) addDelegation(p *openCodePart, child string) {
	var input struct {
		Agent string `json:"subagent_type"`
	}
	_ = json.Unmarshal(p.State.Input, &input, logs.Lenient) // a call may lack the name of an agent
	o.session.Name(child, cmp.Or(input.Agent, "agent"))
	o.session.Delegate(cmp.Or(o.agent, logs.MainAgent), child)
}

// endStep reads the end of a step of the output. A step is a reply. The last step ends for another reason than calls.
func (o *openCodeSession) endStep(p *openCodePart) {
	s := o.session
	s.Say(logs.Message{Role: logs.RoleAssistant, ID: p.MessageID})
	s.Spend(p.Tokens.usage(p.MessageID, p.Cost.Count))
	s.Ended, s.StopReason = p.Reason != "tool-calls", p.Reason
}
