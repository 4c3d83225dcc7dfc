package chat

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/source"
)

// turn is the content of a message or an item of a conversation.
type turn struct {
	role   string      // user, assistant, tool or system; "" without a role, such as for a list of tools
	events []turnEvent // in order
	offers []logs.Offered
	mark   uint64 // equal for equal turns
	size   int    // in bytes, estimated
}

func (t *turn) addMessage(role, text string) {
	t.events = append(t.events, turnEvent{Kind: eventMessage, Message: logs.Message{Role: role, Text: text}})
}

func (t *turn) addCall(c logs.Call) { t.events = append(t.events, turnEvent{Kind: eventCall, Call: c}) }

// addResult adds a result; name is the tool's name if the log has it.
func (t *turn) addResult(name string, r logs.Result) {
	t.events = append(t.events, turnEvent{Kind: eventResult, Result: r, Call: logs.Call{Name: name}})
}

func (t *turn) isEmpty() bool { return len(t.events) == 0 && len(t.offers) == 0 }

func (t *turn) hasCall(id string) bool {
	return slices.ContainsFunc(t.events, func(e turnEvent) bool { return e.Kind == eventCall && e.Call.ID == id })
}

func (t *turn) setReply(id string) {
	for i := range t.events {
		switch e := &t.events[i]; e.Kind {
		case eventMessage:
			e.Message.ID = id
		case eventCall:
			e.Call.Reply = id
		}
	}
}

// computeMark computes the mark and the size. The mark does not depend on white space around texts, or on texts beside results
// or beside calls with an id, because clients change both when they send a reply back.
func (t *turn) computeMark(seed maphash.Seed) {
	var h maphash.Hash
	h.SetSeed(seed)
	write := func(tag byte, text string) {
		_ = h.WriteByte(tag)
		_, _ = h.Write(binary.AppendUvarint(nil, uint64(len(text))))
		_, _ = h.WriteString(text)
	}
	write('t', t.role)
	hasID := slices.ContainsFunc(t.events, func(e turnEvent) bool { return e.Kind == eventCall && e.Call.ID != "" || e.Kind == eventResult })
	for i := range t.events {
		e := &t.events[i]
		t.size += turnEventSize + len(e.Message.Text) + len(e.Result.Text) + e.Call.Size()
		switch {
		case e.Kind == eventMessage && !hasID:
			write('s', strings.TrimSpace(e.Message.Text))
		case e.Kind == eventCall && e.Call.ID != "":
			write('a', e.Call.ID)
		case e.Kind == eventCall:
			write('a', e.Call.Name)
			write('o', string(logs.Canonical(e.Call.Args.Object)))
			write('o', e.Call.Args.Text)
		case e.Kind == eventResult && e.Result.CallID != "":
			write('r', e.Result.CallID)
		case e.Kind == eventResult:
			write('r', e.Call.Name)
			write('o', e.Result.Text)
		}
	}
	for _, tool := range t.offers {
		t.size += len(tool.Tool)
	}
	t.mark = h.Sum64()
}

// exchange is the content of one value of a log: a request to a model, a reply, or both.
type exchange struct {
	pos      source.Pos
	system   string
	turns    []turn // turns of the request, or of a whole conversation
	sent     bool   // the value has a request or a conversation
	reply    *reply
	model    string
	previous string // id of the reply that this request or reply continues
	thread   string // id of the conversation at the provider
	time     string // creation time, in RFC 3339
	tools    []jsontext.Value
	metadata map[string]string
	final    *string
}

// reply is a reply of a model.
type reply struct {
	id       string
	model    string // the model that answered
	stop     string // stop reason
	turns    []turn
	usage    logs.Usage
	hasUsage bool
	ended    bool   // the run ends with the reply, even if its last part is not a text
	unended  string // reason why the reply is not complete; "" if it is or may be complete
	err      string // reason why the reply broke; "" if it did not
}

func (x *exchange) ensureReply() *reply {
	if x.reply == nil {
		x.reply = &reply{}
	}
	return x.reply
}

// awaitsReply reports whether a reply is expected: the last turn is not the model's.
func (x *exchange) awaitsReply() bool {
	return x.reply == nil && (len(x.turns) == 0 || x.turns[len(x.turns)-1].role != logs.RoleAssistant)
}

// dialog is a conversation that is assembled from exchanges.
type dialog struct {
	exchange             // the first exchange, with the turns of all exchanges
	last        reply    // the last reply, without its turns
	lastSent    int      // number of turns in the last request
	pending     bool     // the last request has no reply
	onlyReplies bool     // the conversation has only replies so far
	replies     int      // number of replies so far
	number      int      // number of the conversation in its file, in the order of the beginnings
	heldBytes   int      // memory that the turns and tools take, in bytes
	tooLarge    bool     // the conversation exceeds the bound on a run, and its turns are dropped
	toolMarks   []uint64 // hashes of the lists of tools that are already known
}

// dialogs assembles conversations from exchanges. Requests repeat the earlier turns: a request that begins with all turns of a
// conversation continues it, and only its new turns count.
type dialogs struct {
	to        *logs.Sink
	readTools func(tools jsontext.Value) offering
	seed      maphash.Seed
	open      []*dialog // sorted by last use
	heldBytes int       // sum over the open conversations
	count     int       // number of conversations so far
}

// Bounds on the conversations that can still be continued. Programs with several concurrent conversations write their requests
// alternately.
const (
	maxOpen     = 16
	maxOpenHeld = 8 << 20 // bytes
)

