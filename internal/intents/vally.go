package intents

import (
	"regexp"
	"strings"

	"github.com/org/mcp-gates/internal/yamlread"
)

// callsGrader is Vally's grader that checks which tools were called.
const callsGrader = "tool-calls"

// readVally reads an eval spec of Vally. Its stimuli are the intents, and the graders of calls name the right tools.
func (r *reader) readVally(data []byte) {
	m := yamlread.Parse(r.list.File, data, &r.errs)
	if m == nil {
		return
	}
	if !m.Has("stimuli") {
		r.errs.Addf(m.Pos(), `"stimuli" is missing, which an eval spec of Vally has`)
		return
	}
	for _, one := range m.Maps("stimuli") {
		if !r.addStimulus(one) {
			return
		}
	}
}

// addStimulus adds a stimulus as an intent, and reports whether more are read.
func (r *reader) addStimulus(m *yamlread.Map) bool {
	prompt, ok := optionalText(m, "prompt")
	var names []yamlread.Str
	if v, has := m.Value("graders"); has && v.Kind() != yamlread.NullKind {
		for _, grader := range m.Maps("graders") {
			names = append(names, requiredTools(grader)...)
		}
	}
	var tools []yamlread.Str
	for _, name := range names {
		tools = append(tools, plainNames(name)...)
	}
	if !ok {
		return true // the reader has reported the mistake
	}
	hasOnlyPatterns := len(names) > 0 && len(tools) == 0
	if hasOnlyPatterns {
		return r.leaveOut(m.Pos(), patternTool)
	}
	return r.add(m.Pos(), prompt, tools)
}

// optionalText returns a text that may be missing; ok is false for a value that is not a text, which is reported.
func optionalText(m *yamlread.Map, key string) (text yamlread.Str, ok bool) {
	v, has := m.Value(key)
	if !has || v.Kind() == yamlread.NullKind {
		return yamlread.Str{Pos: m.Pos()}, true
	}
	return v.Str()
}

func requiredTools(grader *yamlread.Map) (names []yamlread.Str) {
	if kind, ok := optionalText(grader, "type"); !ok || kind.Value != callsGrader {
		return nil
	}
	config := grader.Map("config")
	if config == nil {
		return nil
	}
	v, ok := config.Value("required")
	if !ok || v.Kind() == yamlread.NullKind {
		return nil
	}
	for _, item := range v.List() {
		if item.Kind() != yamlread.MapKind {
			if name, ok := item.Str(); ok {
				names = append(names, name)
			}
			continue
		}
		one, _ := item.Map()
		if name, ok := optionalText(one, "name"); ok && name.Value != "" {
			names = append(names, name)
		}
	}
	return names
}

var (
	nameChoice = regexp.MustCompile(`^(?:\(\?i\))?\^?(?:\((?:\?:)?([^()]*)\)|([^()]*?))\$?$`)
	plainName  = regexp.MustCompile(`^[\p{L}\p{N}_./:-]+$`)
)

// plainNames returns the names that a regular expression matches; nil if it is not just a name or a choice of names.
func plainNames(pattern yamlread.Str) []yamlread.Str {
	parts := nameChoice.FindStringSubmatch(strings.TrimSpace(pattern.Value))
	if parts == nil {
		return nil
	}
	names := anyOf(strings.ReplaceAll(parts[1]+parts[2], `\.`, "."), pattern.Pos)
	for _, name := range names {
		if !plainName.MatchString(name.Value) {
			return nil
		}
	}
	return names
}
