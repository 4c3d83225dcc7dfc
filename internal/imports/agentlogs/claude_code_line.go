package agentlogs

import (
	"cmp"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/trace"
)

// claudeLine is a line of a session file or of the output. A line has only some of the keys.
type claudeLine struct {
	Type       string `json:"type"`
	Subtype    string `json:"subtype"`
	SessionID  string `json:"sessionId"`  // in session files
	OutputID   string `json:"session_id"` // in the output
	UUID       string `json:"uuid"`
	ParentUUID string `json:"parentUuid"`
	Forked     struct {
		UUID string `json:"messageUuid"`
	} `json:"forkedFrom"` // the record of another session that this record repeats
	Timestamp string         `json:"timestamp"`
	Message   jsontext.Value `json:"message"`

	Cwd           string         `json:"cwd"`
	Version       string         `json:"version"`
	OutputVersion string         `json:"claude_code_version"`
	GitBranch     string         `json:"gitBranch"`
	Model         string         `json:"model"`
	Requested     string         `json:"requestedModel"`
	Tools         jsontext.Value `json:"tools"` // the agent's tools by name, in the first line of the output
	Servers       []struct {
		Name   string `json:"name"`
		Status string `json:"status"`
	} `json:"mcp_servers"`

	// Sub-agents.
	IsSidechain bool             `json:"isSidechain"`
	AgentID     string           `json:"agentId"`
	AgentType   string           `json:"attributionAgent"`
	ParentCall  string           `json:"parent_tool_use_id"`
	ProgressOf  string           `json:"parentToolUseID"`
	Data        jsontext.Value   `json:"data"`
	Made        claudeToolResult `json:"toolUseResult"`
	MadeOutput  claudeToolResult `json:"tool_use_result"` // the same data as Made, under the key of the program's output

	// Messages in the user's name that the user did not write, and in the model's name that the model did not write.
	IsMeta         bool `json:"isMeta"`
	IsSynthetic    bool `json:"isSynthetic"`
	IsSummary      bool `json:"isCompactSummary"`
	IsOnlyShown    bool `json:"isVisibleInTranscriptOnly"`
	IsAPIError     bool `json:"isApiErrorMessage"`
	IsOutputsError bool `json:"is_api_error_message"`
	Origin         struct {
		Kind string `json:"kind"`
	} `json:"origin"`

	// The result, and other sums.
	IsError   bool           `json:"is_error"`
	Result    jsontext.Value `json:"result"`
	Errors    jsontext.Value `json:"errors"`
	Usage     claudeUsage    `json:"usage"`
	Duration  logs.Number    `json:"duration_ms"`
	TurnMs    logs.Number    `json:"durationMs"`
	Index     logs.Number    `json:"result_index"`
	Cost      logs.Dollars   `json:"total_cost_usd"`
	TotalCost logs.Dollars   `json:"totalCostUSD"`
	LineCost  logs.Dollars   `json:"costUSD"`
	Stop      string         `json:"stop_reason"`
	Denials   []struct {
		Tool string `json:"tool_name"`
	} `json:"permission_denials"`

	Shape      jsontext.Value `json:"shape"`
	Attachment jsontext.Value `json:"attachment"`
}

func (l *claudeLine) isOutput() bool { return l.SessionID == "" && l.OutputID != "" }

// identity returns an id that the line and its repetitions share; "" for lines without an id.
func (l *claudeLine) identity() string {
	id := cmp.Or(l.Forked.UUID, l.UUID)
	if id == "" || l.isOutput() {
		return id
	}
	return "file " + id
}

// claudeMessage is a message of the Messages API.
type claudeMessage struct {
	ID      string        `json:"id"`
	Model   string        `json:"model"`
	Content claudeContent `json:"content"`
	Usage   claudeUsage   `json:"usage"`
}

// claudeUsage is the usage of a reply. input_tokens does not include tokens of the cache.
type claudeUsage struct {
	Input      logs.Number `json:"input_tokens"`
	Output     logs.Number `json:"output_tokens"`
	CacheRead  logs.Number `json:"cache_read_input_tokens"`
	CacheWrite logs.Number `json:"cache_creation_input_tokens"`
}

// usage returns the usage with tokens of the cache included in the input.
func (u claudeUsage) usage() logs.Usage {
	return logs.Usage{
		Input: logs.Sum(u.Input.Count, u.CacheRead.Count, u.CacheWrite.Count), Output: u.Output.Count,
		CacheRead: u.CacheRead.Count, CacheWrite: u.CacheWrite.Count,
	}
}

// claudeContent is the content of a message: a text, or blocks.
type claudeContent struct {
	text   string
	blocks []claudeBlock
}

// claudeBlock is a block of a message.
type claudeBlock struct {
	Type    string         `json:"type"`
	Text    string         `json:"text"`
	ID      string         `json:"id"`
	Name    string         `json:"name"`
	Input   jsontext.Value `json:"input"`
	CallID  string         `json:"tool_use_id"`
	Content claudeResult   `json:"content"`
	IsError bool           `json:"is_error"`
}

// claudeResult is the content of a result.
type claudeResult struct{ logs.Result }

// UnmarshalJSON reads the content.
func (c *claudeResult) UnmarshalJSON(raw []byte) error {
	c.Read(raw)
	return nil
}

func (b *claudeBlock) result() logs.Result {
	r := b.Content.Result
	r.CallID, r.Failed = b.CallID, b.IsError
	return r
}

// UnmarshalJSONFrom reads the content.
func (c *claudeContent) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	switch dec.PeekKind() {
	case '"':
		return json.UnmarshalDecode(dec, &c.text)
	case '[':
		return json.UnmarshalDecode(dec, &c.blocks)
	}
	return dec.SkipValue()
}

// claudeToolResult is data that the program adds to a result: an object, or a text.
type claudeToolResult struct {
	AgentID string
	Pool    trace.Count // number of tools that were deferred at the time of the search
}

// UnmarshalJSONFrom reads the sub-agent that the call started, or the number of deferred tools.
func (t *claudeToolResult) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '{' {
		return dec.SkipValue()
	}
	var object struct {
		AgentID jsontext.Value `json:"agentId"`
		Pool    logs.Number    `json:"total_deferred_tools"`
	}
	if err := json.UnmarshalDecode(dec, &object); err != nil {
		return err
	}
	t.Pool = object.Pool.Count
	if object.AgentID.Kind() == '"' {
		t.AgentID = logs.Unquote(object.AgentID)
	}
	return nil
}
