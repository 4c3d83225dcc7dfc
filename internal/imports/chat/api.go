package chat

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
)

// api is the form in which the API of a model writes messages, requests and replies.
type api interface {
	// readObject reads an object into the exchange of p. rest is an object with the members that readObject does not read. If ok
	// is false, the object and its members add nothing. An object that cannot be read is counted as unread.
	readObject(p *parser, raw jsontext.Value, at side) (rest jsontext.Value, has objectKind, ok bool)
	// readTurns reads a list of messages or items.
	readTurns(p *parser, list jsontext.Value) ([]turn, bool)
	// readTools reads the tools of a request.
	readTools(tools jsontext.Value) offering
}

// offering has the tools that a request offers.
type offering struct {
	tools      []logs.Offered
	deferred   []string // servers with deferred tools; separate items of the conversation list these tools
	defersSome bool     // the log does not list all deferred tools
}

// side is the place of an object: in a request or in a reply.
type side uint8

const (
	anySide   side = iota
	sentSide       // in a request
	replySide      // in a reply
)

type objectKind uint8

const (
	objectNone  objectKind = iota // unknown to the API
	objectPart                    // a message or an item
	objectWhole                   // a request, a reply, or a conversation
)

// parser reads one value of a log.
type parser struct {
	api      api
	to       *logs.Sink
	value    logs.Value
	exchange *exchange
}

// apiReader reads the logs of programs that record their requests to the API of a model, and the replies.
type apiReader struct {
	api     api
	to      *logs.Sink
	dialogs dialogs

	// A log can have a value for each message. Consecutive messages are collected into one exchange.
	parts    *exchange // nil if no message was collected
	list     int       // [logs.Value.List] of the collected messages
	lists    int       // [logs.Value.List] of the last inner list; below 0, unlike that of a top-level list
	size     int       // of the collected messages, in bytes
	tooLarge bool      // size exceeds the bound on a run
}

func openAPI(a api) func(*logs.Sink) logs.Reader {
	return func(to *logs.Sink) logs.Reader {
		return &apiReader{api: a, to: to, dialogs: dialogs{to: to, readTools: a.readTools, seed: maphash.MakeSeed()}}
	}
}

// Value reads the next value.
func (r *apiReader) Value(v logs.Value) {
	if v.Raw.Kind() == '[' {
		r.readInnerList(v)
		return
	}
	p := &parser{api: r.api, to: r.to, value: v, exchange: &exchange{pos: v.Pos}}
	has, ok := p.readObject(v.Raw, anySide, 0)
	switch {
	case !ok: // it adds nothing, or was counted as unread
	case has == objectNone:
		v.Skip("is not a message, request or reply")
	case has == objectPart:
		r.collectMessage(v, p.exchange)
	default:
		r.addCollected()
		r.dialogs.add(p.exchange)
	}
}

// streaming is an API whose replies can be split over several values.
type streaming interface {
	// readRest reads the reply without an end, and reports whether there is one.
	readRest(p *parser) bool
}

// End completes the conversations.
func (r *apiReader) End() {
	r.addCollected()
	p := &parser{api: r.api, to: r.to, value: r.to.Value(), exchange: &exchange{}}
	if s, ok := r.api.(streaming); ok && s.readRest(p) {
		r.dialogs.add(p.exchange)
	}
	r.dialogs.finish()
}

func (r *apiReader) readInnerList(v logs.Value) {
	var elements []jsontext.Value
	if !v.Decode(&elements) {
		return
	}
	r.lists--
	list := r.lists
	for _, raw := range elements {
		if raw.Kind() != '{' {
			v.Skip("is a list with a value that is not an object")
			continue
		}
		one := v
		one.Raw, one.List = raw, list
		r.Value(one)
	}
	r.addCollected()
}

func (r *apiReader) collectMessage(v logs.Value, x *exchange) {
	if r.parts != nil && r.list != v.List {
		r.addCollected()
	}
	if r.parts == nil {
		r.parts, r.list = &exchange{pos: v.Pos, sent: true}, v.List
	}
	if x.system != "" {
		r.parts.addSystem(x.system, r.to)
	}
	r.parts.turns = append(r.parts.turns, x.turns...)
	if r.size += len(v.Raw); r.size > logs.MaxValue {
		r.tooLarge, r.parts.turns = true, nil
	}
}

func (r *apiReader) addCollected() {
	x := r.parts
	if x == nil {
		return
	}
	tooLarge := r.tooLarge
	r.parts, r.size, r.tooLarge = nil, 0, false
	if tooLarge {
		r.to.CountTooLarge(x.pos)
		return
	}
	r.dialogs.add(x)
}

// wrappers are keys under which programs put requests and replies.
var wrappers = map[string]side{
	"request": sentSide, "req": sentSide, "request_body": sentSide, "requestBody": sentSide, "input": sentSide, "kwargs": sentSide,
	"payload": sentSide, "params": sentSide, "body": anySide,
	"response": replySide, "res": replySide, "response_body": replySide, "responseBody": replySide, "output": replySide,
	"result": replySide, "message": replySide,
}

