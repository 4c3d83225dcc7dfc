package annotate

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/shard"
	"github.com/sethvargo/go-githubactions"
)

// The values of the inputs with a fixed choice.
const (
	Replay = "replay"
	Live   = "live"
	Record = "record"

	BaselineAuto = "auto"
	BaselineNone = "none"

	FailOnGate       = "gate"
	FailOnRegression = "regression"
	FailOnNever      = "never"

	StaleNone     = "false"
	StaleAffected = "affected"
	StaleAny      = "any"

	LiveFromHead  = "head"
	LiveFromBase  = "base"
	GatesFromHead = "head"
	GatesFromBase = "base"

	AnnotateNew  = "new"
	AnnotateAll  = "all"
	AnnotateNone = "none"

	AnnotateAtSource  = "source"
	AnnotateAtCatalog = "catalog"

	CommentAlways   = "always"
	CommentChanges  = "changes"
	CommentFailures = "failures"
	CommentOff      = "off"

	checkOff = "off"
)

var boolValues = []string{"true", "false"}

// Inputs are the checked inputs of the action.
type Inputs struct {
	Suites           []string // paths and globs relative to WorkingDirectory; if empty, the usual places are searched
	Mode             string
	Jobs             int            // 1 to 64
	WorkingDirectory string         // clean path relative to the workspace, "." for the workspace itself
	Filter           *regexp.Regexp // nil if there is none
	Tags             []string
	SkipForeign      bool
	Affected         bool
	History          bool            // the comment draws the history of figures
	Shard            *shard.Division // nil means that all cases are checked
	ShardBy          string          // clean path, relative to the workspace, of the report that balances shards; "" for none
	Merge            []string        // paths and globs, relative to the workspace, of the reports of shards; if empty, the suites are checked
	Baseline         string          // BaselineAuto, BaselineNone, a path, or a git revision; never begins with a dash
	FailOn           string
	FailOnWeakened   bool
	FailOnBreaking   bool
	FailOnStale      string
	GatesFrom        string
	LiveFrom         string
	Annotations      string
	AnnotateAt       string
	MaxAnnotations   int // 0 to 1000
	Comment          string
	CommentKey       string // "" if it is to be derived
	CheckName        string // "" if no check run is wanted
	Summary          bool
	Report           string // clean path relative to the workspace
	Formats          []Format
	Token            string // "" if there is none
	Matrix           Matrix
}

// Format is an additional file of the report.
type Format struct{ Name, Path string } // Path is clean and relative to the workspace

const (
	maxQuoted      = 200   // bytes of a value that a message quotes
	maxAnnotations = 1_000 // one request takes 50 of them
	maxJobs        = 64
)

// ReadInputs reads the inputs from the environment of an action. A missing or empty input has its default, because the runner
// passes the same value for both. The error joins one error for each mistake.
func ReadInputs(getenv func(string) string) (Inputs, error) {
	r := inputReader{
		action:    githubactions.New(githubactions.WithGetenv(getenv)),
		workspace: getenv("GITHUB_WORKSPACE"),
	}
	in := Inputs{
		Suites:           r.patterns("suite"),
		Mode:             r.choice("mode"),
		Jobs:             r.int("jobs", 1, maxJobs),
		WorkingDirectory: r.path("working-directory"),
		Filter:           r.regexp("filter"),
		Tags:             r.list("tags"),
		SkipForeign:      r.bool("skip-foreign"),
		Affected:         r.bool("affected"),
		History:          r.bool("history"),
		Shard:            r.shard("shard"),
		ShardBy:          r.optionalPath("shard-by"),
		Merge:            r.patterns("merge"),
		Baseline:         r.baseline("baseline"),
		FailOn:           r.choice("fail-on"),
		FailOnWeakened:   r.bool("fail-on-weakened"),
		FailOnBreaking:   r.bool("fail-on-breaking"),
		FailOnStale:      r.choice("fail-on-stale"),
		GatesFrom:        r.choice("gates-from"),
		LiveFrom:         r.choice("live-from"),
		Annotations:      r.choice("annotations"),
		AnnotateAt:       r.choice("annotate-at"),
		MaxAnnotations:   r.int("max-annotations", 0, maxAnnotations),
		Comment:          r.choice("comment"),
		CommentKey:       r.name("comment-key"),
		CheckName:        r.name("check-name"),
		Summary:          r.bool("summary"),
		Report:           r.path("report"),
		Formats:          r.formats("formats"),
		Token:            r.token("github-token"),
		Matrix:           r.matrix("matrix"),
	}
	if r.action.GetInput("judge-run") != "" {
		r.mistakes = append(r.mistakes, errors.New(`input "judge-run" does not exist: one run is judged alone by hand, with "mcp-gates run --judge-run N"`))
	}
	if in.CheckName == checkOff {
		in.CheckName = ""
	}
	r.checkShards(&in)
	needsBaseline := in.GatesFrom == GatesFromBase || in.LiveFrom == LiveFromBase || in.FailOnWeakened || in.FailOnBreaking || in.Affected
	if in.Baseline == BaselineNone && needsBaseline {
		r.addMistake("baseline", `something else than "none" where gates-from or live-from is "base", or fail-on-weakened, fail-on-breaking or affected is "true"`,
			"nothing would be compared")
	}
	r.checkFiles(in)
	return in, errors.Join(r.mistakes...)
}

