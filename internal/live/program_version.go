package live

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/org/mcp-gates/internal/mcpclient"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

const (
	versionTime      = time.Minute
	maxVersionOutput = 64 << 10 // bytes
	maxVersion       = 200      // characters that are kept
)

// findVersion asks the case's program for its version. If the recording was made with another version, findVersion adds
// a note.
func (p *plan) findVersion(ctx context.Context) error {
	if p.program == nil || p.program.versionWords == nil {
		return nil
	}
	version, err := p.program.askVersion(ctx, p.shared.rules)
	if err != nil {
		return fmt.Errorf("find the agent's version: %s", mcpclient.SafeText(p.shared.rules.File(), err))
	}
	p.program.version = version
	recorded, errs := trace.Read(p.runner().options.FS, p.tested.Cassettes[:min(1, len(p.tested.Cassettes))], 0)
	if len(errs) == 0 && recorded.AgentVersion != "" && recorded.AgentVersion != version {
		note := fmt.Sprintf("%q: the agent is %q, and the cassette was recorded with %.200q", p.tested.Name, version, recorded.AgentVersion)
		p.runner().note(p.shared.rules.File().Text(note))
	}
	return nil
}

// askVersion runs the command for the version, and returns the first line of its output.
func (one *program) askVersion(ctx context.Context, rules *redact.Rules) (string, error) {
	f, err := newFolder()
	if err != nil {
		return "", err
	}
	defer f.remove()
	limited, cancel := context.WithTimeoutCause(ctx, versionTime, fmt.Errorf("it did not end within %s", versionTime))
	defer cancel()
	var home []string
	if !one.agent.InheritHome {
		home = append(home, "HOME="+f.home())
	}
	var out bytes.Buffer
	command := mcpclient.Program{
		Command: one.versionWords, Env: one.environment(home), Dir: cmp.Or(one.dir, f.work()), Rules: rules,
		Output: &limitedWriter{w: &out, left: maxVersionOutput},
	}
	if err := command.Run(limited); err != nil {
		return "", err
	}
	version := strings.ToValidUTF8(strings.TrimSpace(out.String()), "\uFFFD")
	version, _, _ = strings.Cut(version, "\n")
	if version = strings.TrimSpace(version); version == "" {
		return "", errors.New("the command wrote nothing")
	}
	return rules.Shorten(version, maxVersion), nil
}

// AgentVersion returns the version that the program of a case prints; "" if the case has no program, or no command for
// its version. AgentVersion starts nothing else.
func (r *Runner) AgentVersion(ctx context.Context, s *suite.Suite, c *suite.Case) (string, error) {
	if c.Agent == nil || c.Agent.Version == nil {
		return "", nil
	}
	ready, errs := r.Prepare(s, []*suite.Case{c})
	if len(errs) > 0 {
		return "", errs.Err()
	}
	defer ready.Close()
	version, err := ready.plans[c].program.askVersion(ctx, ready.rules)
	if err != nil {
		return "", errors.New(mcpclient.SafeText(ready.rules.File(), err))
	}
	return version, nil
}
