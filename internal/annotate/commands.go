package annotate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report/annotation"
	"github.com/sethvargo/go-githubactions"
)

// Limits of the runner: "10 warning annotations, 10 error annotations, and 10 notice annotations per step", and 4,096
// characters a message, which are counted in bytes here.
const (
	perLevel          = 10
	maxCommandMessage = 4_000
)

// Commands writes to a workflow's log: commands to the runner, and lines that it cannot take for commands. No text can
// become any other command than those that its methods name. Its methods may be called at once.
type Commands struct {
	action *githubactions.Action
	out    *stickyWriter

	mu   sync.Mutex
	used map[annotation.Level]int
}

// NewCommands returns the commands of a step that writes to w.
func NewCommands(w io.Writer) *Commands {
	out := &stickyWriter{w: w}
	return &Commands{action: githubactions.New(githubactions.WithWriter(out)), out: out, used: map[annotation.Level]int{}}
}

// stickyWriter keeps the first error, because the library panics at one.
type stickyWriter struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

func (s *stickyWriter) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		_, s.err = s.w.Write(p)
	}
	return len(p), nil
}

// Err returns the first error of writing.
func (c *Commands) Err() error {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	return c.out.err
}

// mask keeps a secret out of the log from here on. It comes before everything else that is written.
func (c *Commands) mask(secret string) {
	if secret = commandText(secret); secret != "" {
		c.action.AddMask(secret)
	}
}

// minMask is the length in bytes of the shortest value that MaskValues masks. A mask holds for the rest of the job, and
// the runner drops every output of the job that has one in it: "true" and "main" are not worth that.
const minMask = 8

// maskValues masks what was read from the environment, line by line: of a value of several lines the runner would mask
// each by itself, the lone brace of a document in JSON included.
func (c *Commands) maskValues(values []string) {
	for _, value := range values {
		for _, line := range strings.FieldsFunc(value, func(r rune) bool { return r == '\n' || r == '\r' }) {
			if line = strings.TrimSpace(line); len(line) >= minMask {
				c.mask(line)
			}
		}
	}
}

// group folds the lines that follow, until endGroup.
func (c *Commands) group(title string) { c.action.Group(clip(commandText(title), maxCommandMessage)) }

func (c *Commands) endGroup() { c.action.EndGroup() }

// Warn writes a warning about the action's own work.
func (c *Commands) Warn(format string, args ...any) {
	c.one(annotation.Item{Level: annotation.Warning, Message: fmt.Sprintf(format, args...)})
}

// Note writes a notice about the action's own work.
func (c *Commands) Note(format string, args ...any) {
	c.one(annotation.Item{Level: annotation.Notice, Message: fmt.Sprintf(format, args...)})
}

// Fail writes an error about the action's own work.
func (c *Commands) Fail(format string, args ...any) {
	c.one(annotation.Item{Level: annotation.Failure, Message: fmt.Sprintf(format, args...)})
}

// Say writes a plain line.
func (c *Commands) Say(format string, args ...any) {
	io.WriteString(c.out, logLine(fmt.Sprintf(format, args...))+"\n") // the writer keeps its error
}

// one writes an annotation, as far as the runner shows more of its level; else a plain line.
func (c *Commands) one(a annotation.Item) {
	if !c.use(a.Level) {
		c.Say("%s: %s", a.Level, a.Message)
		return
	}
	c.issue(a)
}

// use reports whether the runner shows one more annotation of the level, and counts it.
func (c *Commands) use(level annotation.Level) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.used[level] >= perLevel {
		return false
	}
	c.used[level]++
	return true
}

// Step writes to the log of a step whose program is not the action: plain lines that text writes, then annotations, as many
// as the runner shows. Nothing that text writes can become a command.
func Step(w io.Writer, list []annotation.Item, text func(io.Writer) error) error {
	c := NewCommands(w)
	log := c.Log()
	if err := errors.Join(text(log), log.Close()); err != nil {
		return err
	}
	c.annotate(list, "the JSON report has all")
	return c.Err()
}

// annotate writes annotations, the first ten of each level less those that were used up before. It returns how many of
// each level are left out, and says so in the log, with the hint where the others are.
func (c *Commands) annotate(list []annotation.Item, hint string) (rest map[annotation.Level]int) {
	rest = map[annotation.Level]int{}
	for _, a := range list {
		if !c.use(a.Level) {
			rest[a.Level]++
			continue
		}
		c.issue(a)
	}
	if more := counts(rest); more != "" {
		c.Say("%s more: %s", more, hint)
	}
	return rest
}

// counts lists how many annotations there are of each level; "" for none.
func counts(of map[annotation.Level]int) string {
	var parts []string
	for _, level := range annotation.Levels {
		if n := of[level]; n > 0 {
			parts = append(parts, judge.CountOf(n, string(level)))
		}
	}
	return strings.Join(parts, ", ")
}

// names of the levels as commands.
var commandNames = map[annotation.Level]string{annotation.Failure: "error", annotation.Warning: "warning", annotation.Notice: "notice"}

func (c *Commands) issue(a annotation.Item) {
	properties := githubactions.CommandProperties{}
	if a.Path != "" {
		properties["file"] = commandText(a.Path)
		if a.Line > 0 {
			properties["line"] = strconv.Itoa(a.Line)
			properties["endLine"] = strconv.Itoa(max(a.Line, a.EndLine))
		}
	}
	if a.Title != "" {
		properties["title"] = clip(commandText(a.Title), maxTitle)
	}
	c.action.IssueCommand(&githubactions.Command{
		Name: commandNames[a.Level], Message: clip(commandText(a.Message), maxCommandMessage), Properties: properties,
	})
}

// Log returns a writer of plain lines: the runner finds no command in them, whatever is written. Close writes a last
// line that has no end.
func (c *Commands) Log() io.WriteCloser { return &logWriter{c: c} }

type logWriter struct {
	c    *Commands
	rest []byte
}

// Write passes on whole lines. The runner ends a line at a carriage return, too, which Say spells out.
func (l *logWriter) Write(p []byte) (int, error) {
	l.rest = append(l.rest, p...)
	for {
		line, rest, found := bytes.Cut(l.rest, []byte("\n"))
		if !found {
			return len(p), l.c.Err()
		}
		l.c.Say("%s", line)
		l.rest = rest
	}
}

// Close writes what is left.
func (l *logWriter) Close() error {
	if len(l.rest) > 0 {
		l.c.Say("%s", l.rest)
	}
	return l.c.Err()
}
