package annotate

import (
	"slices"
	"strings"
	"unicode"
)

// command is a workflow command as the runner reads it.
type command struct {
	Name       string
	Properties map[string]string
	Data       string
}

// runnerCommands are the names that the runner knows.
var runnerCommands = []string{
	"set-env", "set-output", "save-state", "add-path", "add-mask", "warning", "error", "notice", "debug", "group", "endgroup",
	"echo", "add-matcher", "remove-matcher", "stop-commands", "internal-set-repo-path",
}

// readLog reads a log as the runner does: each line, which ends at a line feed or a carriage return, is tried as
// ::name properties::data after its leading space, and then as ##[name properties]data, which may stand anywhere.
func readLog(log string) (commands []command, plain []string) {
	for _, line := range strings.FieldsFunc(log, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if c, ok := newCommand(line); ok {
			commands = append(commands, c)
		} else if c, ok := oldCommand(line); ok {
			commands = append(commands, c)
		} else {
			plain = append(plain, line)
		}
	}
	return commands, plain
}

func newCommand(line string) (command, bool) {
	line = strings.TrimLeftFunc(line, unicode.IsSpace)
	if !strings.HasPrefix(line, "::") {
		return command{}, false
	}
	info, data, ok := strings.Cut(line[2:], "::")
	return parseCommand(info, ",", data, ok)
}

func oldCommand(line string) (command, bool) {
	_, rest, ok := strings.Cut(line, "##[")
	if !ok {
		return command{}, false
	}
	info, data, ok := strings.Cut(rest, "]")
	return parseCommand(info, ";", data, ok)
}

func parseCommand(info, separator, data string, ok bool) (command, bool) {
	name, properties, _ := strings.Cut(info, " ")
	if !ok || !slices.Contains(runnerCommands, strings.ToLower(name)) {
		return command{}, false
	}
	c := command{Name: name, Data: unescape(data, "%0D", "\r", "%0A", "\n", "%25", "%")}
	for _, pair := range strings.Split(strings.TrimSpace(properties), separator) {
		if key, value, ok := strings.Cut(pair, "="); ok && key != "" && value != "" {
			if c.Properties == nil {
				c.Properties = map[string]string{}
			}
			c.Properties[key] = unescape(value, "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
		}
	}
	return c, true
}

// unescape replaces one after the other, as the runner does.
func unescape(s string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		s = strings.ReplaceAll(s, pairs[i], pairs[i+1])
	}
	return s
}

// readFile reads a file of outputs as the runner does: name=value, or name<<delimiter, lines, delimiter.
func readOutputs(file string) (map[string]string, bool) {
	values := map[string]string{}
	lines := strings.Split(strings.ReplaceAll(file, "\r", "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		if lines[i] == "" {
			continue
		}
		equals, heredoc := strings.Index(lines[i], "="), strings.Index(lines[i], "<<")
		switch {
		case equals >= 0 && (heredoc < 0 || equals < heredoc):
			values[lines[i][:equals]] = lines[i][equals+1:]
		case heredoc >= 0:
			name, end := lines[i][:heredoc], lines[i][heredoc+2:]
			var value []string
			for i++; i < len(lines) && lines[i] != end; i++ {
				value = append(value, lines[i])
			}
			if i == len(lines) {
				return values, false
			}
			values[name] = strings.Join(value, "\n")
		default:
			return values, false
		}
	}
	return values, true
}
