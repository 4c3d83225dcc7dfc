package clients

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/suite"
)

// variableUse matches the ways in which clients name a variable in a text: ${NAME}, ${NAME:-default}, ${env:NAME}, ${input:ID}.
var variableUse = regexp.MustCompile(`\$\{(?:env:|input:)?([A-Za-z_][A-Za-z0-9_-]*)(?::-([^}]*))?\}`)

// folders replaces the clients' names for the workspace by ".", because the servers of a suite at the workspace's top
// are started there.
var folders = strings.NewReplacer("${workspaceFolder}", ".", "${workspaceRoot}", ".", "${CLAUDE_PROJECT_DIR}", ".")

// schemes are the words before a token in a header. They are not secret.
var schemes = []string{"Bearer ", "bearer ", "Token ", "token ", "Basic "}

// splitText returns the parts of a text. Names of variables are changed to names that a suite may read.
func (r *reader) splitText(s *Server, text string) (t Text) {
	text = folders.Replace(text)
	for {
		at := variableUse.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		if at[0] > 0 {
			t = append(t, Part{Literal: text[:at[0]]})
		}
		name, fallback, hasDefault := text[at[2]:at[3]], "", at[4] >= 0
		if hasDefault {
			fallback = text[at[4]:at[5]]
		}
		part := r.variable(s, name, "", fallback)
		part.HasDefault = hasDefault && part.Default == fallback
		t = append(t, part)
		text = text[at[1]:]
	}
	if text != "" || t == nil {
		t = append(t, Part{Literal: text})
	}
	return t
}

// variable returns a variable as a part, and keeps its value in s.Values. If another value has the name, the server's name is put
// in front of it.
func (r *reader) variable(s *Server, name, value, fallback string) Part {
	name = variableName(name)
	if isSecret(fallback) {
		value, fallback = fallback, ""
	}
	if s.Values == nil {
		s.Values = map[string]string{}
	}
	old := s.Values[name]
	hasOtherValue := old != "" && value != "" && old != value
	if hasOtherValue {
		name = variableName(s.Name + "_" + name)
	}
	if s.Values[name] == "" {
		s.Values[name] = value
	}
	return Part{Env: name, Default: fallback}
}

func variableName(name string) string {
	word := strings.Map(func(c rune) rune {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' {
			return c
		}
		return '_'
	}, name)
	if word == "" || word[0] >= '0' && word[0] <= '9' || suite.RefusesEnvironment(word) {
		word = "MCP_" + word
	}
	return word
}

// withAllowedNames renames, in the text and in s.Values, the variables that a suite may not declare: the keys of providers.
func withAllowedNames(s *Server, t Text) Text {
	for i, part := range t {
		if part.Env == "" || !suite.RefusesVariable(part.Env) {
			continue
		}
		name := "MCP_" + part.Env
		if s.Values[name] == "" { // a text can have a variable twice
			s.Values[name] = s.Values[part.Env]
		}
		delete(s.Values, part.Env)
		t[i].Env = name
	}
	return t
}

// hideValue returns a value without the literal texts in it, which must not be copied. A value with a literal becomes one variable,
// with fallback as its name. A value of variables, with or without a scheme in front, stays but loses the variables' defaults.
func (r *reader) hideValue(s *Server, text, fallback string) Text {
	var scratch Server
	t := r.splitText(&scratch, text)
	isLiteral := func(p Part) bool { return p.Env == "" && p.Literal != "" && !slices.Contains(schemes, p.Literal) }
	if slices.ContainsFunc(t, isLiteral) {
		if len(scratch.Values) > 0 {
			text = "" // only the client knows the values of the variables in it
		}
		return Text{r.variable(s, fallback, text, "")}
	}
	t = r.splitText(s, text)
	for i, part := range t {
		if part.Default != "" {
			t[i] = r.variable(s, part.Env, part.Default, "")
		}
	}
	if len(t) > 1 {
		return withAllowedNames(s, t)
	}
	return t
}

// textOf returns an argument or an address. A secret in it, which is recognized by the name before it or by its looks, becomes a
// variable.
func (r *reader) textOf(s *Server, text, fallback string, isNamed bool) Text {
	switch {
	case isNamed:
		flag, value := cutFlag(text)
		if flag != "" && variableUse.MatchString(value) {
			return withAllowedNames(s, append(Text{{Literal: flag}}, r.hideValue(s, value, fallback)...))
		}
		return withAllowedNames(s, r.hideValue(s, text, fallback))
	case isSecret(text):
		return Text{r.variable(s, fallback, text, "")}
	}
	return withAllowedNames(s, r.splitText(s, text))
}

func isSecret(text string) bool {
	var shapes *redact.Rules
	return shapes.File().Text(text) != text
}

func argumentName(server string, i int) string {
	return strings.ToUpper(variableName(server)) + "_ARGUMENT_" + strconv.Itoa(i)
}
