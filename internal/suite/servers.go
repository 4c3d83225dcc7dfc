package suite

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/yamlread"
)

func (r *reader) readServers() {
	for _, part := range r.parts() {
		r.readServersOf(part)
	}
	slices.Sort(r.serverNames)
}

func (r *reader) readServersOf(part *yamlread.Map) {
	v, ok := part.Value("servers")
	if !ok || v.IsEmptyList() {
		return
	}
	m, _ := v.Map()
	for _, e := range m.Entries() {
		if !r.declareOnce("server", e.Key) {
			continue
		}
		r.checkName(e.Key, "the name of a server")
		r.servers[e.Key.Value] = nil // the name is declared, even if the server has mistakes
		if m, ok := e.Value.Map(); ok {
			r.readServer(e.Key, m)
		}
	}
}

func (r *reader) readServer(name yamlread.Str, m *yamlread.Map) {
	s := &Server{Name: name.Value, Pos: name.Pos, Source: r.readSource(m), Start: r.readStart(m)}
	if m.Has("catalog") {
		hint := ""
		if len(s.Start.Command) > 0 || s.Start.URL != "" {
			hint = fmt.Sprintf("; \"mcp-gates snapshot --server %s --update\" writes it", name.Value)
		}
		cat := r.readSnapshot(m, "catalog", name.Value, hint)
		if cat != nil && cat.IsPartial() {
			v, _ := m.Value("catalog")
			v.Errorf("catalog %q %s", cat.File, catalog.PartialNotice)
			cat = nil
		}
		if cat != nil && r.countWithin(&r.asked.served, len(cat.Tools), maxServed, name.Pos, "servers, and tests of different servers, have more than %d tools altogether") {
			s.Snapshot = cat.Named(name.Value)
			r.setServer(cat.File, s)
			s.tools = make(map[string]bool, len(cat.Tools))
			for _, t := range cat.Tools {
				s.tools[t.Name] = true
			}
		}
	}
	r.foreign = append(r.foreign, r.takeForeign(m, foreignServer)...)
	m.Misplaced("args", `the arguments stand in "command", behind the program: command: [npx, -y, PACKAGE]`)
	m.Done()
	r.suite.Servers = append(r.suite.Servers, s)
	r.servers[name.Value] = s
	r.serverNames = append(r.serverNames, name.Value)
}

// setServer sets the server and the source of the catalog at a path, unless an earlier server has set them.
func (r *reader) setServer(path string, server *Server) {
	for _, c := range r.suite.Catalogs {
		if c.Path != path {
			continue
		}
		c.Server = cmp.Or(c.Server, server.Name)
		if len(c.Source) == 0 {
			c.Source = server.Source
		}
	}
}

func (r *reader) readStart(m *yamlread.Map) Start {
	m.OneOf("command", "url")
	start := Start{
		Command:      r.readCommand(m, "command"),
		URL:          r.readURL(m, "url"),
		Transport:    judge.ReadChoice(m, "transport", "http", "sse"),
		Env:          r.readValues(m, "env"),
		Headers:      r.readValues(m, "headers"),
		Timeout:      r.readDuration(m, "timeout"),
		WaitForReady: r.readDuration(m, "wait_for_ready"),
		Reuse:        m.Bool("reuse", false),
	}
	if auth := m.Map("auth"); auth != nil {
		foreign := r.takeForeign(auth, foreignServer)
		r.foreign = append(r.foreign, foreign...)
		if len(foreign) == 0 || auth.Has("bearer_token_env") {
			token := auth.Str("bearer_token_env")
			r.refuseRunner(token)
			start.BearerTokenEnv = token.Value
		}
		auth.Done()
	}
	if v, ok := m.Value("cwd"); ok {
		start.Cwd, _ = r.readPath(v, "cwd")
	}
	return start
}

func (r *reader) readCommand(m *yamlread.Map, key string) []string {
	v, ok := m.Value(key)
	if !ok {
		return nil
	}
	if v.Kind() != yamlread.ListKind {
		v.Errorf(`%q must be a list of the program and its arguments, found %s`, key, v.Describe())
		return nil
	}
	var command []string
	for i, item := range v.List() {
		if i > 0 && item.Kind() == yamlread.TextKind && item.Text() == "" {
			command = append(command, "") // an empty argument is valid
			continue
		}
		command = append(command, r.readUnexpanded(item, fmt.Sprintf("an entry of %q", key)))
	}
	if len(command) == 0 {
		v.Errorf(`%q must hold the program and its arguments, found an empty list`, key)
	}
	return command
}

func (r *reader) readURL(m *yamlread.Map, key string) string {
	v, ok := m.Value(key)
	if !ok {
		return ""
	}
	text := r.readUnexpanded(v, `"`+key+`"`)
	u, err := url.Parse(text)
	isWeb := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	if text != "" && !isWeb && !strings.Contains(text, "${") {
		v.Errorf("%q must be an http or https address, found %s", key, v.Describe())
	}
	return text
}

func (r *reader) readValues(m *yamlread.Map, key string) []Setting {
	var settings []Setting
	for _, e := range m.Map(key).Entries() {
		s := Setting{Name: e.Key.Value}
		if s.Name == "" {
			r.errs.Addf(e.Key.Pos, "a name in %q must not be empty", key)
		}
		switch e.Value.Kind() {
		case yamlread.TextKind:
			if e.Value.Text() != "" {
				s.Literal = r.readUnexpanded(e.Value, "a value")
			}
		case yamlread.MapKind:
			from, _ := e.Value.Map()
			s.Source = r.readEnv(from)
		default:
			e.Value.Errorf("%q must be text or a map with from_env, found %s", clip(s.Name), e.Value.Describe())
		}
		settings = append(settings, s)
	}
	return settings
}

func (r *reader) readDuration(m *yamlread.Map, key string) time.Duration {
	v, ok := m.Value(key)
	if !ok {
		return 0
	}
	d, err := time.ParseDuration(v.Text())
	if v.Kind() != yamlread.TextKind || err != nil || d <= 0 {
		v.Errorf("%q must be a duration such as 30s or 2m, found %s", key, v.Describe())
		return 0
	}
	return d
}
