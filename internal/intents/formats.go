package intents

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/table"
)

// Auto is the name of the format for automatic recognition.
const Auto = "auto"

// format is a kind of files that hold intents.
type format struct {
	name      string
	doc       string
	endings   []string               // endings of file names that only this format has
	looksLike func(data []byte) bool // reports whether a file without such an ending looks like this format
	read      func(*reader, []byte)
}

// formats are the formats that are read. A file has the first format with an ending of its name, otherwise the first whose
// looksLike accepts its content.
var formats = []format{
	{"jsonl", "JSON Lines: an object a line, with `query` and `gold`, or with `prompt` and `expected_tool`", []string{".jsonl", ".ndjson"}, looksLikeLines, (*reader).readLines},
	{"csv", "CSV whose columns have those names", []string{".csv"}, looksLikeCSV, (*reader).readCSV},
	{"e2e-prompts", "tables in Markdown with a column for the tool and one for the prompt, as in Azure MCP's `e2eTestPrompts.md`", []string{".md", ".markdown"}, looksLikePrompts, (*reader).readPrompts},
	{"vally", "an `eval.yaml` of Vally: the `required` tools of the grader `tool-calls`", []string{".yaml", ".yml"}, looksLikeVally, (*reader).readVally},
	{"test-cases", "a JSON list of `test_cases`, as in `evals/test_cases.json` of Apify", nil, looksLikeCases, (*reader).readCases},
}

// Formats returns the names of all formats, Auto first.
func Formats() []string {
	names := []string{Auto}
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

func formatList() string {
	names := Formats()[1:]
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// formatOf returns the format of a file: the named one, otherwise the one that is recognised; nil if there is none.
func formatOf(file string, data []byte, name string) *format {
	find := func(matches func(format) bool) *format {
		if at := slices.IndexFunc(formats, matches); at >= 0 {
			return &formats[at]
		}
		return nil
	}
	if name != Auto && name != "" {
		return find(func(f format) bool { return f.name == name })
	}
	ending := strings.ToLower(path.Ext(file))
	if f := find(func(f format) bool { return slices.Contains(f.endings, ending) }); f != nil {
		return f
	}
	return find(func(f format) bool { return f.looksLike(data) })
}

// looksLikeLines reports whether a text begins with an object on one line, and has further lines or no list of cases in this
// object.
func looksLikeLines(data []byte) bool {
	line, rest, _ := bytes.Cut(bytes.TrimSpace(data), []byte("\n"))
	first := jsontext.Value(bytes.TrimSpace(line))
	isObject := first.IsValid() && first.Kind() == '{'
	hasMoreLines := len(bytes.TrimSpace(rest)) > 0
	return isObject && (hasMoreLines || !looksLikeCases(data))
}

var casesKeys = []string{"test_cases", "testCases"}

// looksLikeCases reports whether a text is JSON that begins as a list, or has a key for such a list.
func looksLikeCases(data []byte) bool {
	data = bytes.TrimSpace(data)
	if bytes.HasPrefix(data, []byte("[")) {
		return true
	}
	hasKey := func(key string) bool { return bytes.Contains(data, []byte(`"`+key+`"`)) }
	return bytes.HasPrefix(data, []byte("{")) && slices.ContainsFunc(casesKeys, hasKey)
}

func looksLikePrompts(data []byte) bool { return separatorLine.Match(data) }

var (
	separatorLine = regexp.MustCompile(`(?m)^[ \t]*\|[ \t]*:?-+:?[ \t]*\|`)
	stimuli       = regexp.MustCompile(`(?m)^stimuli[ \t]*:`)
)

func looksLikeVally(data []byte) bool { return stimuli.Match(data) }

func looksLikeCSV(data []byte) bool {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	cells := strings.Split(strings.TrimSpace(string(line)), ",")
	for i := range cells {
		cells[i] = strings.Trim(strings.TrimSpace(cells[i]), `"`)
	}
	has := func(names []string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(cells, name) })
	}
	return has(queryColumns) && has(goldColumns)
}

func (r *reader) readLines(data []byte) { r.readTable(data, table.ReadLines) }

func (r *reader) readCSV(data []byte) { r.readTable(data, table.ReadCSV) }