// add adds an exchange to the conversation that it continues, or begins a new conversation.
func (d *dialogs) add(x *exchange) {
	if d.isRepeated(x) {
		d.to.LeaveOut(outRepeatedReply)
		return
	}
	d.computeMarks(x)
	one, added := d.findContinued(x)
	if one == nil {
		one, added = d.begin(x), x.turns
	}
	before := one.heldBytes
	d.extend(one, x, added)
	d.heldBytes += one.heldBytes - before
	d.moveToEnd(one)
	for len(d.open) > 1 && (len(d.open) > maxOpen || d.heldBytes > maxOpenHeld) {
		d.close(d.open[0])
	}
}

func (d *dialogs) computeMarks(x *exchange) {
	for i := range x.turns {
		x.turns[i].computeMark(d.seed)
	}
	if x.reply == nil {
		return
	}
	for i := range x.reply.turns {
		x.reply.turns[i].computeMark(d.seed)
	}
}

func (d *dialogs) begin(x *exchange) *dialog {
	d.count++
	one := &dialog{exchange: *x, onlyReplies: !x.sent, number: d.count}
	one.turns, one.tools, one.reply = nil, nil, nil
	d.open = append(d.open, one)
	return one
}

func (d *dialogs) moveToEnd(one *dialog) {
	if i := slices.Index(d.open, one); i >= 0 {
		d.open = append(slices.Delete(d.open, i, i+1), one)
	}
}

func (d *dialogs) extend(one *dialog, x *exchange, added []turn) {
	one.fillFrom(x)
	if x.sent {
		one.last, one.previous = reply{}, x.previous
		one.pending = x.awaitsReply()
	}
	for _, tools := range x.tools {
		d.addTools(one, tools)
	}
	one.addTurns(added)
	if x.sent {
		one.lastSent = len(one.turns)
	}
	if x.reply != nil {
		one.pending = false
		one.addReply(*x.reply)
	}
	one.tooLarge = one.tooLarge || one.heldBytes > logs.MaxValue
	if one.tooLarge {
		one.turns, one.heldBytes = nil, 0
	}
}

func (d *dialogs) addTools(one *dialog, tools jsontext.Value) {
	mark := maphash.Bytes(d.seed, tools)
	if slices.Contains(one.toolMarks, mark) {
		return
	}
	one.toolMarks = append(one.toolMarks, mark)
	one.tools = append(one.tools, tools)
	one.heldBytes += len(tools)
}

func (one *dialog) fillFrom(x *exchange) {
	one.system, one.model = cmp.Or(one.system, x.system), cmp.Or(one.model, x.model)
	one.thread, one.time = cmp.Or(one.thread, x.thread), cmp.Or(one.time, x.time)
	for key, value := range x.metadata {
		if _, known := one.metadata[key]; !known {
			one.metadata = logs.AddMetadata(one.metadata, key, value)
		}
	}
	if x.final != nil {
		one.final = x.final
	}
	one.onlyReplies = one.onlyReplies && !x.sent
}

func (one *dialog) addTurns(turns []turn) {
	for _, t := range turns {
		one.heldBytes += t.size
	}
	one.turns = append(one.turns, turns...)
}

// addReply adds a reply, or a further part of the last reply. The id of a reply is its number within the conversation, because
// some programs give the same id to all replies.
func (one *dialog) addReply(r reply) {
	continues := r.id != "" && r.id == one.last.id
	if !continues {
		one.replies++
	}
	id := fmt.Sprintf("reply %d", one.replies)
	for i := range r.turns {
		r.turns[i].setReply(id)
	}
	if continues {
		r.turns = one.joinText(r.turns)
	}
	one.addTurns(r.turns)
	if r.hasUsage {
		r.usage.Reply = id
		one.addUsage(r.usage)
	}
	r.turns = nil
	one.last = r
}

// joinText appends the first text of a streamed reply's part to the previous text, and returns the remaining turns.
func (one *dialog) joinText(turns []turn) []turn {
	if len(turns) == 0 || len(one.turns) == 0 || len(turns[0].events) == 0 {
		return turns
	}
	last, first := one.turns[len(one.turns)-1].events, &turns[0]
	hasCalls := slices.ContainsFunc(last, func(e turnEvent) bool { return e.Kind != eventMessage && e.Kind != eventUsage })
	if hasCalls || len(last) == 0 || first.events[0].Kind != eventMessage {
		return turns
	}
	text := first.events[0].Message.Text
	last[0].Message.Text += text
	one.heldBytes += len(text)
	first.events = first.events[1:]
	if first.isEmpty() {
		return turns[1:]
	}
	return turns
}

// addUsage adds the usage of a reply to the last turn, so that [dialog.cutTurns] removes it together with the turn.
func (one *dialog) addUsage(u logs.Usage) {
	if len(one.turns) == 0 {
		one.turns = append(one.turns, turn{role: logs.RoleAssistant})
	}
	t := &one.turns[len(one.turns)-1]
	t.events = append(t.events, turnEvent{Kind: eventUsage, Usage: u})
	one.heldBytes += turnEventSize
}

// finish closes all conversations, in the order in which they began.
func (d *dialogs) finish() {
	slices.SortStableFunc(d.open, func(a, b *dialog) int { return cmp.Compare(a.number, b.number) })
	for len(d.open) > 0 {
		d.close(d.open[0])
	}
}
