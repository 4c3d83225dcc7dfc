package gates

import (
	"encoding/json"
	"regexp"
	"strings"
)

// The parameters that a target's name can hold.
const (
	countParam = "[K]"
	nameParam  = `["NAME"]`
)

var wholeNumber = regexp.MustCompile(`^[1-9][0-9]{0,8}$`)

// WithParam returns the name under which a parameterised target's figure is kept, such as tool_selection.pass_hat[3]
// or tool["get_weather"].score.
func (t Target) WithParam(param string) string {
	if before, after, ok := strings.Cut(t.Name, countParam); ok {
		return before + "[" + param + "]" + after
	}
	before, after, _ := strings.Cut(t.Name, nameParam)
	return before + "[" + compactJSON(param) + "]" + after
}

// Param returns the parameter that name gives to the target, and whether name is the target's. It is "" for a target
// without a parameter.
func (t Target) Param(name string) (param string, ok bool) {
	if before, after, has := strings.Cut(t.Name, countParam); has {
		param, ok = between(name, before+"[", "]"+after)
		return param, ok && wholeNumber.MatchString(param)
	}
	if before, after, has := strings.Cut(t.Name, nameParam); has {
		quoted, ok := between(name, before+"[", "]"+after)
		return param, ok && strings.HasPrefix(quoted, `"`) && json.Unmarshal([]byte(quoted), &param) == nil
	}
	return "", name == t.Name
}

func between(s, before, after string) (string, bool) {
	s, okBefore := strings.CutPrefix(s, before)
	s, okAfter := strings.CutSuffix(s, after)
	return s, okBefore && okAfter
}

// findTarget returns the target that name names, and name in its one spelling.
func findTarget(targets []Target, name string) (t Target, canonical string, ok bool) {
	for _, t := range targets {
		if t.Name == name && !t.hasParam() {
			return t, name, true
		}
	}
	for _, t := range targets {
		if !t.hasParam() {
			continue
		}
		if param, ok := t.Param(name); ok {
			return t, t.WithParam(param), true
		}
	}
	return Target{}, name, false
}

func (t Target) hasParam() bool { return strings.Contains(t.Name, "[") }

// targetNames returns a valid name of each target, for messages.
func targetNames(targets []Target) []string {
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = strings.ReplaceAll(t.Name, countParam, "[3]")
	}
	return names
}
