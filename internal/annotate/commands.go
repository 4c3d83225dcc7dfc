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
// characters for each message, which are counted in bytes here.
const (
	perLevel          = 10
	maxCommandMessage = 4_000
)

// Commands writes to a workflow's log: commands to the runner, and plain lines. No text that a method takes can become another
// command. The methods may be called concurrently.
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

// stickyWriter keeps the first error, because the library panics on errors.
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

// Err returns the first write error.
func (c *Commands) Err() error {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	return c.out.err
}

// mask hides a secret in the rest of the log. It must precede all other output.
func (c *Commands) mask(secret string) {
	if secret = commandText(secret); secret != "" {
		c.action.AddMask(secret)
	}
}

// minMask is the minimum length of a line that maskValues masks, in bytes. A mask holds for the rest of the job, and the
// runner drops every output of the job that contains a masked value, so short values such as "true" and "main" are not masked.
const minMask = 8

// maskValues masks the lines of values that were read from the environment, except short lines. Given a whole JSON document, the
// runner would mask each of its lines, including a single brace.
func (c *Commands) maskValues(values []string) {
	for _, value := range values {
		for _, line := range strings.FieldsFunc(value, func(r rune) bool { return r == '\n' || r == '\r' }) {
			if line = strings.TrimSpace(line); len(line) >= minMask {
				c.mask(line)
			}
		}
	}
}

// Warn writes a warning about the action's own work.
func (c *Commands) Warn(format string, args ...any) {
	c.writeItem(annotation.Item{Level: annotation.Warning, Message: fmt.Sprintf(format, args...)})
}

// Note writes a notice about the action's own work.
func (c *Commands) Note(format string, args ...any) {
	c.writeItem(annotation.Item{Level: annotation.Notice, Message: fmt.Sprintf(format, args...)})
}

// Fail writes an error about the action's own work.
func (c *Commands) Fail(format string, args ...any) {
	c.writeItem(annotation.Item{Level: annotation.Failure, Message: fmt.Sprintf(format, args...)})
}

// Say writes a plain line.
func (c *Commands) Say(format string, args ...any) {
	io.WriteString(c.out, logLine(fmt.Sprintf(format, args...))+"\n") // the writer keeps its error
}

// writeItem writes an annotation, or a plain line if the runner shows no more annotations of its level.
func (c *Commands) writeItem(a annotation.Item) {
	if !c.countIfShown(a.Level) {
		c.Say("%s: %s", a.Level, a.Message)
		return
	}
	c.issue(a)
}

// countIfShown reports whether the runner shows another annotation of the level, and counts the annotation.
func (c *Commands) countIfShown(level annotation.Level) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.used[level] >= perLevel {
		return false
	}
	c.used[level]++
	return true
}

// Step writes the log of a step that does not run the action: the plain lines that text writes, then the annotations that the
// runner shows. Nothing that text writes can become a command.
func Step(w io.Writer, list []annotation.Item, text func(io.Writer) error) error {
	c := NewCommands(w)
	log := c.Log()
	if err := errors.Join(text(log), log.Close()); err != nil {
		return err
	}
	c.annotate(list, "the JSON report has all")
	return c.Err()
}

// annotate writes the annotations that the runner shows: ten of each level, over all calls. It returns how many it left out, by
// level, and logs these numbers with hint, which names the place that has all annotations.
func (c *Commands) annotate(list []annotation.Item, hint string) (rest map[annotation.Level]int) {
	rest = map[annotation.Level]int{}
	for _, a := range list {
		if !c.countIfShown(a.Level) {
			rest[a.Level]++
			continue
		}
		c.issue(a)
	}
	if more := countsByLevel(rest); more != "" {
		c.Say("%s more: %s", more, hint)
	}
	return rest
}

// countsByLevel returns the numbers of annotations as text, such as "2 failures, 1 warning"; "" if there are none.
func countsByLevel(numbers map[annotation.Level]int) string {
	var parts []string
	for _, level := range annotation.Levels {
		if n := numbers[level]; n > 0 {
			parts = append(parts, judge.CountOf(n, string(level)))
		}
	}
	return strings.Join(parts, ", ")
}

// commandNames are the levels' names in commands.
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

// Log returns a writer of plain lines, in which the runner never finds a command. Close writes a last line that does not end in
// a line feed.
func (c *Commands) Log() io.WriteCloser { return &logWriter{c: c} }

type logWriter struct {
	c    *Commands
	rest []byte
}

// Write writes complete lines. Say escapes carriage returns, at which the runner would also end a line.
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

// Close writes the rest.
func (l *logWriter) Close() error {
	if len(l.rest) > 0 {
		l.c.Say("%s", l.rest)
	}
	return l.c.Err()
}
