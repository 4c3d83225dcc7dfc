package trace

import (
	"strconv"

	"github.com/org/mcp-gates/internal/jsonread"
	"github.com/org/mcp-gates/internal/source"
)

// MaxCount bounds a recorded count, so that sums over all runs of a cassette stay exact.
const MaxCount = 1_000_000_000_000

func (r *reader) readRun(what string) {
	run := &r.run
	*run = Run{Pos: source.Pos{File: r.file, Line: r.json.Line()}}
	keys := objectKeys{startAt: r.json.Offset()}
	ok := r.json.Fields(what, func(key string) {
		keys.addKey(key, r.json)
		if !r.refusePartial(key) {
			r.readRunKey(key, run)
		}
	})
	if ok {
		r.addFinished(run, &keys)
	}
}

// objectKeys describes an object that may be a run: its keys and its value under "tool_calls".
type objectKeys struct {
	keys             members
	calls            callsFound
	startAt, callsAt int64
}

// callsFound is the kind of value under "tool_calls".
type callsFound uint8

const (
	callsAbsent callsFound = iota
	callsNull
	callsThere // a list, or a value that is a mistake
)

func (a *objectKeys) addKey(key string, json *jsonread.Reader) {
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

// addFinished adds a run that was read to its end. It refuses an object of a foreign format, and an object with neither calls nor
// an error, which would be judged as a run that called nothing.
func (r *reader) addFinished(run *Run, found *objectKeys) {
	isRun := found.calls == callsThere || run.Error != ""
	isForeign := found.keys.excludesRun()
	if isRun && !isForeign {
		r.addRun(*run)
		return
	}
	listed := found.keys // a copy for messages, so that other runs need no memory for their keys
	if isRun {
		r.json.Mistakef(found.startAt, "expected a run, found %s", &listed)
		return
	}
	if found.calls == callsNull {
		r.json.Mistakef(found.callsAt, `"tool_calls" must be a list ([] when the run called nothing) unless "error" says why it broke, found null; the run has %s`, &listed)
		return
	}
	r.json.Mistakef(found.startAt, `a run must have "tool_calls" as a list ([] when it called nothing) or an "error" (why it broke), found %s`, &listed)
}

// readRunKey reads the value of a run's key, and reports whether key is such a key.
func (r *reader) readRunKey(key string, run *Run) bool {
	switch key {
	case "tool_calls":
		run.Calls = r.readToolCalls()
	case "conversation":
		r.readConversation(run)
	case "distractors":
		run.Offered = r.readOffered()
	case "final_response":
		run.FinalResponse, run.HasFinal = r.readFinalResponse()
	case "stop_reason":
		run.StopReason = r.readText(`"stop_reason"`)
	case "duration_ms":
		run.Duration = r.readCount(`"duration_ms"`)
	case "delegations":
		if list := r.readDelegations(); list != nil || run.Extra != nil { // the last of equal keys counts
			run.NeedExtra().Delegations = list
		}
	case "error":
		run.Error, _ = r.readErrorText(true)
	default:
		return false
	}
	return true
}

func (r *reader) readCount(what string) Count {
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

func (r *reader) readOffered() Count {
	offset := r.json.Offset()
	count := r.readCount(`"distractors" of a run`)
	if count.N > r.mostOffered.n {
		r.mostOffered = offer{count.N, offset}
	}
	return count
}

func (r *reader) readFinalResponse() (text string, has bool) {
	if r.json.Null() {
		return "", false
	}
	if r.keep&KeepAnswers == 0 && r.json.Kind() == '"' {
		r.json.Skip()
		return "", false
	}
	return r.json.String(`"final_response"`)
}

func (r *reader) readConversation(run *Run) {
	if r.json.Null() {
		return
	}
	r.json.Fields(`"conversation"`, func(key string) {
		switch key {
		case "tokens":
			r.readTokens(run)
		case "turns":
			r.readTurns(run)
		case "cost_usd":
			run.Cost = r.readCost()
		}
	})
}

func (r *reader) readTokens(run *Run) {
	r.readUsage(func(key string) *Count {
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

// readUsage reads "tokens": an object with counts, or a number, which is the total. count returns a pointer to the count that a
// key sets; nil for an unknown key.
func (r *reader) readUsage(count func(key string) *Count) {
	if r.json.Null() {
		return
	}
	if r.json.Kind() != '{' {
		*count("total") = r.readCount(`"tokens"`)
		return
	}
	r.json.Fields(`"tokens"`, func(key string) {
		if to := count(key); to != nil {
			*to = r.readCount(strconv.Quote(key))
		}
	})
}

func (r *reader) readDelegations() []Delegation {
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
				one.From = r.readText(`"from"`)
			case "to":
				one.To = r.readText(`"to"`)
			}
		})
		if r.countPart(offset) {
			list = append(list, one)
		}
	})
	return list
}

// readTurns reads the turns of a conversation. It counts the replies among turns that are not kept.
func (r *reader) readTurns(run *Run) {
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
				turn.Role = r.readText(`"role"`)
			case "content":
				turn.Content = r.readAnyText(KeepTurns)
			case "tokens":
				r.readUsage(turn.countOf)
			}
		})
		isKept := r.keep&(KeepTurns|KeepUsage) != 0
		switch {
		case !ok:
		case isKept && r.countPart(offset):
			run.Turns = append(run.Turns, turn)
		case !isKept && turn.isReply():
			run.DroppedReplies++
		}
	})
}

func (t *Turn) isReply() bool { return t.Role == "assistant" }

// countOf returns a pointer to the turn's token count of a key; nil for an unknown key.
func (t *Turn) countOf(key string) *Count {
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

// readAnyText reads a text, or any other value as JSON text; null is "". It skips the value if none of the parts is kept.
func (r *reader) readAnyText(parts Keep) string {
	switch {
	case r.json.Null():
		return ""
	case r.keep&parts == 0:
		r.json.Skip()
		return ""
	case r.json.Kind() == '"':
		text, _ := r.json.String("")
		return text
	}
	return string(r.json.Compact())
}

// readErrorText reads the value of "error" and reports whether it is an error: anything but null, false, "" and {}. If the value
// is not a text, it returns its JSON text, but only if keep is true.
func (r *reader) readErrorText(keep bool) (text string, set bool) {
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
