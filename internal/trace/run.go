package trace

import (
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/source"
)

// maxCount bounds a recorded count, so that sums over all runs of a cassette stay exact.
const maxCount = 1_000_000_000_000

// run reads one run; what names it in messages.
func (r *reader) run(what string) {
	run := Run{Pos: source.Pos{File: r.file, Line: r.json.Line()}}
	if r.json.Fields(what, func(key string) { r.part(key, &run) }) {
		r.add(run)
	}
}

// part reads the value of a run's key, and reports whether key is one.
func (r *reader) part(key string, run *Run) bool {
	switch key {
	case "tool_calls":
		run.Calls = r.toolCalls()
	case "conversation":
		r.conversation(run)
	case "distractors":
		run.Offered = r.offer()
	case "final_response":
		run.FinalResponse, run.HasFinal = r.finalResponse()
	case "stop_reason":
		run.StopReason = r.text(`"stop_reason"`)
	case "duration_ms":
		run.Duration = r.count(`"duration_ms"`)
	case "error":
		run.Error, _ = r.problem(true)
	default:
		return false
	}
	return true
}

// count reads an optional whole number; null is none.
func (r *reader) count(what string) Count {
	if r.json.Null() {
		return Count{}
	}
	offset := r.json.Offset()
	n, ok := r.json.Int(what)
	if n > maxCount {
		r.json.Mistakef(offset, "%s must be at most %d, found %d", what, int64(maxCount), n)
	}
	return Count{n, ok}
}

func (r *reader) offer() Count {
	offset := r.json.Offset()
	count := r.count(`"distractors" of a run`)
	if count.N > r.offered.n {
		r.offered = offer{count.N, offset}
	}
	return count
}

func (r *reader) finalResponse() (text string, has bool) {
	if r.json.Null() {
		return "", false
	}
	if r.keep&KeepAnswers == 0 && r.json.Kind() == '"' {
		r.json.Skip()
		return "", false
	}
	return r.json.String(`"final_response"`)
}

func (r *reader) conversation(run *Run) {
	if r.json.Null() {
		return
	}
	r.json.Fields(`"conversation"`, func(key string) {
		switch key {
		case "tokens":
			r.tokens(run)
		case "turns":
			run.Turns = r.turns()
		case "cost_usd":
			run.Cost = r.cost()
		}
	})
}

func (r *reader) tokens(run *Run) {
	if r.json.Kind() != '{' {
		run.Total = r.count(`"tokens"`)
		return
	}
	r.json.Fields(`"tokens"`, func(key string) {
		switch key {
		case "input":
			run.Input = r.count(`"input"`)
		case "output":
			run.Output = r.count(`"output"`)
		case "total":
			run.Total = r.count(`"total"`)
		}
	})
}

func (r *reader) turns() []Turn {
	if r.json.Null() {
		return nil
	}
	var turns []Turn
	r.json.Array(`"turns"`, func(int) {
		var turn Turn
		ok := r.json.Fields("a turn", func(key string) {
			switch key {
			case "role":
				turn.Role = r.text(`"role"`)
			case "content":
				turn.Content = r.anyText(KeepTurns)
			}
		})
		if ok && r.keep&KeepTurns != 0 {
			turns = append(turns, turn)
		}
	})
	return turns
}

// anyText reads a text, or anything else as JSON text; null is none. It is skipped unless asked for by kept.
func (r *reader) anyText(kept Keep) string {
	switch {
	case r.json.Null():
		return ""
	case r.keep&kept == 0:
		r.json.Skip()
		return ""
	case r.json.Kind() == '"':
		text, _ := r.json.String("")
		return text
	}
	return string(r.json.Compact())
}

// problem reads the value of "error" and reports whether it tells of one: it is present and not null, false, "" or {}.
// The text of another value is its JSON text; it is read only when it is kept.
func (r *reader) problem(keep bool) (text string, set bool) {
	switch kind := r.json.Kind(); {
	case kind == 'n' || kind == 'f':
		r.json.Skip()
		return "", false
	case kind == '"':
		text, _ = r.json.String("")
		return text, text != ""
	case kind == '{' && !keep:
		return "", r.json.SkipMembers()
	case !keep:
		r.json.Skip()
		return "", true
	}
	if text = string(r.json.Compact()); text == "{}" {
		return "", false
	}
	return text, true
}

// compact returns a value without white space, in no more memory than it needs.
func compact(raw jsontext.Value) jsontext.Value {
	if raw == nil {
		return nil
	}
	if err := raw.Compact(); err != nil {
		return nil // it was read as JSON before
	}
	return raw.Clone()
}
