package suite

import (
	"regexp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// modelVariable is the variable for the case's model in cassette:.
const modelVariable = "model"

var (
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)
	variableUse  = regexp.MustCompile(`\$?\$\{([A-Za-z_][A-Za-z0-9_.-]*)\}`)
)

// maxVariableText bounds the bytes that variables add to a suite's texts: a few texts can repeat long variables many times.
const maxVariableText = 64 << 20

func (r *reader) readVariables() {
	for _, part := range r.parts() {
		r.readVariablesOf(part)
	}
}

func (r *reader) readVariablesOf(part *yamlread.Map) {
	for _, e := range part.Map("variables").Entries() {
		m, ok := e.Value.Map()
		if !ok || !r.declareOnce("variable", e.Key) {
			continue
		}
		switch {
		case !variableName.MatchString(e.Key.Value):
			r.errs.Addf(e.Key.Pos, "a variable's name must begin with a letter and hold letters, digits, _, . and -, found %q", clip(e.Key.Value))
		case e.Key.Value == modelVariable:
			r.errs.Addf(e.Key.Pos, "variable %q is the case's model, expected another name", modelVariable)
		}
		v := Variable{e.Key.Value, r.readEnv(m)}
		if from, ok := m.Value("from_env"); ok && isKey(v.Env.Name) {
			from.Errorf("environment variable %q belongs to the runner or a provider, expected another one", clip(v.Env.Name))
		}
		r.variables[v.Name] = v
		r.suite.Variables = append(r.suite.Variables, v)
	}
}

// readEnv reads {from_env, default}: at least one of them. Variables in the default are not replaced.
func (r *reader) readEnv(m *yamlread.Map) Env {
	var env Env
	if name, ok := m.OptStr("from_env"); ok {
		env.Name = name.Value
		if name.Value == "" {
			r.errs.Addf(name.Pos, `"from_env" must not be empty`)
		}
		r.refuseRunner(name)
	}
	if v, ok := m.Value("default"); ok {
		_, env.HasDefault = v.Str()
		env.Default = v.Text()
	}
	if !m.Has("from_env") && !m.Has("default") && !m.HasOwn("env") {
		r.errs.Addf(m.Pos(), `"from_env" and "default" are missing, expected one of them or both`)
	}
	m.Misplaced("env", `write the name under "from_env"`) // mcptest's headers have the name under env
	m.Done()
	return env
}

// refusedPrefixes are prefixes of environment variables with inputs and secrets that a workflow's runner sets for its steps.
var refusedPrefixes = []string{"INPUT_", "ACTIONS_", "RUNNER_"}

// refuseRunner reports an environment variable that belongs to a workflow's runner: programs that a suite names never get it.
func (r *reader) refuseRunner(name yamlread.Str) {
	if RefusesEnvironment(name.Value) {
		r.errs.Addf(name.Pos, "environment variable %q belongs to the runner or a provider, expected another one", clip(name.Value))
	}
}

// RefusesEnvironment reports whether no key of a suite may read the environment variable of this name, because it is the
// runner's.
func RefusesEnvironment(name string) bool {
	upper := strings.ToUpper(name) // some systems ignore the case of these names
	return upper == "GITHUB_TOKEN" || slices.ContainsFunc(refusedPrefixes, func(prefix string) bool { return strings.HasPrefix(upper, prefix) })
}

// RefusesVariable reports whether variables: may not read the environment variable of this name.
func RefusesVariable(name string) bool { return RefusesEnvironment(name) || isKey(name) }

func isKey(name string) bool { return slices.Contains(model.KeyNames(), strings.ToUpper(name)) }

// ReplaceVariables returns a text with each ${NAME} replaced by the result of value for the name, and each $${NAME} replaced by
// the text ${NAME}.
func ReplaceVariables(text string, value func(name string) string) string {
	return variableUse.ReplaceAllStringFunc(text, func(use string) string {
		if strings.HasPrefix(use, "$$") {
			return use[1:]
		}
		return value(variableUse.FindStringSubmatch(use)[1])
	})
}

// Literal returns a text with escaped uses of variables, so that a suite reads it as the original text.
func Literal(text string) string {
	return variableUse.ReplaceAllStringFunc(text, func(use string) string { return "$" + use })
}

// liveText is the text of a live run, if it differs from the text of a replay.
type liveText struct {
	text    string
	lacking string // name of a variable in it without a default; "" if there is none, or if asLive has returned the text
}

// expandText replaces the ${variables} of a text of the file as a replay does, and notes the text of a live run if it differs.
// Names, paths and the settings of gates are the same in both: a value of the environment may be a secret, which must not be in
// the evidence, and all of these are printed.
func (r *reader) expandText(text string, at source.Pos) string {
	if r.loader.Getenv == nil {
		return r.expand(text, at, "")
	}
	mistakes := len(r.errs)
	full := r.replaceUses(text, func(use string) string { return r.replaceLive(use, at) })
	if len(r.errs) > mistakes {
		return full
	}
	live := liveText{text: full}
	replayed := ReplaceVariables(text, func(name string) string {
		v := r.variables[name]
		if !v.HasDefault {
			live.lacking = v.Name
		}
		return v.Default
	})
	if replayed != full || live.lacking != "" {
		r.live[at] = live
	}
	return replayed
}

