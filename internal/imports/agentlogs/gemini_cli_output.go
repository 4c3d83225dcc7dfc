package agentlogs

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/trace"
)

// geminiCLIStats is the usage of a run in the output: stream-json has one form, json another.
type geminiCLIStats struct {
	Total    logs.Number `json:"total_tokens"`
	Input    logs.Number `json:"input_tokens"`
	Cached   logs.Number `json:"cached"`
	Duration logs.Number `json:"duration_ms"`

	Models map[string]geminiCLIModel `json:"models"`
	Tools  struct {
		Calls  logs.Number                   `json:"totalCalls"`
		ByName map[string]geminiCLIToolStats `json:"byName"`
	} `json:"tools"`
}

// geminiCLIModel is the usage of one model in the output of --output-format json.
type geminiCLIModel struct {
	Tokens struct {
		Prompt     logs.Number `json:"prompt"`
		Candidates logs.Number `json:"candidates"`
		Cached     logs.Number `json:"cached"`
		Thoughts   logs.Number `json:"thoughts"`
		Tool       logs.Number `json:"tool"`
		Total      logs.Number `json:"total"`
	} `json:"tokens"`
}

// geminiCLIToolStats counts the calls of a tool.
type geminiCLIToolStats struct {
	Count logs.Number `json:"count"`
	Fail  logs.Number `json:"fail"`
}

// readOutput reads one line of the program's output.
func (r *geminiCLIReader) readOutput(v logs.Value, line *geminiCLILine) {
	if r.session == nil || line.OutputID != "" {
		r.openOutput(v, line)
	}
	if r.isRepeat {
		return
	}
	s := r.session
	if line.Type != "message" || line.Role != logs.RoleAssistant {
		r.addPieces()
	}
	s.At(r.clock.timeOf(s, "", line.Timestamp), "")
	switch line.Type {
	case "init":
		s.Model = cmp.Or(s.Model, line.Model)
	case "message":
		r.addPiece(line)
	case "tool_use":
		s.Ended = false
		s.Ask(logs.Call{ID: line.CallID, Name: line.Name, Args: logs.Args{Object: line.Parameters}})
	case "tool_result":
		s.Answer(logs.Result{
			CallID: line.CallID, Text: geminiCLIUnwrapped(logs.Text(line.Output)), Failed: line.Status == "error", Error: geminiCLIError(line.Error),
		})
	case "result":
		r.readResult(s, line)
	}
}

// openOutput opens the session of an output, and checks whether the same output was read before.
func (r *geminiCLIReader) openOutput(v logs.Value, line *geminiCLILine) {
	if r.session != nil {
		r.addPieces()
	}
	r.isRepeat = line.OutputID != "" && r.to.Seen("init "+string(v.Raw))
	r.session = r.to.Output(cmp.Or(line.OutputID, "in "+v.Pos.File), v.Pos)
	r.session.ID, r.session.Time = line.OutputID, cmp.Or(r.session.Time, line.Timestamp)
	r.session.Unended = "the output ends before its result"
}

func (r *geminiCLIReader) addPiece(line *geminiCLILine) {
	text := logs.Text(line.Content)
	if line.Role != logs.RoleAssistant {
		r.session.Say(logs.Message{Role: logs.RoleUser, Text: text})
		return
	}
	r.session.Ended = false
	r.hasPieces = true
	if r.pieces.Len() < logs.MaxValue {
		r.pieces.WriteString(text)
	}
}

func (r *geminiCLIReader) addPieces() {
	if r.hasPieces {
		r.session.Say(logs.Message{Role: logs.RoleAssistant, Text: r.pieces.String()})
	}
	r.pieces.Reset()
	r.hasPieces = false
}

// readResult reads the end of the run.
func (r *geminiCLIReader) readResult(s *logs.Session, line *geminiCLILine) {
	s.Ended, s.Error = true, ""
	if line.Status == "error" {
		s.Error = cmp.Or(geminiCLIError(line.Error), "the run failed")
	}
	t := line.Stats
	s.AddDuration(t.Duration.Count)
	u := logs.Usage{Whole: true, Input: t.Input.Count, Total: t.Total.Count, CacheRead: t.Cached.Count}
	if t.Total.Known && t.Input.Known && t.Total.N >= t.Input.N {
		u.Output = trace.Known(t.Total.N - t.Input.N) // output_tokens does not include thoughts
	}
	if before, ok := s.WholeUsage(); ok { // an earlier process of the same session
		u = u.Plus(before)
	}
	s.Spend(u)
}

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
	if content.Kind() != '[' || json.Unmarshal(content, &parts, logs.Lenient) != nil {
		return logs.Text(content)
	}
	var texts []string
	for _, p := range parts {
		switch kind := cmp.Or(p.Inline.Type, p.File.Type); {
		case p.Text != nil:
			texts = append(texts, *p.Text)
		case kind != "":
			texts = append(texts, "["+logs.OneWord(kind)+"]")
		}
	}
	return strings.Join(texts, "\n")
}

// geminiCLIError returns the message of an error; "" if there is none.
func geminiCLIError(raw jsontext.Value) string {
	var e struct {
		Message string `json:"message"`
	}
	if raw.Kind() == '{' && json.Unmarshal(raw, &e, logs.Lenient) == nil {
		return e.Message
	}
	return logs.Text(raw)
}

// readWhole reads the output of --output-format json. It has only the number of calls of each tool.
func (r *geminiCLIReader) readWhole(v logs.Value, line *geminiCLILine) {
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
	if r.addCounted(s, line) && line.Response != nil {
		s.Say(logs.Message{Role: logs.RoleAssistant, Text: *line.Response})
	}
}

// usage returns the tokens of all models together.
func (t *geminiCLIStats) usage() logs.Usage {
	u := logs.Usage{Whole: true}
	for i, name := range slices.Sorted(maps.Keys(t.Models)) {
		m := t.Models[name].Tokens
		one := logs.Usage{
			Input: logs.Sum(m.Prompt.Count, m.Tool.Count), Output: logs.Sum(m.Candidates.Count, m.Thoughts.Count), Total: m.Total.Count,
			CacheRead: m.Cached.Count,
		}
		if i == 0 {
			one.Whole = true
			u = one
			continue
		}
		u = u.Plus(one)
	}
	return u
}

// addCounted adds the calls if their order does not matter; otherwise, or if they are too many or not counted, it returns false.
// The order does not matter if there are no calls, or if all are calls of one tool and all of them succeeded or all failed.
func (r *geminiCLIReader) addCounted(s *logs.Session, line *geminiCLILine) bool {
	tools := line.Stats.Tools
	if tools.Calls.Known && tools.Calls.N == 0 {
		return true
	}
	names := slices.Collect(maps.Keys(tools.ByName))
	if len(names) != 1 {
		return false
	}
	const maxCalls = 10_000
	count, failed := tools.ByName[names[0]].Count, tools.ByName[names[0]].Fail
	isKnown := count.Known && failed.Known && count.N <= maxCalls
	onlySomeFailed := failed.N != 0 && failed.N != count.N
	if !isKnown || onlySomeFailed {
		return false
	}
	for range count.N {
		s.Execute(logs.Record{}, logs.Call{Name: names[0], Args: logs.Args{Absent: true}}, logs.Result{Failed: failed.N > 0})
	}
	return true
}
