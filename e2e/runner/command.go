package runner

import (
	"slices"
	"strings"
	"unicode"
)

// Command is a workflow command that a program printed.
type Command struct {
	Name       string // as the runner spells it
	Properties map[string]string
	Data       string
	Old        bool // of the form ##[name]data, which nobody writes on purpose any more
}

// registered are the commands of the runner. The argument of stop-commands is one more command, which ends stop-commands.
var registered = []string{
	"set-env", "set-output", "save-state", "add-path", "add-mask", "add-matcher", "remove-matcher", "debug", "notice",
	"warning", "error", "group", "endgroup", "echo", "stop-commands",
}

// ReadLog returns the commands and the other lines of a program's output, as the runner reads it. A line ends at a line feed, a
// carriage return, or both. Each line is read as ::name properties::data, which may follow white space, and otherwise as
// ##[name properties]data, which may follow any text.
func ReadLog(log string) (commands []Command, plain []string) {
	stopped := ""
	for _, line := range strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(log), "\n") {
		c, ok := parse(line, stopped)
		switch {
		case !ok || stopped != "" && c.Name != stopped:
			plain = append(plain, line)
			continue
		case c.Name == stopped:
			stopped = ""
		case c.Name == "stop-commands":
			stopped = c.Data
		}
		commands = append(commands, c)
	}
	return commands, plain
}

// parse reads a line as a command. It ignores invisible characters, as the runner does, which compares texts by the rules of a
// language.
func parse(line, stopped string) (Command, bool) {
	line = strings.Map(withoutInvisible, line)
	if c, ok := parseNew(line, stopped); ok {
		return c, true
	}
	return parseOld(line, stopped)
}

// withoutInvisible returns a character, or -1 if it is invisible.
func withoutInvisible(r rune) rune {
	if r == '\t' || !unicode.IsControl(r) && !unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
		return r
	}
	return -1
}

// commandName returns a name as the runner spells it, and whether it is the name of a command.
func commandName(name, stopped string) (string, bool) {
	same := func(other string) bool { return strings.EqualFold(name, other) }
	if stopped != "" && same(stopped) {
		return stopped, true
	}
	i := slices.IndexFunc(registered, same)
	if i < 0 {
		return "", false
	}
	return registered[i], true
}

func parseNew(line, stopped string) (Command, bool) {
	line = strings.TrimLeftFunc(line, unicode.IsSpace)
	rest, ok := strings.CutPrefix(line, "::")
	if !ok {
		return Command{}, false
	}
	info, data, ok := strings.Cut(rest, "::")
	if !ok {
		return Command{}, false
	}
	name, properties, _ := strings.Cut(info, " ")
	name, ok = commandName(name, stopped)
	return Command{
		Name: name, Data: unescape(data, dataEscapes),
		Properties: parseProperties(strings.TrimSpace(properties), ",", propertyEscapes),
	}, ok
}

func parseOld(line, stopped string) (Command, bool) {
	_, rest, ok := strings.Cut(line, "##[")
	if !ok {
		return Command{}, false
	}
	info, data, ok := strings.Cut(rest, "]")
	if !ok {
		return Command{}, false
	}
	name, properties, _ := strings.Cut(info, " ")
	name, ok = commandName(name, stopped)
	return Command{
		Name: name, Data: unescape(data, oldEscapes), Properties: parseProperties(properties, ";", oldEscapes), Old: true,
	}, ok
}

func parseProperties(text, separator string, escapes []string) map[string]string {
	properties := map[string]string{}
	for _, pair := range strings.Split(text, separator) {
		if key, value, ok := strings.Cut(pair, "="); ok && key != "" && value != "" {
			properties[strings.ToLower(key)] = unescape(value, escapes)
		}
	}
	return properties
}

var (
	dataEscapes     = []string{"%0D", "\r", "%0A", "\n", "%25", "%"}
	propertyEscapes = []string{"%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%"}
	oldEscapes      = []string{"%3B", ";", "%0D", "\r", "%0A", "\n", "%5D", "]", "%25", "%"}
)

// unescape replaces one escape after the other, and not all at once, as the runner does.
func unescape(s string, pairs []string) string {
	for i := 0; i < len(pairs); i += 2 {
		s = strings.ReplaceAll(s, pairs[i], pairs[i+1])
	}
	return s
}