// asLive returns the text at a position for the agent of a live run. It differs from text if a variable is read from the
// environment. Such a variable needs no default in a live run.
func (r *reader) asLive(text string, at source.Pos) string {
	live, differs := r.live[at]
	if !differs {
		return text
	}
	live.lacking = ""
	r.live[at] = live
	return live.text
}

func (r *reader) reportMissingDefaults() {
	for at, live := range r.live { // mistakes are sorted
		if live.lacking != "" {
			r.errs.Addf(at, "variable %q has no default, which names, paths and what judges need", clip(live.lacking))
		}
	}
}

// expand replaces the ${variables} of text as a replay does, and ${model} by model unless model is empty; $${x} becomes the
// text ${x}. A variable that cannot be replaced is reported at the text's position, and stays in the text.
func (r *reader) expand(text string, at source.Pos, model string) string {
	return r.replaceUses(text, func(use string) string { return r.replace(use, at, model) })
}

func (r *reader) replaceUses(text string, replace func(use string) string) string {
	if !strings.Contains(text, "${") {
		return text
	}
	full := variableUse.ReplaceAllStringFunc(text, func(use string) string {
		if r.expanded > maxVariableText {
			return use
		}
		value := replace(use)
		r.expanded += len(value)
		return value
	})
	if r.expanded > maxVariableText {
		r.root.Stopf(r.root.Pos(), "texts are more than %d bytes long once their variables are replaced", maxVariableText)
	}
	return full
}

func (r *reader) replace(use string, at source.Pos, model string) string {
	if strings.HasPrefix(use, "$$") {
		return use[1:]
	}
	name := variableUse.FindStringSubmatch(use)[1]
	if name == modelVariable && model != "" {
		return model
	}
	switch v, declared := r.variables[name]; {
	case !declared:
		r.reportUndeclared(name, at)
	case !v.HasDefault:
		r.errs.Addf(at, "variable %q has no default, which a replay needs", clip(name))
	default:
		return v.Default
	}
	return use
}

func (r *reader) replaceLive(use string, at source.Pos) string {
	v := r.variables[variableUse.FindStringSubmatch(use)[1]]
	if live, isLive := r.fromEnvironment(v); isLive && !strings.HasPrefix(use, "$$") {
		return live
	}
	if v.Name != "" && !v.HasDefault && !strings.HasPrefix(use, "$$") {
		r.errs.Addf(at, "variable %q has no default, and environment variable %q is not set", clip(v.Name), clip(v.Env.Name))
		return use
	}
	return r.replace(use, at, "")
}

func (r *reader) fromEnvironment(v Variable) (value string, ok bool) {
	if r.loader.Getenv == nil || v.Env.Name == "" {
		return "", false
	}
	value = r.loader.Getenv(v.Env.Name)
	if value == "" {
		return "", false
	}
	if !slices.Contains(r.suite.Secrets, value) {
		r.suite.Secrets = append(r.suite.Secrets, value)
	}
	return value, true
}

// noteModelValues notes that the environment's values for variables in a model's name, or in a list of names, are not secret:
// reports, recordings and the names of their files contain the model.
func (r *reader) noteModelValues(model yamlread.Value) {
	if model.Kind() == yamlread.ListKind {
		for _, one := range model.List() {
			r.noteModelValues(one)
		}
		return
	}
	for _, use := range variableUse.FindAllStringSubmatch(model.Text(), -1) {
		value, isLive := r.fromEnvironment(r.variables[use[1]])
		if isLive && !strings.HasPrefix(use[0], "$$") && !slices.Contains(r.suite.Models, value) {
			r.suite.Models = append(r.suite.Models, value)
		}
	}
}

// removeModelsFromSecrets removes the names of models from the secrets, after the whole suite was read.
func (r *reader) removeModelsFromSecrets() {
	isModel := func(value string) bool { return slices.Contains(r.suite.Models, value) }
	r.suite.Secrets = slices.DeleteFunc(r.suite.Secrets, isModel)
}

func (r *reader) reportUndeclared(name string, at source.Pos) {
	if name == modelVariable {
		r.errs.Addf(at, `"${model}" stands for the case's model in "cassette" alone, and only where the test has a model`)
		return
	}
	if name == rowVariable {
		r.errs.Addf(at, `"${row}" stands for the row of a table in "cassette" alone, and only where the test has "cases"; a variable of that name is not declared`)
		return
	}
	hint := r.hintAtVariable(name)
	r.errs.Addf(at, `variable %q is not declared in "variables"%s (write $${%s} for the text itself)`, clip(name), hint, clip(name))
}

// hintAtVariable returns a hint at the variable with the closest name; "" if hints have used up their bound.
func (r *reader) hintAtVariable(name string) string {
	if r.hints < 0 {
		return ""
	}
	return r.hint(name, lists.Map(r.suite.Variables, func(v Variable) string { return v.Name }))
}

// readUnexpanded reads a non-empty text that only live runs need. Its variables must be declared, but are not replaced.
func (r *reader) readUnexpanded(v yamlread.Value, what string) string {
	if v.Kind() != yamlread.TextKind {
		v.Errorf("%s must be text, found %s", what, v.Describe())
		return ""
	}
	text := v.Text()
	if text == "" {
		v.Errorf("%s must not be empty", what)
	}
	for _, use := range variableUse.FindAllStringSubmatch(text, -1) {
		if _, declared := r.variables[use[1]]; !declared && !strings.HasPrefix(use[0], "$$") {
			r.reportUndeclared(use[1], v.Pos())
		}
	}
	return text
}