// inputReader reads inputs and collects their mistakes.
type inputReader struct {
	action    *githubactions.Action
	workspace string
	mistakes  []error
}

// addMistake notes a mistake; found describes the actual value.
func (r *inputReader) addMistake(name, expected, found string) {
	r.mistakes = append(r.mistakes, fmt.Errorf("input %q must be %s, but %s", name, expected, found))
}

// valueOrDefault returns the value of an input, or its default. A default that is an expression counts as empty, because only
// GitHub can evaluate it.
func (r *inputReader) valueOrDefault(name string) string {
	value := r.action.GetInput(name)
	if value == "" {
		if value = InputNamed(name).Default; strings.Contains(value, "${{") {
			return ""
		}
	}
	return value
}

func (r *inputReader) choice(name string) string {
	value := r.valueOrDefault(name)
	if value == "" {
		return ""
	}
	if err := InputNamed(name).Accepts(value); err != nil {
		r.mistakes = append(r.mistakes, fmt.Errorf("input %q %w", name, err))
	}
	return value
}

func quotedChoices(values []string) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = strconv.Quote(v)
	}
	last := len(quoted) - 1
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}

func (r *inputReader) bool(name string) bool {
	switch value := r.valueOrDefault(name); value {
	case "true", "True", "TRUE": // the spellings of YAML 1.2
		return true
	case "false", "False", "FALSE", "":
	default:
		r.addMistake(name, quotedChoices(boolValues), fmt.Sprintf("it is %q", clip(value, maxQuoted)))
	}
	return false
}

// int reads a whole number from least to most.
func (r *inputReader) int(name string, least, most int) int {
	value := r.valueOrDefault(name)
	n, err := strconv.ParseUint(value, 10, 31)
	if err != nil || int(n) < least || int(n) > most {
		r.addMistake(name, fmt.Sprintf("a whole number from %d to %d", least, most), fmt.Sprintf("it is %q", clip(value, maxQuoted)))
		return 0
	}
	return int(n)
}

func (r *inputReader) list(name string) []string {
	value := r.valueOrDefault(name)
	if bad := findInvisible(strings.ReplaceAll(strings.ReplaceAll(value, "\r", ""), "\n", "")); bad != "" {
		r.addMistake(name, "one entry a line, or entries separated by commas", bad)
		return nil
	}
	return splitList(value)
}

// splitList splits a value at line ends and at commas. It does not split at a comma in braces or brackets, because that comma
// belongs to a glob.
func splitList(value string) []string {
	depth := 0
	fields := strings.FieldsFunc(value, func(c rune) bool {
		switch c {
		case '{', '[':
			depth++
		case '}', ']':
			depth = max(depth-1, 0)
		case '\n', '\r':
			depth = 0
			return true
		}
		return c == ',' && depth == 0
	})
	var entries []string
	for _, field := range fields {
		if field = strings.TrimSpace(field); field != "" {
			entries = append(entries, field)
		}
	}
	return entries
}

func (r *inputReader) patterns(name string) []string {
	patterns := r.list(name)
	for i, pattern := range patterns {
		patterns[i] = r.inWorkspace(name, pattern)
	}
	return patterns
}

