package chat

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
)

// api is the form in which the API of a model writes messages, requests and replies.
type api interface {
	// object reads an object into the exchange of p. The rest has the members that object does not read; ok is false if the
	// object cannot be read, which is then counted.
	object(p *parse, raw jsontext.Value, at side) (rest jsontext.Value, has objectKind, ok bool)
	// turns reads a list of messages or items.
	turns(p *parse, list jsontext.Value) ([]turn, bool)
	// offer reads the tools of a request.
	offer(tools jsontext.Value) offering
}

// offering has the tools that a request offers.
type offering struct {
	tools      []logs.Offered
	deferred   []string // servers with deferred tools, which separate items list
	defersSome bool     // the log does not list all deferred tools
}

// side is the place of an object: in a request or in a reply.
type side uint8

const (
	anySide   side = iota
	sentSide       // in a request
	replySide      // in a reply
)

// objectKind is the kind of an object.
type objectKind uint8

const (
	objectNone  objectKind = iota // unknown to the API
	objectPart                    // a message or an item
	objectWhole                   // a request, a reply, or a conversation
)

// parse reads one value of a log.
type parse struct {
	api   api
	to    *logs.Sink
	value logs.Value
	x     *exchange
}

// apiReader reads the logs of programs that record their requests to the API of a model, and the replies.
type apiReader struct {
	api     api
	to      *logs.Sink
	dialogs dialogs

	// Messages that have their own values in the log are collected.
	parts    *exchange
	list     int // number of the list that they are elements of
	lists    int // number of the last inner list, below 0
	size     int
	tooLarge bool
}

func openAPI(a api) func(*logs.Sink) logs.Reader {
	return func(to *logs.Sink) logs.Reader {
		return &apiReader{api: a, to: to, dialogs: dialogs{to: to, offer: a.offer, seed: maphash.MakeSeed()}}
	}
}

// Value reads the next value.
func (r *apiReader) Value(v logs.Value) {
	if v.Raw.Kind() == '[' {
		r.inner(v)
		return
	}
	p := &parse{api: r.api, to: r.to, value: v, x: &exchange{pos: v.Pos}}
	has, ok := p.object(v.Raw, anySide, 0)
	switch {
	case !ok:
	case has == objectNone:
		v.Skip("is not a message, request or reply")
	case has == objectPart:
		r.collect(v, p.x)
	default:
		r.flush()
		r.dialogs.add(p.x)
	}
}

// streaming is an API whose replies can be split over several values.
type streaming interface {
	// readRest reads the reply without an end, and reports whether there is one.
	readRest(p *parse) bool
}

// End completes the conversations.
func (r *apiReader) End() {
	r.flush()
	p := &parse{api: r.api, to: r.to, value: r.to.Value(), x: &exchange{}}
	if s, ok := r.api.(streaming); ok && s.readRest(p) {
		r.dialogs.add(p.x)
	}
	r.dialogs.finish()
}

func (r *apiReader) inner(v logs.Value) {
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
	r.flush()
}

func (r *apiReader) collect(v logs.Value, x *exchange) {
	if r.parts != nil && r.list != v.List {
		r.flush()
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

func (r *apiReader) flush() {
	x := r.parts
	if x == nil {
		return
	}
	tooLarge := r.tooLarge
	r.parts, r.size, r.tooLarge = nil, 0, false
	if tooLarge {
		r.to.TooLarge(x.pos)
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

func (p *parse) object(raw jsontext.Value, at side, depth int) (objectKind, bool) {
	const deepest = 4
	rest, has, ok := p.api.object(p, raw, at)
	if !ok || has == objectPart || depth == deepest {
		return has, ok
	}
	bodyIsReply := has == objectWhole && !p.x.sent
	logs.Members(rest, func(key string, value jsontext.Value) {
		if inside, is := wrappers[key]; is && p.wrapped(value, max(inside, at), depth) {
			has = objectWhole
			return
		}
		switch text, isScalar := logs.Scalar(value); {
		case key == "metadata" && depth < 2:
			p.metadata(value)
		case isScalar && depth == 0 && !bodyIsReply:
			p.x.metadata = logs.Note(p.x.metadata, key, text)
		}
	})
	return has, true
}

func (p *parse) metadata(object jsontext.Value) {
	logs.Members(object, func(key string, value jsontext.Value) {
		if text, ok := logs.Scalar(value); ok {
			p.x.metadata = logs.Note(p.x.metadata, key, text)
		}
	})
}

// wrapped reads a value under a key of wrappers, and reports whether the API knows it. Some programs write the value as text.
func (p *parse) wrapped(raw jsontext.Value, at side, depth int) bool {
	if raw.Kind() == '"' {
		raw = jsontext.Value(strings.TrimSpace(logs.Unquote(raw)))
		if kind := raw.Kind(); kind != '{' && kind != '[' || !logs.IsValid(raw) {
			return false
		}
	}
	switch raw.Kind() {
	case '{':
		has, ok := p.object(raw, at, depth+1)
		return ok && has != objectNone
	case '[':
		turns, ok := p.api.turns(p, raw)
		p.add(at, turns...)
		return ok && len(turns) > 0
	}
	return false
}

func (p *parse) add(at side, turns ...turn) {
	if at == replySide {
		r := p.x.ensureReply()
		r.turns = append(r.turns, turns...)
		return
	}
	p.x.sent = true
	p.x.addTurns(turns, p.to)
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

func (x *exchange) offer(lists ...jsontext.Value) {
	for _, tools := range lists {
		if !isBlank(tools) {
			x.tools = append(x.tools, tools)
		}
	}
}

func (x *exchange) end(final jsontext.Value) {
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

// problem returns the text of an error of an API or a program; "" for a value that is not an error.
func problem(raw jsontext.Value) string { return problemAt(raw, 0) }

// problemAt returns an error of an API as a text; "" if the value is no error.
func problemAt(raw jsontext.Value, depth int) string {
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
			return problemAt(e.Inside, depth+1)
		case err != nil || e.Message == "":
			return logs.CompactText(raw)
		}
		kinds := slices.DeleteFunc([]string{string(e.Type), string(e.Code), string(e.Status)}, func(s string) bool { return s == "" })
		return strings.TrimPrefix(strings.Join(kinds[:min(len(kinds), 1)], "")+": "+string(e.Message), ": ")
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
