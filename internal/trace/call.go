package trace

import (
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/jsonread"
)

// readToolCalls reads the calls of a run. The value null is checked at the end of the run.
func (r *reader) readToolCalls() []Call {
	if r.json.Null() {
		return nil
	}
	r.json.Array(`"tool_calls"`, func(int) { r.readCall() })
	return r.takeCalls()
}

// rawCall is a call in the form of the cassette: in our own shape, in OpenAI's {"function": {"name", "arguments"}}, or in
// Anthropic's {"type": "tool_use", "name", "input"}.
type rawCall struct {
	catalog.Ref
	hasName                bool // a name was there, even an invalid one
	args, arguments, input arguments
	isToolUse              bool // type is tool_use
	failed                 bool
	result, problem        string // "" unless their text is kept
	agent, witness, fault  string // agent and witness are "" unless they are kept
	duration               Count
	argsUnknown            bool
	search                 *rawSearch // nil for a call without keys of a search
}

// arguments are the arguments of a call in the form of the cassette.
type arguments struct {
	value jsontext.Value // nil unless the arguments are kept
	names *Names         // nil unless only the names of the arguments are kept
	state ArgsState
	given bool
}

func (r *reader) readCall() {
	var c rawCall
	offset := r.json.Offset()
	if !r.json.Fields("a call", func(key string) { r.readCallKey(key, &c) }) {
		return
	}
	if !c.hasName {
		r.json.Mistakef(offset, `a call has no "name"`)
		return
	}
	search, ok := r.checkSearch(&c)
	if !ok {
		return
	}
	r.shared.calls++
	if search != nil {
		r.shared.calls += len(search.Tools)
	}
	if r.shared.calls > r.shared.most.calls {
		r.json.Fatalf(offset, "has too many calls, at most %d are read", r.shared.most.calls)
		return
	}
	r.calls = append(r.calls, r.newCall(&c, search))
	if len(r.shared.tools) > r.shared.most.tools {
		r.json.Fatalf(offset, "has calls of too many different tools, at most %d are read", r.shared.most.tools)
	}
}

func (r *reader) readCallKey(key string, c *rawCall) {
	switch key {
	case "name":
		c.setName(r)
	case "server":
		c.Server = r.readName(`"server"`)
	case "args":
		c.args = r.readArguments()
	case "input":
		c.input = r.readArguments()
	case "type":
		if r.json.Kind() == '"' {
			kind, _ := r.json.Word(`"type"`)
			c.isToolUse = kind == "tool_use"
		}
	case "function":
		r.readFunction(c)
	case "result":
		c.result = r.readAnyText(KeepResults)
	case "is_error":
		c.failed = r.readFlag(`"is_error"`) || c.failed
	case "error":
		r.readCallError(c)
	case "duration_ms":
		c.duration = r.readCount(`"duration_ms"`)
	case "args_unknown":
		c.argsUnknown = r.readFlag(`"args_unknown"`)
	case "agent":
		c.agent = r.readAnyText(KeepResults | KeepTimelines)
	case "witness":
		c.witness = r.readAnyText(KeepResults)
	case "found", "loaded", "query", "deferred_tools":
		r.readSearchKey(key, c)
	case "fault":
		c.fault = r.readFaultKind(`"fault" of a call`)
	}
}

func (c *rawCall) setName(r *reader) {
	isText := r.json.Kind() == '"'
	name := r.readBounded(`"name" of a call`, MaxName)
	if isText || !c.hasName {
		c.Name = name
	}
	c.hasName = true
}

// readFunction reads the inner object of OpenAI's shape. It ignores any other value, because the key then belongs to an unknown
// shape.
func (r *reader) readFunction(c *rawCall) {
	if r.json.Kind() != '{' {
		return
	}
	r.json.Fields(`"function"`, func(key string) {
		switch {
		case key == "arguments":
			c.arguments = r.readArguments()
		case key == "name" && !c.hasName:
			c.setName(r)
		}
	})
}

// readFlag reads an optional truth value; null is false.
func (r *reader) readFlag(what string) bool {
	if r.json.Null() {
		return false
	}
	value, _ := r.json.Bool(what)
	return value
}

func (r *reader) readCallError(c *rawCall) {
	text, set := r.readErrorText(r.keep&KeepResults != 0)
	c.failed = c.failed || set
	if r.keep&KeepResults != 0 {
		c.problem = text
	}
}

// newCall returns the call with those of its parts that are kept.
func (r *reader) newCall(c *rawCall, search *Search) Call {
	args := c.args
	if !args.given {
		args = c.arguments
	}
	if !args.given && c.isToolUse {
		args = c.input
	}
	if c.argsUnknown && !args.given {
		args.state = ArgsUnknown
	}
	return Call{
		Tool:   r.shared.tool(c.Ref),
		Args:   args.state,
		Failed: c.failed,
		Names:  args.names,
		Detail: r.newDetail(c, args.value, search),
	}
}

// newDetail returns the kept parts of the call, the fault that it met and its search; nil if there are none.
func (r *reader) newDetail(c *rawCall, args jsontext.Value, search *Search) *Detail {
	hasTimeline := c.duration.Known || c.agent != ""
	hasResult := hasTimeline || c.result != "" || c.problem != "" || c.witness != ""
	switch {
	case hasResult && r.keep&KeepResults != 0:
		return &Detail{args, c.result, c.problem, c.duration, c.agent, c.witness, c.fault, search}
	case hasTimeline && r.keep&KeepTimelines != 0:
		return &Detail{Args: args, Duration: c.duration, Agent: c.agent, Fault: c.fault, Search: search}
	case args != nil || c.fault != "" || search != nil:
		return &Detail{Args: args, Fault: c.fault, Search: search}
	}
	return nil
}

// readArguments reads the arguments of a call: an object, or a string that contains an object, as some models write it. Anything
// else is malformed.
func (r *reader) readArguments() arguments {
	switch r.json.Kind() {
	case '{':
		return r.readArgumentsObject()
	case '"':
		text, _ := r.json.String("")
		return r.argumentsInString(text)
	}
	r.json.Skip()
	return arguments{state: ArgsMalformed, given: true}
}

func (r *reader) readArgumentsObject() arguments {
	switch {
	case r.keep&KeepArgs != 0:
		return r.keepArguments(r.json.Compact())
	case r.keep&KeepTimelines != 0:
		if names := r.shared.names.read(r.json); names != nil {
			return arguments{state: ArgsObject, names: names, given: true}
		}
	case r.json.SkipMembers():
		return arguments{state: ArgsObject, given: true}
	}
	return arguments{state: ArgsEmpty, given: true}
}

// argumentsInString returns the arguments that a string contains. The empty string counts as {}, because models write it for a
// call without arguments.
func (r *reader) argumentsInString(text string) arguments {
	if text == "" {
		return arguments{state: ArgsEmpty, given: true}
	}
	value := jsontext.Value(text)
	if value.Kind() != '{' || !jsonread.Valid(value) {
		return arguments{state: ArgsMalformed, given: true}
	}
	_ = value.Compact()                   // a valid value has no error
	return r.keepArguments(value.Clone()) // without spare capacity
}

// keepArguments returns the parts of the arguments that are kept: all, only the names, or nothing.
func (r *reader) keepArguments(value jsontext.Value) arguments {
	if string(value) == "{}" {
		return arguments{state: ArgsEmpty, given: true}
	}
	args := arguments{state: ArgsObject, given: true}
	switch {
	case r.keep&KeepArgs != 0:
		args.value = value
	case r.keep&KeepTimelines != 0:
		args.names = r.shared.names.Of(value)
	}
	return args
}
