package trace

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/jsonread"
	"github.com/org/mcp-gates/internal/source"
)

// MaxCount bounds a recorded count, so that sums over all runs of a cassette stay exact.
const MaxCount = 1_000_000_000_000

func (r *reader) run(what string) {
	run := Run{Pos: source.Pos{File: r.file, Line: r.json.Line()}}
	says := account{start: r.json.Offset()}
	ok := r.json.Fields(what, func(key string) {
		says.note(key, r.json)
		if !r.refusePartial(key) {
			r.part(key, &run)
		}
	})
	if ok {
		r.finished(&run, &says)
	}
}

// account has the keys and the calls of an object that may be a run.
type account struct {
	keys           members
	calls          callsFound
	start, callsAt int64
}

// callsFound is the kind of value under "tool_calls".
type callsFound uint8

const (
	callsAbsent callsFound = iota
	callsNull
	callsThere // a list, or a value that is a mistake
)

func (a *account) note(key string, json *jsonread.Reader) {
	a.keys.add(key)
	if key == "output" {
		a.keys.outputIsList = json.Kind() == '['
	}
	if key != "tool_calls" {
		return
	}
	a.calls, a.callsAt = callsThere, json.Offset()
	if json.Kind() == 'n' {
		a.calls = callsNull
	}
}

// finished adds a run that was read to its end. It refuses an object of a foreign format, and an object with neither calls nor
// an error, which would be judged as a run that called nothing.
func (r *reader) finished(run *Run, says *account) {
	saysEnough := says.calls == callsThere || run.Error != ""
	foreign := says.keys.excludeRun()
	if saysEnough && !foreign {
		r.add(*run)
		return
	}
	keys := says.keys // a copy for messages, so that other runs need no memory for their keys
	if saysEnough {
		r.json.Mistakef(says.start, "expected a run, found %s", &keys)
		return
	}
	if says.calls == callsNull {
		r.json.Mistakef(says.callsAt, `"tool_calls" must be a list ([] when the run called nothing) unless "error" says why it broke, found null; the run has %s`, &keys)
		return
	}
	r.json.Mistakef(says.start, `a run must have "tool_calls" as a list ([] when it called nothing) or an "error" (why it broke), found %s`, &keys)
}

// part reads the value of a run's key, and reports whether key is such a key.
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
	case "delegations":
		if list := r.delegations(); list != nil || run.Extra != nil { // a later key counts
			run.NeedExtra().Delegations = list
		}
	case "error":
		run.Error, _ = r.errorText(true)
	default:
		return false
	}
	return true
}

func (r *reader) count(what string) Count {
	if r.json.Null() {
		return Count{}
	}
	offset := r.json.Offset()
	n, ok := r.json.Int(what)
	if n > MaxCount {
		r.json.Mistakef(offset, "%s must be at most %d, found %d", what, int64(MaxCount), n)
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
			r.turns(run)
		case "cost_usd":
			run.Cost = r.cost()
		}
	})
}

func (r *reader) tokens(run *Run) {
	r.usage(func(key string) *Count {
		switch key {
		case "input":
			return &run.Input
		case "output":
			return &run.Output
		case "total":
			return &run.Total
		case "cache_read":
			return &run.NeedExtra().CacheRead
		case "cache_write":
			return &run.NeedExtra().CacheWrite
		}
		return nil
	})
}

// usage reads "tokens": an object with counts, or a number, which is the total. count returns a pointer to the count of a key;
// nil for an unknown key.
func (r *reader) usage(count func(key string) *Count) {
	if r.json.Null() {
		return
	}
	if r.json.Kind() != '{' {
		*count("total") = r.count(`"tokens"`)
		return
	}
	r.json.Fields(`"tokens"`, func(key string) {
		if to := count(key); to != nil {
			*to = r.count(strconv.Quote(key))
		}
	})
}

func (r *reader) delegations() []Delegation {
	if r.json.Null() {
		return nil
	}
	var list []Delegation
	r.json.Array(`"delegations"`, func(int) {
		var one Delegation
		offset := r.json.Offset()
		r.json.Fields("a delegation", func(key string) {
			switch key {
			case "from":
				one.From = r.text(`"from"`)
			case "to":
				one.To = r.text(`"to"`)
			}
		})
		if r.isPart(offset) {
			list = append(list, one)
		}
	})
	return list
}

// turns reads the turns of a conversation. Those that are not kept are only counted.
func (r *reader) turns(run *Run) {
	run.Turns, run.DroppedReplies = nil, 0
	if r.json.Null() {
		return
	}
	r.json.Array(`"turns"`, func(int) {
		var turn Turn
		offset := r.json.Offset()
		ok := r.json.Fields("a turn", func(key string) {
			switch key {
			case "role":
				turn.Role = r.text(`"role"`)
			case "content":
				turn.Content = r.anyText(KeepTurns)
			case "tokens":
				r.usage(turn.count)
			}
		})
		switch {
		case !ok:
		case r.keep&(KeepTurns|KeepUsage) != 0 && r.isPart(offset):
			run.Turns = append(run.Turns, turn)
		case r.keep&(KeepTurns|KeepUsage) == 0 && turn.isReply():
			run.DroppedReplies++
		}
	})
}

func (t *Turn) isReply() bool { return t.Role == "assistant" }

// count returns a pointer to the turn's token count of a key; nil for an unknown key.
func (t *Turn) count(key string) *Count {
	switch key {
	case "input":
		return &t.Input
	case "output":
		return &t.Output
	case "total":
		return &t.Total
	}
	return nil
}

// anyText reads a text, or any other value as JSON text; null is "". It skips the value if kept was not asked for.
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

// errorText reads the value of "error" and reports whether it is an error: anything but null, false, "" and {}. The text of
// another value is its JSON text, which is read only if keep is true.
func (r *reader) errorText(keep bool) (text string, set bool) {
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

// compact returns a value without white space and without spare capacity.
func compact(raw jsontext.Value) jsontext.Value {
	if raw == nil {
		return nil
	}
	if err := raw.Compact(); err != nil {
		return nil // unreachable: it was read as JSON before
	}
	return raw.Clone()
}
