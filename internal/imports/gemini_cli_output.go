package imports

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/trace"
)

// geminiCLIStats is what a run took, as the output has it: one form for stream-json, another for json.
type geminiCLIStats struct {
	Total    Number `json:"total_tokens"`
	Input    Number `json:"input_tokens"`
	Cached   Number `json:"cached"`
	Duration Number `json:"duration_ms"`

	Models map[string]geminiCLIModel `json:"models"`
	Tools  struct {
		Calls  Number                        `json:"totalCalls"`
		ByName map[string]geminiCLIToolStats `json:"byName"`
	} `json:"tools"`
}

// geminiCLIModel is what one model took, in the output with json.
type geminiCLIModel struct {
	Tokens struct {
		Prompt     Number `json:"prompt"`
		Candidates Number `json:"candidates"`
		Cached     Number `json:"cached"`
		Thoughts   Number `json:"thoughts"`
		Tool       Number `json:"tool"`
		Total      Number `json:"total"`
	} `json:"tokens"`
}

// geminiCLIToolStats counts the calls of a tool.
type geminiCLIToolStats struct {
	Count Number `json:"count"`
	Fail  Number `json:"fail"`
}

// output reads a line of the output with stream-json.
func (r *geminiCLIReader) output(v Value, line *geminiCLILine) {
	if r.s == nil || line.OutputID != "" {
		r.begin(v, line)
	}
	if r.again {
		return
	}
	s := r.s
	if line.Type != "message" || line.Role != RoleAssistant {
		r.say()
	}
	s.At(r.clock.of(s, "", line.Timestamp), "")
	switch line.Type {
	case "init":
		s.Model = cmp.Or(s.Model, line.Model)
	case "message":
		r.spoken(line)
	case "tool_use":
		s.Ended = false
		s.Ask(Call{ID: line.CallID, Name: line.Name, Args: Args{Object: line.Parameters}})
	case "tool_result":
		s.Answer(Result{
			CallID: line.CallID, Text: geminiCLIUnwrapped(Text(line.Output)), Failed: line.Status == "error", Error: geminiCLIError(line.Error),
		})
	case "result":
		r.result(s, line)
	}
}

// begin opens the session of an output, and finds out whether the same output was read before.
func (r *geminiCLIReader) begin(v Value, line *geminiCLILine) {
	if r.s != nil {
		r.say()
	}
	r.again = line.OutputID != "" && r.to.Seen("init "+string(v.Raw))
	r.s = r.to.Output(cmp.Or(line.OutputID, "in "+v.Pos.File), v.Pos)
	r.s.ID, r.s.Time = line.OutputID, cmp.Or(r.s.Time, line.Timestamp)
	r.s.Unended = "the output ends before its result"
}

// spoken reads a message, of the model's a piece.
func (r *geminiCLIReader) spoken(line *geminiCLILine) {
	text := Text(line.Content)
	if line.Role != RoleAssistant {
		r.s.Say(Message{Role: RoleUser, Text: text})
		return
	}
	r.s.Ended = false
	r.said = true
	if r.pieces.Len() < MaxValue {
		r.pieces.WriteString(text)
	}
}

// say notes the message whose pieces have come.
func (r *geminiCLIReader) say() {
	if r.said {
		r.s.Say(Message{Role: RoleAssistant, Text: r.pieces.String()})
	}
	r.pieces.Reset()
	r.said = false
}

// result reads the end of a run.
func (r *geminiCLIReader) result(s *Session, line *geminiCLILine) {
	s.Ended, s.Error = true, ""
	if line.Status == "error" {
		s.Error = cmp.Or(geminiCLIError(line.Error), "the run failed")
	}
	t := line.Stats
	if before := s.Duration; before.Known {
		s.Duration = Sum(t.Duration.Count, before)
	} else {
		s.Duration = t.Duration.Count
	}
	u := Usage{Whole: true, Input: t.Input.Count, Total: t.Total.Count, CacheRead: t.Cached.Count}
	if t.Total.Known && t.Input.Known && t.Total.N >= t.Input.N {
		u.Output = trace.Known(t.Total.N - t.Input.N) // output_tokens is without thoughts
	}
	if s.whole != nil { // of another process
		u = u.plus(*s.whole)
	}
	s.Spend(u)
}

// geminiCLIText returns the text of content, with a note for each part that is no text.
func geminiCLIText(content jsontext.Value) string {
	var parts []struct {
		Text   *string `json:"text"`
		Inline struct {
			Type string `json:"mimeType"`
		} `json:"inlineData"`
		File struct {
			Type string `json:"mimeType"`
		} `json:"fileData"`
	}
	if content.Kind() != '[' || json.Unmarshal(content, &parts, lenient) != nil {
		return Text(content)
	}
	var texts []string
	for _, p := range parts {
		switch kind := cmp.Or(p.Inline.Type, p.File.Type); {
		case p.Text != nil:
			texts = append(texts, *p.Text)
		case kind != "":
			texts = append(texts, "["+oneWord(kind)+"]")
		}
	}
	return strings.Join(texts, "\n")
}

// geminiCLIError returns the message of an error; "" where there is none.
func geminiCLIError(raw jsontext.Value) string {
	var e struct {
		Message string `json:"message"`
	}
	if raw.Kind() == '{' && json.Unmarshal(raw, &e, lenient) == nil {
		return e.Message
	}
	return Text(raw)
}

// whole reads the output with json. It has no more of the calls than how many of each tool there were.
func (r *geminiCLIReader) whole(v Value, line *geminiCLILine) {
	s := r.to.Output(line.OutputID, v.Pos)
	if r.to.Seen("whole " + line.OutputID + string(v.Raw)) {
		return
	}
	s.ID, s.Ended, s.Final = line.OutputID, true, line.Response
	s.Error = geminiCLIError(line.Error)
	s.Spend(line.Stats.usage())
	if models := slices.Sorted(maps.Keys(line.Stats.Models)); len(models) == 1 {
		s.Model = models[0]
	}
	if r.counted(s, line) && line.Response != nil {
		s.Say(Message{Role: RoleAssistant, Text: *line.Response})
	}
}

// usage returns the tokens of all models.
func (t *geminiCLIStats) usage() Usage {
	u := Usage{Whole: true}
	for i, name := range slices.Sorted(maps.Keys(t.Models)) {
		m := t.Models[name].Tokens
		one := Usage{
			Input: Sum(m.Prompt.Count, m.Tool.Count), Output: Sum(m.Candidates.Count, m.Thoughts.Count), Total: m.Total.Count,
			CacheRead: m.Cached.Count,
		}
		if i == 0 {
			one.Whole = true
			u = one
			continue
		}
		u = u.plus(one)
	}
	return u
}

// counted notes the calls where their order is known: none, or all of one tool that went the same way.
func (r *geminiCLIReader) counted(s *Session, line *geminiCLILine) bool {
	tools := line.Stats.Tools
	if tools.Calls.Known && tools.Calls.N == 0 {
		return true
	}
	names := slices.Collect(maps.Keys(tools.ByName))
	if len(names) != 1 {
		return false
	}
	count, fail := tools.ByName[names[0]].Count, tools.ByName[names[0]].Fail
	const most = 10_000
	if !count.Known || !fail.Known || count.N > most || fail.N != 0 && fail.N != count.N {
		return false
	}
	for range count.N {
		s.Execute(Record{}, Call{Name: names[0], Args: Args{Absent: true}}, Result{Failed: fail.N > 0})
	}
	return true
}
