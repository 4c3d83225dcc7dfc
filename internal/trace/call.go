package trace

import (
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/jsonread"
)

// toolCalls reads the calls of a run. The value null is checked at the end of the run.
func (r *reader) toolCalls() []Call {
	if r.json.Null() {
		return nil
	}
	r.json.Array(`"tool_calls"`, func(int) { r.call() })
	return r.takeCalls()
}

// rawCall is a call in the form of the cassette: in our own shape, in OpenAI's {"function": {"name", "arguments"}}, or in
// Anthropic's {"type": "tool_use", "name", "input"}.
type rawCall struct {
	catalog.Ref
	named                  bool // a name was there, even an invalid one
	args, arguments, input arguments
	toolUse                bool // type is tool_use
	failed                 bool
	result, problem        string // "" unless asked for
	agent, witness, fault  string // likewise
	duration               Count
	argsUnknown            bool
	search                 *rawSearch // nil for a call without keys of a search
}

// arguments are the arguments of a call in the form of the cassette.
type arguments struct {
	value jsontext.Value // nil unless asked for
	names *Names         // likewise
	state ArgsState
	given bool
}

func (r *reader) call() {
	var c rawCall
	offset := r.json.Offset()
	if !r.json.Fields("a call", func(key string) { r.callPart(key, &c) }) {
		return
	}
	if !c.named {
		r.json.Mistakef(offset, `a call has no "name"`)
		return
	}
	search, ok := r.search(&c)
	if !ok {
		return
	}
	if r.shared.calls += 1 + search.countReturned(); r.shared.calls > r.shared.most.calls {
		r.json.Fatalf(offset, "has too many calls, at most %d are read", r.shared.most.calls)
		return
	}
	if r.calls = append(r.calls, r.newCall(&c, search)); len(r.shared.tools) > r.shared.most.tools {
		r.json.Fatalf(offset, "has calls of too many different tools, at most %d are read", r.shared.most.tools)
	}
}

func (r *reader) callPart(key string, c *rawCall) {
	switch key {
	case "name":
		c.name(r)
	case "server":
		c.Server = r.name(`"server"`)
	case "args":
		c.args = r.arguments()
	case "input":
		c.input = r.arguments()
	case "type":
		if r.json.Kind() == '"' {
			kind, _ := r.json.Word(`"type"`)
			c.toolUse = kind == "tool_use"
		}
	case "function":
		r.function(c)
	case "result":
		c.result = r.anyText(KeepResults)
	case "is_error":
		c.failed = r.flag(`"is_error"`) || c.failed
	case "error":
		r.callError(c)
	case "duration_ms":
		c.duration = r.count(`"duration_ms"`)
	case "args_unknown":
		c.argsUnknown = r.flag(`"args_unknown"`)
	case "agent":
		c.agent = r.anyText(KeepResults | KeepTimelines)
	case "witness":
		c.witness = r.anyText(KeepResults)
	case "found", "loaded", "query", "deferred_tools":
		r.searchPart(key, c)
	case "fault":
		c.fault = r.faultKind(`"fault" of a call`)
	}
}

func (c *rawCall) name(r *reader) {
	ok := r.json.Kind() == '"'
	name := r.bounded(`"name" of a call`, MaxName)
	if !c.named || ok {
		c.Name = name
	}
	c.named = true
}

// function reads the inner object of OpenAI's shape. It ignores any other value, because the key then belongs to an unknown
// shape.
func (r *reader) function(c *rawCall) {
	if r.json.Kind() != '{' {
		return
	}
	r.json.Fields(`"function"`, func(key string) {
		switch {
		case key == "arguments":
			c.arguments = r.arguments()
		case key == "name" && !c.named:
			c.name(r)
		}
	})
}

// flag reads an optional truth value; null is false.
func (r *reader) flag(what string) bool {
	if r.json.Null() {
		return false
	}
	value, _ := r.json.Bool(what)
	return value
}

func (r *reader) callError(c *rawCall) {
	text, set := r.errorText(r.keep&KeepResults != 0)
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
	if !args.given && c.toolUse {
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
		Detail: r.details(c, args.value, search),
	}
}

// details returns the requested parts of the call, the fault that it met and its search; nil if there are none.
func (r *reader) details(c *rawCall, args jsontext.Value, search *Search) *Detail {
	asked := r.keep&KeepResults != 0 && (c.result != "" || c.problem != "" || c.duration.Known || c.agent != "" || c.witness != "")
	switch {
	case asked:
		return &Detail{args, c.result, c.problem, c.duration, c.agent, c.witness, c.fault, search}
	case r.keep&KeepTimelines != 0 && (c.duration.Known || c.agent != ""):
		return &Detail{Args: args, Duration: c.duration, Agent: c.agent, Fault: c.fault, Search: search}
	case args != nil || c.fault != "" || search != nil:
		return &Detail{Args: args, Fault: c.fault, Search: search}
	}
	return nil
}

// arguments reads the arguments of a call: an object, or as some models emit, a string that contains such an object. Anything
// else is malformed.
func (r *reader) arguments() arguments {
	switch r.json.Kind() {
	case '{':
		return r.readObject()
	case '"':
		text, _ := r.json.String("")
		return r.argumentsInString(text)
	}
	r.json.Skip()
	return arguments{state: ArgsMalformed, given: true}
}

// readObject reads arguments that are an object.
func (r *reader) readObject() arguments {
	switch {
	case r.keep&KeepArgs != 0:
		return r.keptArguments(r.json.Compact())
	case r.keep&KeepTimelines != 0:
		if names := r.shared.names.read(r.json); names != nil {
			return arguments{state: ArgsObject, names: names, given: true}
		}
	case r.json.SkipMembers():
		return arguments{state: ArgsObject, given: true}
	}
	return arguments{state: ArgsEmpty, given: true}
}

// argumentsInString returns the arguments that a string contains. The empty string counts as {}: models emit it for a call without
// arguments.
func (r *reader) argumentsInString(text string) arguments {
	if text == "" {
		return arguments{state: ArgsEmpty, given: true}
	}
	value := jsontext.Value(text)
	if value.Kind() != '{' || !jsonread.Valid(value) {
		return arguments{state: ArgsMalformed, given: true}
	}
	return r.keptArguments(compact(value))
}

// keptArguments returns the parts of the arguments that are kept: all, only the names, or nothing.
func (r *reader) keptArguments(value jsontext.Value) arguments {
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
