package agentlogs

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/trace"
)

// claudeCosts adds up the costs in a session's output. A result line has the tokens of one run, but the cost of all runs of the
// process.
type claudeCosts struct {
	before  trace.Count // cost of the earlier processes
	results int         // number of results in this file
}

// readResult reads the result line of a run. A resumed session has several result lines.
func (r *claudeReader) readResult(s *logs.Session, line *claudeLine) {
	s.Ended, s.Error, s.StopReason = true, "", line.Stop
	s.Final = nil
	text := logs.Text(line.Result)
	switch {
	case strings.HasPrefix(line.Subtype, "error_max_"):
		s.StopReason = line.Subtype // a limit that the user set
	case line.IsError || line.Subtype != "success":
		s.Error = cmp.Or(text, logs.Text(line.Errors), line.Subtype, "the run failed")
	default:
		s.Final = &text
	}
	if line.Duration.Known {
		s.AddDuration(line.Duration.Count)
	}
	if len(line.Denials) > 0 {
		s.Describe("permission_denials", fmt.Sprint(len(line.Denials)))
	}
	s.Spend(r.totalUsage(s, line))
}

// totalUsage returns the usage of the session up to a result. The costs of several processes of one session add up.
func (r *claudeReader) totalUsage(s *logs.Session, line *claudeLine) logs.Usage {
	u := line.Usage.usage()
	u.Whole, u.Cost = true, line.Cost.Count
	c := r.costs[s]
	if c == nil {
		c = &claudeCosts{}
		r.costs[s] = c
	}
	c.results++
	before, ok := s.WholeUsage()
	if !ok {
		return u
	}
	isOtherProcess := c.results == 1 || line.Index.Known && line.Index.N == 0
	switch {
	case isOtherProcess:
		c.before = before.Cost
		u.Cost = logs.Plus(u.Cost, c.before)
	case line.Index.Known && c.before.Known:
		u.Cost = logs.Plus(u.Cost, c.before)
	case !line.Index.Known:
		u.Cost = trace.Count{}
		r.to.LeaveOut("costs of results of which the output does not say whether they add up")
	}
	cost := u.Cost
	u = u.Plus(before)
	u.Cost = cost
	return u
}

// readShape reads the system prompt and the tools of a request, in the form of later versions. A request without tools is one that
// the program makes for itself, such as for a title.
func (r *claudeReader) readShape(v logs.Value, s *logs.Session, line *claudeLine) {
	var shape struct {
		System jsontext.Value `json:"system"`
		Tools  jsontext.Value `json:"tools"`
	}
	isMain := !line.IsSidechain && line.AgentID == ""
	if !isMain || !v.DecodePart(line.Shape, &shape) || len(shape.Tools) < len(`[{}]`) {
		return
	}
	if s.System == "" {
		s.Instruct(logs.Text(shape.System))
	}
	r.offerTools(v, s, shape.Tools)
}

// offerTools reads a list of tools, without the agent's own tools. An element that is not a tool counts as an unreadable tool.
func (r *claudeReader) offerTools(v logs.Value, s *logs.Session, list jsontext.Value) {
	if r.to.Seen("tools of " + s.ID + " " + string(list)) {
		return
	}
	var tools []jsontext.Value
	if !v.DecodePart(list, &tools) {
		return
	}
	for _, raw := range tools {
		var tool struct {
			Name        string         `json:"name"`
			Description string         `json:"description"`
			Schema      jsontext.Value `json:"input_schema"`
			Deferred    bool           `json:"defer_loading"`
		}
		switch {
		case json.Unmarshal(raw, &tool, logs.Lenient) != nil || tool.Name == "":
			s.Offer(logs.Offered{})
		case strings.HasPrefix(tool.Name, "mcp__"):
			s.Offer(logs.Offered{Tool: logs.Tool(tool.Name, tool.Description, tool.Schema), Deferred: tool.Deferred})
		}
	}
}

// readAttachment reads tools that were deferred or offered later, the model, and texts that the user typed while the agent worked.
func (r *claudeReader) readAttachment(v logs.Value, s *logs.Session, line *claudeLine) {
	var a struct {
		Type    string         `json:"type"`
		Entries jsontext.Value `json:"entries"`
		Names   jsontext.Value `json:"addedNames"`
		Prompt  jsontext.Value `json:"prompt"`
		Model   struct {
			ID string `json:"modelId"`
		} `json:"identity"`
		Mode   string `json:"commandMode"`
		Origin struct {
			Kind string `json:"kind"`
		} `json:"origin"`
	}
	if line.Attachment.Kind() != '{' || !v.DecodePart(line.Attachment, &a) {
		return
	}
	switch {
	case a.Type == "deferred_tools_record" && a.Entries.Kind() == '[' && !line.IsSidechain:
		r.offerTools(v, s, a.Entries)
	case a.Type == "deferred_tools_delta" && !line.IsSidechain:
		for _, name := range logs.ElementsOf(a.Names) {
			s.Defer(logs.Unquote(name))
		}
	case a.Type == "model" && !line.IsSidechain:
		s.Model = cmp.Or(s.Model, a.Model.ID)
	case a.Type == "queued_command" && a.Mode == "prompt" && (a.Origin.Kind == "" || a.Origin.Kind == "human"):
		s.Say(logs.Message{Role: logs.RoleUser, Text: logs.Text(a.Prompt), Agent: r.agentID(line), Aside: true})
	}
}