// formats reads entries FORMAT=PATH. It does not check that a format exists.
func (r *inputReader) formats(name string) []Format {
	var formats []Format
	for _, entry := range r.list(name) {
		format, path, _ := strings.Cut(entry, "=")
		if format == "" || path == "" {
			r.addMistake(name, "entries FORMAT=PATH", fmt.Sprintf("one is %q", clip(entry, maxQuoted)))
			continue
		}
		formats = append(formats, Format{format, r.inWorkspace(name, path)})
	}
	return formats
}

// checkFiles rejects a folder as the path of a report, and two reports with the same path.
func (r *inputReader) checkFiles(in Inputs) {
	if in.Report == "." {
		r.addMistake("report", "the path of a file in the workspace", "is a folder")
	}
	taken := []string{in.Report}
	for _, f := range in.Formats {
		switch {
		case f.Path == ".":
			r.addMistake("formats", "entries FORMAT=PATH with the path of a file", fmt.Sprintf("that of %q is a folder", clip(f.Name, maxQuoted)))
		case f.Path != "" && slices.Contains(taken, f.Path):
			r.addMistake("formats", "entries with a path of their own", fmt.Sprintf("two files are written to %q", clip(f.Path, maxQuoted)))
		}
		taken = append(taken, f.Path)
	}
}

func (r *inputReader) path(name string) string {
	value := r.valueOrDefault(name)
	if bad := findInvisible(value); bad != "" {
		r.addMistake(name, "a path in the workspace", bad)
		return ""
	}
	return r.inWorkspace(name, value)
}

// inWorkspace returns the clean form of a path or glob; "" if it is wrong. An absolute path must be in the workspace.
func (r *inputReader) inWorkspace(name, value string) string {
	clean := path.Clean(value)
	if path.IsAbs(clean) {
		inside, ok := "", false
		if r.workspace != "" {
			inside, ok = strings.CutPrefix(clean+"/", path.Clean(r.workspace)+"/")
		}
		if !ok {
			r.addMistake(name, "a path in the workspace", fmt.Sprintf("%q is absolute", clip(value, maxQuoted)))
			return ""
		}
		clean = path.Clean("./" + inside) // "." for the workspace itself
	}
	if clean == ".." || strings.HasPrefix(clean, "../") {
		r.addMistake(name, "a path in the workspace", fmt.Sprintf("%q leads out of it", clip(value, maxQuoted)))
		return ""
	}
	return clean
}

func (r *inputReader) regexp(name string) *regexp.Regexp {
	value := r.valueOrDefault(name)
	if value == "" {
		return nil
	}
	re, err := regexp.Compile(value)
	if err != nil {
		r.addMistake(name, "a regular expression (RE2)", err.Error())
	}
	return re
}

// baseline reads the baseline. It rejects a value that git could read as an option.
func (r *inputReader) baseline(name string) string {
	value := r.valueOrDefault(name)
	bad := findInvisible(value)
	if bad == "" && strings.HasPrefix(value, "-") {
		bad = fmt.Sprintf("%q begins with a dash", clip(value, maxQuoted))
	}
	if value == baseline.FilePrefix {
		bad = fmt.Sprintf("%q names no file", value)
	}
	if bad != "" {
		r.addMistake(name, `"auto", "none", a git ref or SHA, or a path`, bad)
		return BaselineNone
	}
	return value
}

func (r *inputReader) name(name string) string {
	value := r.valueOrDefault(name)
	if bad := findInvisible(value); bad != "" {
		r.addMistake(name, "one line of visible text", bad)
		return ""
	}
	return value
}

// findInvisible returns the mistake in a value that is not one line of visible text; "" if there is none.
func findInvisible(value string) string {
	for _, c := range value {
		if !unicode.IsPrint(c) || c == unicode.ReplacementChar {
			return fmt.Sprintf("%q holds %q", clip(value, maxQuoted), c)
		}
	}
	return ""
}

// token reads a token. Its message does not repeat the value, because logs are public.
func (r *inputReader) token(name string) string {
	value := r.valueOrDefault(name)
	if strings.ContainsFunc(value, func(c rune) bool { return c <= ' ' || c > '~' }) {
		r.addMistake(name, "a token", "it holds characters that no token has")
		return ""
	}
	return value
}

func (r *inputReader) matrix(name string) Matrix {
	value := r.valueOrDefault(name)
	if value == "" || value == "null" {
		return Matrix{}
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(value), &fields); err != nil {
		r.addMistake(name, "the job's matrix in JSON, as `${{ toJSON(matrix) }}` gives it", "it is something else")
		return Matrix{}
	}
	return Matrix{fields}
}
