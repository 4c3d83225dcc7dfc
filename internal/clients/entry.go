package clients

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// entry holds a server's fields as written in the file.
type entry struct {
	command         string
	args            []string
	url, kind       string
	env, headers    []pair
	headerVariables []pair // pairs of a header and an environment variable
	tokenVariable   string
}

type pair struct{ key, value string }

func (r *reader) readServer(s *Server) {
	var e entry
	what := func(key string) string { return fmt.Sprintf("%q of server %q", key, s.Name) }
	r.in.Object(fmt.Sprintf("server %q", s.Name), func(key string) {
		switch key {
		case "command":
			e.command, _ = r.in.String(what(key))
		case "args":
			r.in.Array(what(key), func(int) {
				arg, _ := r.in.String("an argument of " + what(key))
				e.args = append(e.args, arg)
			})
		case "url", "httpUrl", "serverUrl":
			e.url, _ = r.in.String(what(key))
		case "type", "transport":
			e.kind, _ = r.in.String(what(key))
		case "env":
			e.env = r.pairs(what(key))
		case "headers", "http_headers":
			e.headers = append(e.headers, r.pairs(what(key))...)
		case "env_http_headers":
			e.headerVariables = r.pairs(what(key))
		case "bearer_token_env_var":
			e.tokenVariable, _ = r.in.String(what(key))
		case "cwd":
			s.Cwd, _ = r.in.String(what(key))
		default:
			r.noteOther(s, key)
		}
	})
	r.fill(s, &e)
}

// noteOther notes a key that changes the server but that suites do not have.
func (r *reader) noteOther(s *Server, key string) {
	switch key {
	case "disabled":
		if off, ok := r.in.Bool(`"disabled"`); ok && off {
			s.Unusable = "it is disabled"
		}
	case "enabled":
		if on, ok := r.in.Bool(`"enabled"`); ok && !on {
			s.Unusable = "it is disabled"
		}
	case "envFile", "env_vars":
		s.Left = append(s.Left, key)
	}
}

// pairs reads an object of texts; null is an empty text, and numbers and booleans keep their spelling.
func (r *reader) pairs(what string) (pairs []pair) {
	r.in.Object(what, func(key string) {
		switch r.in.Kind() {
		case 'n', 't', 'f', '0':
			text := string(r.in.Raw())
			if text == "null" {
				text = ""
			}
			pairs = append(pairs, pair{key, text})
		default:
			value, _ := r.in.String("a value of " + what)
			pairs = append(pairs, pair{key, value})
		}
	})
	return pairs
}

// transports maps the clients' words for transports to those of suites.
var transports = map[string]string{"": "", "stdio": "", "http": "", "streamable-http": "", "streamableHttp": "", "streamable_http": "", "sse": "sse"}

func isName(name string) bool {
	const maxLength = 200 // bytes
	return name != "" && len(name) <= maxLength && utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl)
}

// fill sets the fields of a server from its entry, or the reason why it cannot be used.
func (r *reader) fill(s *Server, e *entry) {
	transport, isKnown := transports[e.kind]
	switch {
	case s.Unusable != "":
	case !isName(s.Name):
		s.Unusable = "its name is not a line of text, as a suite wants it"
	case !isKnown:
		s.Unusable = fmt.Sprintf("its transport %q is not one that a suite has", e.kind)
	case e.command == "" && e.url == "":
		s.Unusable = `it has neither "command" nor "url"`
	case !r.makeCwdRelative(s):
		s.Unusable = fmt.Sprintf("its cwd %q lies outside the workspace", s.Cwd)
	}
	if s.Unusable != "" {
		return
	}
	if e.command != "" {
		r.setProgram(s, e)
	} else {
		s.Transport = transport
		r.setAddress(s, e)
	}
	sortSettings(s.Env)
	sortSettings(s.Headers)
}

// makeCwdRelative makes the server's working folder relative to the workspace, and reports whether it is in the workspace.
func (r *reader) makeCwdRelative(s *Server) bool {
	dir := strings.ReplaceAll(folders.Replace(s.Cwd), `\`, "/")
	if r.folder != "" {
		dir = strings.TrimPrefix(dir, r.folder+"/")
	}
	if dir == "" || dir == r.folder {
		s.Cwd = ""
		return true
	}
	dir = path.Clean(dir)
	if !fs.ValidPath(dir) || strings.Contains(dir, ":") {
		return false
	}
	s.Cwd = dir
	return true
}

func (r *reader) setProgram(s *Server, e *entry) {
	words := append([]string{e.command}, e.args...)
	own := ownStart(words)
	for i, word := range words {
		isNamed := i > 0 && isNamedSecret(words, i, own)
		s.Command = append(s.Command, r.textOf(s, word, argumentName(s.Name, i), isNamed))
	}
	for _, v := range e.env {
		if !isName(v.key) || strings.Contains(v.key, "=") {
			s.Left = append(s.Left, v.key)
			continue
		}
		s.Env = append(s.Env, Setting{v.key, r.hideValue(s, v.value, v.key)})
	}
}

func (r *reader) setAddress(s *Server, e *entry) {
	const isNamed = false // no word precedes an address
	s.URL = r.textOf(s, e.url, strings.ToUpper(variableName(s.Name))+"_URL", isNamed)
	for _, h := range e.headers {
		if !isName(h.key) {
			s.Left = append(s.Left, h.key)
			continue
		}
		s.Headers = append(s.Headers, Setting{h.key, r.hideValue(s, h.value, strings.ToUpper(variableName(s.Name+"_"+h.key)))})
	}
	for _, h := range e.headerVariables {
		s.Headers = append(s.Headers, Setting{h.key, Text{r.variable(s, h.value, "", "")}})
	}
	if e.tokenVariable != "" {
		s.Headers = append(s.Headers, Setting{"Authorization", withAllowedNames(s, Text{{Literal: "Bearer "}, r.variable(s, e.tokenVariable, "", "")})})
	}
}
