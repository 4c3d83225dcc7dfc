package judge

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/trace"
)

// runTarget is a target of expectations on runs. In its name, [N] stands for a position, counted from 0, and .PATH for steps
// into a JSON value, such as .filters[0].name or ["odd.key"].
type runTarget struct {
	name string
	of   kind
	keep trace.Keep
	doc  string // Markdown, for docs/gates/expect.md
	get  func(run *trace.Run, path runPath) (actual any, why string)
}

const (
	positionParam = "[N]"
	pathParam     = ".PATH"
)

// runTargets lists the targets of a test's own expect.
var runTargets = []runTarget{
	{"tool_names", listKind, 0, "The bare names of all calls, in order.", getToolNames},
	{"tool_calls[N].name", textKind, 0, "The bare name of call N.", getCallName},
	{"tool_calls[N].server", textKind, 0, "The server of call N. Absent if not recorded.", getCallServer},
	{"tool_calls[N].args", anyKind, trace.KeepArgs, "The arguments of call N.", getCallArgs},
	{"tool_calls[N].args.PATH", anyKind, trace.KeepArgs, "A value in the arguments of call N. The steps of PATH are `.key`, `[0]` and `[\"odd.key\"]`.", getCallArgs},
	{"final_response", textKind, trace.KeepAnswers, "The agent's final text.", getFinalResponse},
	{"conversation.tokens.total", numberKind, 0, "The run's tokens: the recorded total, otherwise input plus output.", getCount((*trace.Run).Tokens, Tokens, "total tokens")},
	{"conversation.tokens.input", numberKind, 0, "The run's input tokens.",
		getCount(func(run *trace.Run) trace.Count { return run.Input }, Tokens, "input tokens")},
	{"conversation.tokens.output", numberKind, 0, "The run's output tokens.",
		getCount(func(run *trace.Run) trace.Count { return run.Output }, Tokens, "output tokens")},
	{"conversation.turns[N].content", textKind, trace.KeepTurns, "The content of turn N. Content that is not text is given as JSON.", getTurnContent},
	{"conversation.turns[N].role", textKind, trace.KeepTurns, "The role of turn N.", getTurnRole},
}

// nameTargets are the targets whose values are names of tools.
var nameTargets = []string{"tool_names", "tool_calls[N].name"}

// runLimits lists the limits in the long form of expect.
var runLimits = []runTarget{
	{maxDuration, numberKind, 0, "The most milliseconds that the run may take.",
		getCount(func(run *trace.Run) trace.Count { return run.Duration }, Number, "duration")},
	{maxResponseTokens, numberKind, trace.KeepAnswers, "The most tokens (cl100k_base) of the final response.", getResponseTokens},
}

// Word describes a target or a limit of a test's own expect, or a matcher, for a JSON Schema.
type Word struct {
	Name    string
	Doc     string   // Markdown
	Pattern string   // matches a target's names, see [Target.Pattern]; "" for a limit or a matcher
	Of      []string // kinds of the target's values, or of the values that the matcher can compare: constants such as OfNumber
}

// A [Word] can be about these kinds of values.
const (
	OfNumber = string(numberKind)
	OfText   = string(textKind)
	OfTexts  = string(listKind)
	OfAny    = string(anyKind)
)

// RunWords returns the targets of a test's own expect, and the limits of its long form.
func RunWords() (targets, limits []Word) {
	targets = lists.Map(runTargets, func(t runTarget) Word { return Word{t.name, t.doc, t.pattern(), []string{string(t.of)}} })
	limits = lists.Map(runLimits, func(t runTarget) Word { return Word{Name: t.name, Doc: t.doc, Of: []string{string(t.of)}} })
	return targets, limits
}

