package live

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/suite"
)

// ServerConfigOf returns the configuration of a suite's server, with every ${variable} and from_env replaced. It also returns
// the values that it read from the environment and that may be secret, sorted and without repeats: all except names of models in
// the server's command and address. An empty environment variable counts as missing. A process is started in the folder of cwd,
// otherwise in the suite's folder; both are relative to workspace. All mistakes are returned together.
func ServerConfigOf(s *suite.Server, of *suite.Suite, workspace string, getenv func(string) string) (mcpclient.Config, []string, error) {
	r := &resolver{suite: of, getenv: getenv}
	start := s.Start
	c := mcpclient.Config{
		Name:           s.Name,
		URL:            r.text("url", start.URL),
		Transport:      start.Transport,
		Dir:            filepath.Join(workspace, filepath.FromSlash(cmp.Or(start.Cwd, path.Dir(s.Pos.File)))),
		ConnectTimeout: start.WaitForReady,
		CallTimeout:    start.Timeout,
		WaitForReady:   start.WaitForReady > 0,
		ConnectSetting: `"wait_for_ready" of the server`,
		CallSetting:    `"timeout" of the server`,
	}
	for _, word := range start.Command {
		c.Command = append(c.Command, r.text("command", word))
	}
	if len(c.Command) > 0 {
		c.Command = withOwnMock(c.Command)
		c.Env = r.env(mcpclient.BaseEnv(getenv), start.Env)
	}
	if c.URL != "" {
		c.Headers = r.headers(start)
	}
	if len(start.Command) == 0 && start.URL == "" {
		r.errorf(`has neither "command" nor "url"`)
	}
	if err := r.problemsError(); err != nil {
		return mcpclient.Config{}, nil, err
	}
	slices.Sort(r.secrets)
	return c, slices.Compact(r.secrets), nil
}

// isOwnMock reports whether a command starts mcptest's mock server, which this program's mock server replaces.
func isOwnMock(command []string) bool {
	return len(command) > 1 && command[0] == "mcptest" && command[1] == "mock"
}

// withOwnMock replaces mcptest by this program if a command starts mcptest's mock server.
func withOwnMock(command []string) []string {
	if !isOwnMock(command) {
		return command
	}
	program, err := os.Executable()
	if err != nil {
		return command
	}
	return append([]string{program}, command[1:]...)
}

// resolver replaces references to environment variables by their values.
type resolver struct {
	suite    *suite.Suite
	getenv   func(string) string
	secrets  []string
	problems []string
}

func (r *resolver) errorf(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// problemsError returns all problems in one line, without repeats.
func (r *resolver) problemsError() error {
	if len(r.problems) == 0 {
		return nil
	}
	slices.Sort(r.problems)
	return errors.New(strings.Join(slices.Compact(r.problems), "; "))
}

// keysWithModelName lists the keys in which the name of a model is not a secret, because it can be a part of a command or of a
// provider's address.
var keysWithModelName = []string{"command", "url", "base_url"}

func (r *resolver) value(key string, env suite.Env) string {
	value := ""
	if env.Name != "" {
		value = r.getenv(env.Name)
	}
	if value != "" {
		isModelName := slices.Contains(keysWithModelName, key) && slices.Contains(r.suite.Models, value)
		if !isModelName {
			r.secrets = append(r.secrets, value, strings.TrimSpace(value)) // a header is sent without blanks, so this form is also a secret
		}
		return value
	}
	if !env.HasDefault {
		r.errorf("needs the environment variable %q for %s, which is not set", env.Name, key)
	}
	return env.Default
}

// text replaces the ${variables} of a text. The suite's reader has checked that they are declared.
func (r *resolver) text(key, text string) string {
	return suite.ReplaceVariables(text, func(name string) string {
		at := slices.IndexFunc(r.suite.Variables, func(v suite.Variable) bool { return v.Name == name })
		return r.value(key, r.suite.Variables[at].Env)
	})
}

func (r *resolver) setting(key string, s suite.Setting) string {
	key = fmt.Sprintf("%s %q", key, s.Name)
	if s.Source.Name != "" || s.Source.HasDefault {
		return r.value(key, s.Source)
	}
	return r.text(key, s.Literal)
}

// env adds the suite's settings to an environment, and replaces variables of the same name.
func (r *resolver) env(env []string, settings []suite.Setting) []string {
	for _, s := range settings {
		if strings.ContainsAny(s.Name, "=\x00") {
			r.errorf("has the name %q in env, which no environment can hold", s.Name)
			continue
		}
		env = withVariable(env, s.Name+"="+r.setting("env", s))
	}
	return env
}

// withVariable adds NAME=value, and removes another value of NAME.
func withVariable(env []string, entry string) []string {
	name, _, _ := strings.Cut(entry, "=")
	env = slices.DeleteFunc(env, func(other string) bool { return strings.HasPrefix(other, name+"=") })
	return append(env, entry)
}

func (r *resolver) headers(start suite.Start) http.Header {
	headers := http.Header{}
	for _, s := range start.Headers {
		headers.Set(s.Name, strings.TrimSpace(r.setting("header", s)))
	}
	if start.BearerTokenEnv != "" {
		token := r.value("the bearer token", suite.Env{Name: start.BearerTokenEnv})
		headers.Set("Authorization", "Bearer "+strings.TrimSpace(token))
	}
	return headers
}
