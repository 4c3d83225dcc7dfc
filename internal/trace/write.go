package trace

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
)

// errNotKept tells that a trace cannot be written as it was recorded.
var errNotKept = errors.New("the arguments were not kept")

// Write writes a trace as a cassette: keys in one order, two spaces of indentation, a final newline, what is absent
// left out. A trace read back with everything kept is the same, but that arguments which were malformed are written as
// null. A trace whose arguments were not kept is refused.
func Write(w io.Writer, t *Trace) error {
	out := &writer{enc: jsontext.NewEncoder(w,
		jsontext.WithIndent("  "),
		jsontext.PreserveRawStrings(true),
		jsontext.AllowDuplicateNames(true),
		// A live server can send any bytes; what is no UTF-8 becomes U+FFFD.
		jsontext.AllowInvalidUTF8(true),
	)}
	out.object(func() {
		out.header(&t.Header)
		out.key("runs")
		out.array(len(t.Runs), func(i int) { out.run(&t.Runs[i]) })
	})
	if out.err != nil {
		return fmt.Errorf("write cassette: %w", out.err)
	}
	return nil
}

// writer writes JSON until the first error.
type writer struct {
	enc *jsontext.Encoder
	err error
}

func (w *writer) token(t jsontext.Token) {
	if w.err == nil {
		w.err = w.enc.WriteToken(t)
	}
}

func (w *writer) value(v jsontext.Value) {
	if w.err == nil {
		w.err = w.enc.WriteValue(v)
	}
}

func (w *writer) object(members func()) {
	w.token(jsontext.BeginObject)
	members()
	w.token(jsontext.EndObject)
}

func (w *writer) array(n int, item func(i int)) {
	w.token(jsontext.BeginArray)
	for i := range n {
		item(i)
	}
	w.token(jsontext.EndArray)
}

func (w *writer) key(key string) { w.token(jsontext.String(key)) }
func (w *writer) text(key, s string) {
	w.key(key)
	w.token(jsontext.String(s))
}

// filled writes a text unless it is empty.
func (w *writer) filled(key, s string) {
	if s != "" {
		w.text(key, s)
	}
}

// count writes a number unless it is unknown.
func (w *writer) count(key string, c Count) {
	if c.Known {
		w.key(key)
		w.token(jsontext.Int(c.N))
	}
}

func (w *writer) header(h *Header) {
	w.count("cassette", Known(1))
	w.filled("test", h.Test)
	w.filled("model", h.Model)
	w.filled("provider", h.Provider)
	w.filled("provider_model", h.ProviderModel)
	w.filled("recorded_at", h.RecordedAt)
	w.filled("recorder", h.Recorder)
	w.filled("prompt_sha256", h.PromptSHA256)
	w.filled("system_prompt_sha256", h.SystemPromptSHA256)
	w.filled("catalog_sha256", h.CatalogSHA256)
	if h.Recorded != nil {
		w.catalog(h.Recorded)
	}
	if h.Distractors == nil {
		return
	}
	w.key("distractors")
	w.array(len(h.Distractors), func(i int) { w.object(func() { w.ref(h.Distractors[i], "server", "name") }) })
}

// ref writes a tool's server, if it has one, and its name, in the order of keys.
func (w *writer) ref(ref catalog.Ref, keys ...string) {
	for _, key := range keys {
		if key == "name" {
			w.text(key, ref.Name)
			continue
		}
		w.filled(key, ref.Server)
	}
}

// catalog writes the tools by server, servers in the order in which they first occur.
func (w *writer) catalog(c *catalog.Catalog) {
	var servers []string
	tools := map[string][]*catalog.Tool{}
	for _, tool := range c.Tools {
		if tools[tool.Server] == nil {
			servers = append(servers, tool.Server)
		}
		tools[tool.Server] = append(tools[tool.Server], tool)
	}
	w.key("catalog")
	w.object(func() {
		for _, server := range servers {
			w.key(server)
			w.object(func() {
				w.key("tools")
				w.array(len(tools[server]), func(i int) { w.value(tools[server][i].JSON()) })
			})
		}
	})
}

func (w *writer) run(run *Run) {
	w.object(func() {
		w.key("tool_calls")
		w.array(len(run.Calls), func(i int) { w.call(&run.Calls[i]) })
		w.conversation(run)
		w.count("distractors", run.Offered)
		if run.HasFinal {
			w.text("final_response", run.FinalResponse)
		}
		w.filled("stop_reason", run.StopReason)
		w.count("duration_ms", run.Duration)
		w.filled("error", run.Error)
	})
}

func (w *writer) call(c *Call) {
	w.object(func() {
		w.ref(c.Tool.Ref, "name", "server")
		w.key("args")
		w.arguments(c)
		detail := Detail{}
		if c.Detail != nil {
			detail = *c.Detail
		}
		w.filled("result", detail.Result)
		w.key("is_error")
		w.token(jsontext.Bool(c.Failed))
		w.filled("error", detail.Error)
		w.count("duration_ms", detail.Duration)
	})
}

func (w *writer) arguments(c *Call) {
	args := c.Arguments()
	switch {
	case c.Args == ArgsMalformed:
		w.token(jsontext.Null)
	case c.Args == ArgsEmpty:
		w.value(jsontext.Value("{}"))
	case args == nil && w.err == nil:
		w.err = errNotKept
	default:
		w.value(args)
	}
}

func (w *writer) conversation(run *Run) {
	split := run.Input.Known || run.Output.Known
	if !split && !run.Total.Known && len(run.Turns) == 0 && !run.Cost.Known {
		return
	}
	w.key("conversation")
	w.object(func() {
		if split || run.Total.Known {
			w.key("tokens")
			w.object(func() {
				w.count("input", run.Input)
				w.count("output", run.Output)
				w.count("total", run.Total)
			})
		}
		w.turns(run.Turns)
		if run.Cost.Known {
			w.key("cost_usd")
			w.value(jsontext.Value(dollars(run.Cost.N)))
		}
	})
}

func (w *writer) turns(turns []Turn) {
	if len(turns) == 0 {
		return
	}
	w.key("turns")
	w.array(len(turns), func(i int) {
		w.object(func() {
			w.text("role", turns[i].Role)
			w.text("content", turns[i].Content)
		})
	})
}

// dollars returns micro-dollars as the shortest decimal number of dollars.
func dollars(micros int64) string {
	const perDollar = 1_000_000
	whole := strconv.FormatInt(micros/perDollar, 10)
	if fraction := strings.TrimRight(fmt.Sprintf("%06d", micros%perDollar), "0"); fraction != "" {
		return whole + "." + fraction
	}
	return whole
}