func (t runTarget) pattern() string {
	unanchored := func(re *regexp.Regexp) string { return strings.TrimPrefix(re.String(), "^") }
	name, hasPath := strings.CutSuffix(t.name, pathParam)
	pattern := strings.ReplaceAll(regexp.QuoteMeta(name), regexp.QuoteMeta(positionParam), unanchored(position))
	if hasPath {
		pattern += fmt.Sprintf("(%s|%s|%s)+", unanchored(memberStep), unanchored(position), unanchored(quotedStep))
	}
	return "^" + pattern + "$"
}

func runTargetNames() []string {
	example := strings.NewReplacer(positionParam, "[0]", pathParam, ".city")
	return lists.Map(runTargets, func(t runTarget) string { return example.Replace(t.name) })
}

// runPath is a parsed name of a target, with its values for [N] and .PATH.
type runPath struct {
	target runTarget
	n      int // position, counted from 0
	steps  []step
}

// step leads into a JSON value: to an item of a list, or to a member of an object.
type step struct {
	key   string
	index int // -1 for a member
}

// parseRunPath parses the name of a target; ok is false if there is no such target.
func parseRunPath(name string) (runPath, bool) {
	for _, t := range runTargets {
		if path, ok := t.parse(name); ok {
			return path, true
		}
	}
	return runPath{}, false
}

var position = regexp.MustCompile(`^\[(0|[1-9][0-9]{0,8})\]`)

// parse parses a name of the target; ok is false if name does not mean the target.
func (t runTarget) parse(name string) (runPath, bool) {
	path := runPath{target: t}
	pattern, hasPath := strings.CutSuffix(t.name, pathParam)
	before, after, hasPosition := strings.Cut(pattern, positionParam)
	rest, ok := strings.CutPrefix(name, before)
	if !ok {
		return path, false
	}
	if hasPosition {
		bracketed := position.FindString(rest)
		if bracketed == "" {
			return path, false
		}
		path.n, _ = strconv.Atoi(bracketed[1 : len(bracketed)-1])
		rest, ok = strings.CutPrefix(rest[len(bracketed):], after)
		if !ok {
			return path, false
		}
	}
	if !hasPath {
		return path, rest == ""
	}
	path.steps, ok = parseSteps(rest)
	return path, ok && len(path.steps) > 0
}

var (
	memberStep = regexp.MustCompile(`^\.[^.\[\]"]+`)
	quotedStep = regexp.MustCompile(`^\["(?:[^"\\]|\\.)*"\]`)
)

func parseSteps(s string) ([]step, bool) {
	var steps []step
	for s != "" {
		text, next := "", step{index: -1}
		if text = memberStep.FindString(s); text != "" {
			next.key = text[1:]
		} else if text = position.FindString(s); text != "" {
			next.index, _ = strconv.Atoi(text[1 : len(text)-1])
		} else if text = quotedStep.FindString(s); text == "" || json.Unmarshal([]byte(text[1:len(text)-1]), &next.key) != nil {
			return nil, false
		}
		steps, s = append(steps, next), s[len(text):]
	}
	return steps, true
}

func getToolNames(run *trace.Run, _ runPath) (any, string) {
	return lists.Map(run.Calls, func(c trace.Call) string { return c.Tool.Name }), ""
}

// noCall is used if a run does not have the call.
var noCall = &trace.Call{Tool: &trace.Tool{}}

func (p runPath) call(run *trace.Run) (call *trace.Call, why string) {
	if p.n >= len(run.Calls) {
		return noCall, fmt.Sprintf("has %s, and no call %d (they count from 0)", CountOf(len(run.Calls), "call"), p.n)
	}
	return &run.Calls[p.n], ""
}

func getCallName(run *trace.Run, p runPath) (any, string) {
	call, why := p.call(run)
	return call.Tool.Name, why
}

func getCallServer(run *trace.Run, p runPath) (any, string) {
	call, why := p.call(run)
	if why == "" && call.Tool.Server == "" {
		why = "has no server recorded for the call; record it as \"server\""
	}
	return call.Tool.Server, why
}