func wraps(key string) bool {
	_, is := wrappers[key]
	return is
}

func (p *parser) readObject(raw jsontext.Value, at side, depth int) (objectKind, bool) {
	const deepest = 4
	rest, has, ok := p.api.readObject(p, raw, at)
	if !ok || has == objectPart || depth == deepest {
		return has, ok
	}
	isOnlyReply := has == objectWhole && !p.exchange.sent
	keepsScalars := depth == 0 && !isOnlyReply
	logs.Members(rest, func(key string, value jsontext.Value) {
		if inside, isWrapper := wrappers[key]; isWrapper && p.readWrapped(value, max(inside, at), depth) {
			has = objectWhole
			return
		}
		text, isScalar := logs.Scalar(value)
		switch {
		case key == "metadata" && depth < 2:
			p.addMetadata(value)
		case isScalar && keepsScalars:
			p.exchange.metadata = logs.AddMetadata(p.exchange.metadata, key, text)
		}
	})
	return has, true
}

func (p *parser) addMetadata(object jsontext.Value) {
	logs.Members(object, func(key string, value jsontext.Value) {
		if text, ok := logs.Scalar(value); ok {
			p.exchange.metadata = logs.AddMetadata(p.exchange.metadata, key, text)
		}
	})
}

// readWrapped reads a value under a key of wrappers, and reports whether the API knows it. Some programs write the value as text.
func (p *parser) readWrapped(raw jsontext.Value, at side, depth int) bool {
	if raw.Kind() == '"' {
		raw = jsontext.Value(strings.TrimSpace(logs.Unquote(raw)))
		if kind := raw.Kind(); kind != '{' && kind != '[' || !logs.IsValid(raw) {
			return false
		}
	}
	switch raw.Kind() {
	case '{':
		has, ok := p.readObject(raw, at, depth+1)
		return ok && has != objectNone
	case '[':
		turns, ok := p.api.readTurns(p, raw)
		p.addTurns(at, turns...)
		return ok && len(turns) > 0
	}
	return false
}

func (p *parser) addTurns(at side, turns ...turn) {
	if at == replySide {
		r := p.exchange.ensureReply()
		r.turns = append(r.turns, turns...)
		return
	}
	p.exchange.sent = true
	p.exchange.addTurns(turns, p.to)
}

// turnsOf reads the messages or items of a list with read; ok is false if a run does not keep the message or item.
func turnsOf[T any](all []T, read func(*T) (t turn, ok bool)) []turn {
	turns := make([]turn, 0, len(all))
	for i := range all {
		if t, ok := read(&all[i]); ok {
			turns = append(turns, t)
		}
	}
	return turns
}

func (x *exchange) addTools(lists ...jsontext.Value) {
	for _, tools := range lists {
		if !isBlank(tools) {
			x.tools = append(x.tools, tools)
		}
	}
}

func (x *exchange) setFinal(final jsontext.Value) {
	if final.Kind() == '"' {
		text := logs.Unquote(final)
		x.final = &text
	}
}

// addTurns adds turns. Texts of system turns are added to the system prompt.
func (x *exchange) addTurns(turns []turn, to *logs.Sink) {
	for _, t := range turns {
		if t.role != logs.RoleSystem {
			x.turns = append(x.turns, t)
			continue
		}
		for _, e := range t.events {
			x.addSystem(e.Message.Text, to)
		}
	}
}

func (x *exchange) addSystem(text string, to *logs.Sink) {
	if len(x.turns) > 0 {
		to.LeaveOut("system messages between others")
		return
	}
	x.system = logs.JoinTexts(x.system, text)
}

// errorText returns the text of an error of an API or a program; "" for a value that is not an error.
func errorText(raw jsontext.Value) string { return errorTextAt(raw, 0) }

func errorTextAt(raw jsontext.Value, depth int) string {
	const deepest = 3
	switch raw.Kind() {
	case '"':
		return logs.Unquote(raw)
	case '{':
		var e struct {
			Type    logs.AnyText `json:"type"`
			Code    logs.AnyText `json:"code"`
			Status  logs.AnyText `json:"status"`
			Message logs.AnyText `json:"message"`

			Inside jsontext.Value `json:"error"`
		}
		switch err := json.Unmarshal(raw, &e, logs.Lenient); {
		case err == nil && e.Message == "" && e.Inside.Kind() == '{' && depth < deepest:
			return errorTextAt(e.Inside, depth+1)
		case err != nil || e.Message == "":
			return logs.CompactText(raw)
		}
		kind := cmp.Or(e.Type, e.Code, e.Status)
		return strings.TrimPrefix(string(kind+": "+e.Message), ": ")
	case 'n', 0, 'f':
		return ""
	}
	return logs.CompactText(raw)
}

func isBlank(raw jsontext.Value) bool {
	return len(raw) == 0 || slices.ContainsFunc([]string{"null", `""`, "{}", "[]", "false"}, func(s string) bool {
		return bytes.Equal(raw, []byte(s))
	})
}
