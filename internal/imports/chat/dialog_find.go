package chat

import (
	"slices"

	"github.com/org/mcp-gates/internal/imports/logs"
)

// The reasons for leaving a reply out of a conversation.
const (
	outRepeatedRequest = "replies to a request that was made again"
	outRepeatedReply   = "replies that the logs hold twice"
)

// isRepeated reports whether the reply of an exchange was seen before. It also compares the content, because some programs give
// the same id to all replies.
func (d *dialogs) isRepeated(x *exchange) bool {
	if x.reply == nil || x.reply.id == "" || x.reply.stop == "" {
		return false
	}
	id := []byte(x.reply.id)
	for _, t := range x.reply.turns {
		for _, e := range t.events {
			for _, text := range []string{e.Message.Text, e.Call.ID, e.Call.Name, string(e.Call.Args.Object), e.Result.Text} {
				id = append(append(id, 0), text...)
			}
		}
	}
	return d.to.Seen(string(id))
}

// findContinued returns the open conversation that an exchange continues, and the new turns of the exchange. It returns nil if the
// exchange begins a new conversation.
func (d *dialogs) findContinued(x *exchange) (*dialog, []turn) {
	for _, one := range slices.Backward(d.open) {
		isSameThread := x.thread != "" && one.thread == x.thread
		if isSameThread || one.follows(x) || one.continuesReply(x) {
			return one, one.newTurns(x.turns)
		}
	}
	if !x.sent {
		return d.findAwaiting(), nil
	}
	for _, one := range d.open {
		if added, ok := one.turnsAfter(x); ok {
			return one, added
		}
	}
	if one := d.findRepeatedRequest(x); one != nil {
		return one, nil
	}
	return d.findReplied(x)
}

// follows reports whether the exchange names the last reply of the conversation as its previous reply, or is the reply to the
// pending request with the same previous reply.
func (one *dialog) follows(x *exchange) bool {
	isReplyToPending := !x.sent && one.pending && one.previous == x.previous
	return x.previous != "" && (one.last.id == x.previous || isReplyToPending)
}

// continuesReply reports whether the exchange has a further part of the last reply.
func (one *dialog) continuesReply(x *exchange) bool {
	isOnlyReply := !x.sent && x.reply != nil
	return isOnlyReply && x.reply.id != "" && x.reply.id == one.last.id && one.last.stop == ""
}

func (one *dialog) newTurns(turns []turn) []turn {
	if one.isPrefixOf(turns) {
		return turns[len(one.turns):]
	}
	return turns
}

func (one *dialog) isPrefixOf(turns []turn) bool {
	n := len(one.turns)
	return !one.tooLarge && n > 0 && len(turns) >= n && sameTurns(one.turns, turns[:n])
}

func sameTurns(a, b []turn) bool {
	return slices.EqualFunc(a, b, func(a, b turn) bool { return a.mark == b.mark })
}

// findAwaiting returns the only open conversation whose request has no reply, if it was used last: a log has a request on one line,
// and the reply on the next. With several open requests, it is unknown which one a reply belongs to.
func (d *dialogs) findAwaiting() *dialog {
	var found *dialog
	for _, one := range d.open {
		if one.pending && found != nil {
			return nil
		}
		if one.pending {
			found = one
		}
	}
	if found == nil || found != d.open[len(d.open)-1] {
		return nil
	}
	return found
}

// turnsAfter returns the new turns of an exchange that begins with all turns of the conversation; ok is false if the exchange
// does not continue the conversation. Several runs of one prompt also begin with the same turns: if these turns have no message
// of the model, the conversation and the exchange must not have different models.
func (one *dialog) turnsAfter(x *exchange) (added []turn, ok bool) {
	if len(x.turns) <= len(one.turns) || !one.isPrefixOf(x.turns) || one.isOfOtherRun(x) {
		return nil, false
	}
	hasOtherModel := one.model != "" && x.model != "" && one.model != x.model
	if hasOtherModel && !hasReply(one.turns) {
		return nil, false
	}
	return x.turns[len(one.turns):], true
}

func hasReply(turns []turn) bool {
	return slices.ContainsFunc(turns, func(t turn) bool { return t.role == logs.RoleAssistant })
}

// runKeys are keys of metadata whose values differ between runs.
var runKeys = []string{
	"trial", "epoch", "run", "run_id", "session_id", "conversation_id", "thread_id", "trace_id", "task", "task_id", "sample_id",
	"custom_id", "key",
}

// isOfOtherRun reports whether the metadata of the exchange and of the conversation name different runs.
func (one *dialog) isOfOtherRun(x *exchange) bool {
	return slices.ContainsFunc(runKeys, func(key string) bool {
		a, b := one.metadata[key], x.metadata[key]
		return a != "" && b != "" && a != b
	})
}

// findRepeatedRequest returns the conversation whose last request the exchange repeats; nil if there is none. Programs repeat a
// request after an unusable reply, which is left out. Equal requests without a message of the model belong to separate runs.
func (d *dialogs) findRepeatedRequest(x *exchange) *dialog {
	if len(x.turns) == 0 || x.turns[len(x.turns)-1].role == logs.RoleAssistant || !hasReply(x.turns) {
		return nil
	}
	for _, one := range d.open {
		isRepeat := !one.tooLarge && one.lastSent == len(x.turns) && sameTurns(one.turns[:one.lastSent], x.turns)
		if !isRepeat || one.isOfOtherRun(x) {
			continue
		}
		if one.last.err == "" && len(one.turns) > one.lastSent {
			d.to.LeaveOut(outRepeatedRequest)
		}
		one.cutTurns(one.lastSent)
		return one
	}
	return nil
}

func (one *dialog) cutTurns(n int) {
	for _, t := range one.turns[n:] {
		one.heldBytes -= t.size
	}
	one.turns = one.turns[:n]
}

// findReplied returns the conversation that has only replies so far and that the request continues, and the new turns of the
// request. Such a request repeats the turns of the conversation, or has the results of its calls. Turns before the repeated turns
// are put at the beginning of the conversation.
func (d *dialogs) findReplied(x *exchange) (*dialog, []turn) {
	for _, one := range d.open {
		if !one.onlyReplies || len(one.turns) == 0 || one.tooLarge {
			continue
		}
		first := one.turns[0].mark
		at := slices.IndexFunc(x.turns, func(t turn) bool { return t.mark == first && t.role == logs.RoleAssistant })
		if at >= 0 && one.isPrefixOf(x.turns[at:]) {
			before := x.turns[:at]
			one.turns = append(slices.Clone(before), one.turns...)
			for _, t := range before {
				one.heldBytes += t.size
			}
			return one, x.turns[len(one.turns):]
		}
		if one.isAnsweredBy(x.turns) {
			return one, x.turns
		}
	}
	return nil, nil
}

func (one *dialog) isAnsweredBy(turns []turn) bool {
	for _, t := range turns {
		for _, e := range t.events {
			id := e.Result.CallID
			if e.Kind != eventResult || id == "" {
				continue
			}
			asks := func(t turn) bool { return t.hasCall(id) }
			return slices.ContainsFunc(one.turns, asks) && !slices.ContainsFunc(turns, asks)
		}
	}
	return false
}
