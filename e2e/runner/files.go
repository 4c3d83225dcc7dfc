package runner

import (
	"fmt"
	"os"
	"strings"
)

// readOutputs reads a file of outputs as the runner does: name=value, or name<<delimiter, lines, and the delimiter on a line of its
// own. If a name has two values, the later one counts.
func readOutputs(text string) (map[string]string, error) {
	values := map[string]string{}
	lines := splitLines(text)
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		equals, heredoc := strings.Index(line, "="), strings.Index(line, "<<")
		switch {
		case line == "":
		case equals >= 0 && (heredoc < 0 || equals < heredoc):
			if equals == 0 {
				return nil, fmt.Errorf("invalid format %q: the name is empty", line)
			}
			values[line[:equals]] = line[equals+1:]
		case heredoc >= 0:
			name, delimiter := line[:heredoc], line[heredoc+2:]
			if name == "" || delimiter == "" {
				return nil, fmt.Errorf("invalid format %q: name or delimiter is empty", line)
			}
			start := i + 1
			for i = start; i < len(lines) && lines[i] != delimiter; i++ {
			}
			if i == len(lines) {
				return nil, fmt.Errorf("the delimiter %q is not found", delimiter)
			}
			values[name] = strings.Join(lines[start:i], "\n")
		default:
			return nil, fmt.Errorf("invalid format %q", line)
		}
	}
	return values, nil
}

// splitLines splits a text only at line feeds, because the runner on Linux knows no other end of a line in these files.
func splitLines(text string) []string {
	lines := strings.Split(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// maxSummary is the size in bytes of the longest summary that GitHub shows. It shows nothing of a longer one.
const maxSummary = 1 << 20

func readFile(name string) (string, error) {
	data, err := os.ReadFile(name)
	return string(data), err
}