// getCallArgs returns the arguments of a call, or the value to which the steps lead. It returns the reason if there is no such
// value.
func getCallArgs(run *trace.Run, p runPath) (any, string) {
	call, why := p.call(run)
	if why != "" {
		return nil, why
	}
	switch call.Args {
	case trace.ArgsMalformed:
		return nil, "has arguments in the call that are not a JSON object"
	case trace.ArgsUnknown:
		return nil, "keeps no arguments of the call"
	}
	raw := jsontext.Value("{}")
	if call.Detail != nil && call.Detail.Args != nil {
		raw = call.Detail.Args
	}
	return follow(raw, p.steps)
}

func follow(raw jsontext.Value, steps []step) (any, string) {
	value, ok := DecodeJSON(raw)
	if !ok {
		return nil, "has a number in the call's arguments that is too long to compute with"
	}
	for _, s := range steps {
		if value, ok = s.enter(value); !ok {
			return nil, fmt.Sprintf("has no %s in the call's arguments", s)
		}
	}
	return value, ""
}

func (s step) enter(value any) (any, bool) {
	if s.index < 0 {
		object, _ := value.(map[string]any)
		member, ok := object[s.key]
		return member, ok
	}
	list, _ := value.([]any)
	if s.index >= len(list) {
		return nil, false
	}
	return list[s.index], true
}

// String returns the step as messages name it.
func (s step) String() string {
	if s.index < 0 {
		return fmt.Sprintf("%q", Clip(s.key))
	}
	return fmt.Sprintf("item %d", s.index)
}

func getFinalResponse(run *trace.Run, _ runPath) (any, string) {
	if !run.HasFinal {
		return nil, "has no final response recorded; record it as \"final_response\""
	}
	return run.FinalResponse, ""
}

func getCount(count func(*trace.Run) trace.Count, unit Unit, what string) func(*trace.Run, runPath) (any, string) {
	return func(run *trace.Run, _ runPath) (any, string) { return figureOf(count(run), unit, what) }
}

func getResponseTokens(run *trace.Run, p runPath) (any, string) {
	if _, why := getFinalResponse(run, p); why != "" {
		return nil, why
	}
	return figureOf(run.ResponseTokens, Tokens, "count of the final response's tokens")
}

func figureOf(c trace.Count, unit Unit, what string) (any, string) {
	if !c.Known {
		return nil, "has no " + what + " recorded; use an agent that reports it"
	}
	return Ratio(c.N, 1, unit), ""
}

func (p runPath) turn(run *trace.Run) (trace.Turn, string) {
	if p.n >= len(run.Turns) {
		return trace.Turn{}, fmt.Sprintf("has %s recorded, and no turn %d (they count from 0)", CountOf(len(run.Turns), "turn"), p.n)
	}
	return run.Turns[p.n], ""
}

func getTurnContent(run *trace.Run, p runPath) (any, string) {
	turn, why := p.turn(run)
	return turn.Content, why
}

func getTurnRole(run *trace.Run, p runPath) (any, string) {
	turn, why := p.turn(run)
	return turn.Role, why
}

// maxActual bounds each value of a run that a report repeats, in bytes: a final response can be as long as the cassette.
const maxActual = 4096

// clipActual returns actual as reports show it. If its text is longer than maxActual, it returns the beginning.
func clipActual(actual any) any {
	switch v := actual.(type) {
	case Value, nil, bool:
		return v
	case string:
		return cutText(v)
	case []string:
		return clipTexts(v)
	}
	text := CompactJSON(actual)
	if len(text) > maxActual {
		return cutText(text)
	}
	return jsontext.Value(text)
}

func clipTexts(texts []string) []string {
	size := 0
	for i, text := range texts {
		size += len(text) + 3 // with its quotation marks and a comma
		if size > maxActual {
			return append(slices.Clone(texts[:i]), "…")
		}
	}
	return texts
}

func cutText(s string) string {
	if len(s) <= maxActual {
		return s
	}
	end := maxActual
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…" // a copy, so that the long text is not kept in memory
}
