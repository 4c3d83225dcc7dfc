package mock

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// variable matches the use of an argument in a text; a second dollar sign escapes it.
var variable = regexp.MustCompile(`\$?\$\{([^{}]*)\}`)

const argumentPrefix = "args."

// checkVariables reports every ${...} in the texts of t that is not one of the known arguments.
func (known arguments) checkVariables(v yamlread.Value, t tree) {
	t.eachText(func(text string) {
		for _, use := range variable.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(use[0], "$$") {
				continue
			}
			path, ok := strings.CutPrefix(use[1], argumentPrefix)
			if !ok || path == "" {
				v.Errorf("unknown variable %q, expected ${args.NAME}; $%s stands for the text itself", clip(use[0]), clip(use[0]))
				continue
			}
			if !known.allows(path) {
				v.Errorf("%q is not an argument%s", clip(path), known.hint(path))
			}
		}
	})
}

// arguments are the names that a tool or a prompt declares; nil if any name may be given.
type arguments []string

func (known arguments) allows(path string) bool {
	first, _, _ := strings.Cut(path, ".")
	return known == nil || slices.Contains(known, path) || slices.Contains(known, first)
}

// hint returns a hint at the argument that a wrong name may mean.
func (known arguments) hint(name string) string {
	if hint := source.DidYouMean(clip(name), known); hint != "" {
		return hint
	}
	if len(known) == 0 {
		return ", expected none"
	}
	return ", expected one of " + clip(strings.Join(known, ", "))
}

// maxAnswer is the greatest size, in bytes, of an answer's texts with their arguments, because a text can name a large argument
// many times.
const maxAnswer = 16 << 20

var errAnswerSize = errors.New("the arguments make the answer larger than 16 MiB")

// expansion replaces variables in texts by the arguments of one call.
type expansion struct {
	args map[string]any
	size int // bytes, so far
	err  error
}

// expand returns a text with each ${args.x} replaced by the argument: a text as it is, any other value as JSON, and a missing argument
// as an empty text.
func (e *expansion) expand(text string) string {
	return variable.ReplaceAllStringFunc(text, func(use string) string {
		if escaped, ok := strings.CutPrefix(use, "$$"); ok {
			return "$" + escaped
		}
		if e.err != nil {
			return ""
		}
		path := strings.TrimPrefix(strings.TrimSuffix(strings.TrimPrefix(use, "${"), "}"), argumentPrefix)
		value := argumentText(e.args, path)
		e.size += len(value)
		if e.size > maxAnswer {
			e.err = errAnswerSize
			return ""
		}
		return value
	})
}

func argumentText(args map[string]any, path string) string {
	value, ok := lookup(args, path)
	if !ok {
		return ""
	}
	if text, ok := value.(string); ok {
		return text
	}
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return ""
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// clip shortens a long value for messages.
func clip(text string) string {
	const maxLength = 60
	if runes := []rune(text); len(runes) > maxLength {
		return string(runes[:maxLength]) + "…"
	}
	return text
}
