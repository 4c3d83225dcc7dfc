package trace

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
)

// errNotKept is the error for a trace whose arguments were dropped when it was read.
var errNotKept = errors.New("the arguments were not kept")

// Write writes a trace as a cassette: keys in a fixed order, two spaces of indentation, a final newline, without absent values.
// Reading it back with all parts kept gives the same trace, except that malformed arguments become null. Write refuses a trace
// whose arguments were not kept.
func Write(w io.Writer, t *Trace) error {
	out := NewWriter(w, t.Header)
	for i := range t.Runs {
		out.add(&t.Runs[i])
	}
	return out.Close()
}

type writtenRun struct {
	Calls        []writtenCall       `json:"tool_calls"`
	Conversation writtenConversation `json:"conversation,omitempty"`
	Offered      Count               `json:"distractors,omitzero"`
	Final        *string             `json:"final_response,omitzero"`
	StopReason   string              `json:"stop_reason,omitzero"`
	Delegations  []Delegation        `json:"delegations,omitempty"`
	Duration     Count               `json:"duration_ms,omitzero"`
	Error        string              `json:"error,omitzero"`
}

type writtenConversation struct {
	Tokens writtenTokens  `json:"tokens,omitzero"`
	Turns  []writtenTurn  `json:"turns,omitempty"`
	Cost   jsontext.Value `json:"cost_usd,omitzero"`
}

type writtenTokens struct {
	Input      Count `json:"input,omitzero"`
	Output     Count `json:"output,omitzero"`
	Total      Count `json:"total,omitzero"`
	CacheRead  Count `json:"cache_read,omitzero"`
	CacheWrite Count `json:"cache_write,omitzero"`
}

type writtenTurn struct {
	Role    string        `json:"role"`
	Content string        `json:"content"`
	Tokens  writtenTokens `json:"tokens,omitzero"`
}

type writtenCall struct {
	Name     string         `json:"name"`
	Server   string         `json:"server,omitzero"`
	Args     jsontext.Value `json:"args,omitzero"`
	Unknown  bool           `json:"args_unknown,omitzero"` // instead of args
	Result   string         `json:"result,omitzero"`
	Failed   bool           `json:"is_error"`
	Error    string         `json:"error,omitzero"`
	Duration Count          `json:"duration_ms,omitzero"`
	Agent    string         `json:"agent,omitzero"`
	Witness  string         `json:"witness,omitzero"`
	Fault    string         `json:"fault,omitzero"`
	writtenSearch
}

// writtenSearch has the values of a search in the written form of a call.
type writtenSearch struct {
	Query  string        `json:"query,omitzero"`
	Pool   Count         `json:"deferred_tools,omitzero"`
	Found  []catalog.Ref `json:"found,omitzero"`
	Loaded []catalog.Ref `json:"loaded,omitzero"` // instead of Found
}

type writtenRef struct {
	Server string `json:"server,omitzero"`
	Name   string `json:"name"`
}

var marshalers = json.JoinMarshalers(
	json.MarshalToFunc(func(enc *jsontext.Encoder, c Count) error { return enc.WriteToken(jsontext.Int(c.N)) }),
	json.MarshalToFunc(func(enc *jsontext.Encoder, ref catalog.Ref) error { return json.MarshalEncode(enc, writtenRef(ref)) }),
	json.MarshalToFunc(writeCatalog),
)

// writeCatalog writes the tools by server. Servers are in the order of their first tools.
func writeCatalog(enc *jsontext.Encoder, c *catalog.Catalog) error {
	type list struct {
		Tools []jsontext.Value `json:"tools"`
	}
	var servers []string
	tools := map[string]*list{}
	for _, tool := range c.All() {
		if tools[tool.Server] == nil {
			servers = append(servers, tool.Server)
			tools[tool.Server] = &list{}
		}
		tools[tool.Server].Tools = append(tools[tool.Server].Tools, tool.JSON())
	}
	err := enc.WriteToken(jsontext.BeginObject)
	for _, server := range servers {
		err = errors.Join(err, enc.WriteToken(jsontext.String(server)), json.MarshalEncode(enc, tools[server]))
	}
	return errors.Join(err, enc.WriteToken(jsontext.EndObject))
}

func newWrittenRun(run *Run) (writtenRun, error) {
	extra := run.Extra.Value()
	out := writtenRun{
		Calls: make([]writtenCall, len(run.Calls)),
		Conversation: writtenConversation{
			Tokens: writtenTokens{run.Input, run.Output, run.Total, extra.CacheRead, extra.CacheWrite},
			Turns:  make([]writtenTurn, len(run.Turns)), Cost: dollars(run.Cost),
		},
		Offered: run.Offered, StopReason: run.StopReason, Delegations: extra.Delegations, Duration: run.Duration, Error: run.Error,
	}
	for i, turn := range run.Turns {
		out.Conversation.Turns[i] = writtenTurn{turn.Role, turn.Content, writtenTokens{Input: turn.Input, Output: turn.Output, Total: turn.Total}}
	}
	if run.HasFinal {
		out.Final = &run.FinalResponse
	}
	for i := range run.Calls {
		call := &run.Calls[i]
		args, err := call.writtenArgs()
		if err != nil {
			return out, err
		}
		detail := Detail{}
		if call.Detail != nil {
			detail = *call.Detail
		}
		out.Calls[i] = writtenCall{call.Tool.Name, call.Tool.Server, args, call.Args == ArgsUnknown, detail.Result, call.Failed, detail.Error, detail.Duration, detail.Agent, detail.Witness, detail.Fault, detail.Search.written()}
	}
	return out, nil
}

func (c *Call) writtenArgs() (jsontext.Value, error) {
	args := c.Arguments()
	switch {
	case c.Args == ArgsMalformed:
		return jsontext.Value("null"), nil
	case c.Args == ArgsEmpty:
		return jsontext.Value("{}"), nil
	case c.Args == ArgsUnknown:
		return nil, nil
	case args == nil:
		return nil, errNotKept
	}
	return args, nil
}

func (s *Search) written() writtenSearch {
	if s == nil {
		return writtenSearch{}
	}
	out := writtenSearch{Query: s.Query, Pool: s.Pool, Found: s.Tools}
	if s.ByName {
		out.Found, out.Loaded = nil, s.Tools
	}
	return out
}

const perDollar = 1_000_000 // micro-dollars

// dollars returns micro-dollars as the shortest decimal number of dollars; nil if they are unknown.
func dollars(micros Count) jsontext.Value {
	if !micros.Known {
		return nil
	}
	digits := strconv.FormatInt(micros.N/perDollar, 10)
	if fraction := strings.TrimRight(fmt.Sprintf("%06d", micros.N%perDollar), "0"); fraction != "" {
		digits += "." + fraction
	}
	return jsontext.Value(digits)
}
