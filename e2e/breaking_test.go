package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/org/mcp-gates/e2e/github"
	"github.com/org/mcp-gates/e2e/repo"
)

func TestBreaking(t *testing.T) {
	play(t, []scenario{
		{"an argument newly required", newlyRequired},
		{"a removed tool", toolRemoved},
		{"a snapshot that is gone", snapshotGone},
		{"a removed tool with a hostile name", hostileToolRemoved},
		{"a saved report", breaksUnsaid},
		{"a base that cannot be read", breaksUnseen},
		{"no baseline", breaksUnasked},
	})
}

// callers are files whose one case passes whatever becomes of the tools that it does not call.
func callers() repo.Files {
	return softBase().With(soft(`tool_selection: {expected_tool: search, min_selection_rate: 0.1}`))
}

// strict returns a job that refuses what breaks callers and forgives gates that fail.
func (w *world) strict(o *outcome) *outcome {
	w.Helper()
	w.lacks("the title", o.check().Title, "breaking change")
	j := w.job()
	j.Inputs["fail-on-breaking"], j.Inputs["fail-on"] = "true", "never"
	o = w.run(j, 1)
	w.says("the title", o.check().Title, "1 case passed, 1 change breaks callers, refused by fail-on-breaking")
	w.says("the errors", strings.Join(o.Annotations(), "\n"), "error : The change breaks callers, which fail-on-breaking does not allow: web.")
	return o
}

func newlyRequired(w *world) {
	tools := strings.Replace(softTools, `{"q": {"type": "string"}}`, `{"q": {"type": "string"}}, "required": ["q"]`, 1)
	w.open(callers(), callers().With(repo.Files{"web.json": tools}))
	o := w.run(w.job(), 0)
	w.at(o, "web.json:2 warning breaks callers: search")
	w.at(w.strict(o), "web.json:2 failure breaks callers: search")
}

func toolRemoved(w *world) {
	tools := strings.Replace(softTools, ",\n  {\"name\": \"note\", \"description\": \"Keep a note.\"}", "", 1)
	w.open(callers(), callers().With(repo.Files{"web.json": tools}))
	o := w.run(w.job(), 0)
	w.at(o, "web.json:1 warning breaks callers: note")
	w.at(w.strict(o), "web.json:1 failure breaks callers: note")
}

// Another snapshot has tools of the server, so that the tools of the first are gone.
func snapshotGone(w *world) {
	suite := softSuite(`tool_selection: {expected_tool: search, min_selection_rate: 0.1}`)
	moved := strings.Replace(softTools, ",\n  {\"name\": \"note\", \"description\": \"Keep a note.\"}", "", 1)
	w.open(callers(), callers().With(repo.Files{
		"web.json": "", "new.json": moved, "mcp-gates.yml": strings.Replace(suite, "web.json", "new.json", 1),
	}))
	o := w.strict(w.run(w.job(), 0))
	w.lacks("the annotations", titles(o.check()), "breaks callers")
}

func hostileToolRemoved(w *world) {
	const evil = `::error::x\"><img src=x>` // as JSON has it
	tools := strings.Replace(softTools, "note", evil, 1)
	w.open(callers().With(repo.Files{"web.json": tools}), callers().With(repo.Files{
		"web.json": strings.Replace(softTools, ",\n  {\"name\": \"note\", \"description\": \"Keep a note.\"}", "", 1),
	}))
	o := w.strict(w.run(w.job(), 0))
	w.at(o, `web.json:1 failure breaks callers: ::error::x"><img src=x>`)
	w.restrict(readOnly)
	j := w.job()
	j.Inputs["fail-on-breaking"] = "true"
	o = w.run(j, 1) // and what always holds: no command but ours, and no picture
	w.says("the commands", strings.Join(o.Annotations(), "\n"), `error breaks callers: ::error::x"><img src=x>: `)
}

func breaksUnsaid(w *world) {
	w.open(callers(), callers().With(repo.Files{"README.md": "# Tools"}))
	j := w.job()
	j.Inputs["fail-on-breaking"], j.Inputs["baseline"] = "true", "file:saved.json"
	if err := os.WriteFile(filepath.Join(j.Workspace, "saved.json"), []byte(w.report(callers())), 0o666); err != nil {
		w.Fatal(err)
	}
	o := w.run(j, 3)
	w.says("the errors", strings.Join(o.Annotations(), "\n"), "error ", `the saved report "saved.json" does not hold descriptions and schemas`)
	w.says("the title", o.check().Title, "unknown breaking changes, 1 case passed")
}

func breaksUnseen(w *world) {
	w.open(callers(), callers().With(repo.Files{"README.md": "# Tools"}))
	w.hub.Fail(github.Fault{Operation: "git/get-tree", Times: -1, Status: 404, Message: "Not Found"})
	j := w.job()
	j.Inputs["fail-on-breaking"], j.Inputs["fail-on"] = "true", "never"
	o := w.run(j, 3)
	w.says("the errors", strings.Join(o.Annotations(), "\n"), "error ", "fail-on-breaking asks for: the base could not be read")
}

func breaksUnasked(w *world) {
	w.open(callers(), callers().With(repo.Files{"README.md": "# Tools"}))
	j := w.job()
	j.Inputs["fail-on-breaking"], j.Inputs["baseline"] = "true", "none"
	o := w.run(j, 2)
	w.says("the errors", strings.Join(o.Annotations(), "\n"), `input "baseline" must be something else than "none"`)
}

// at fails the test unless the check run has the annotation, as PATH:LINE LEVEL TITLE.
func (w *world) at(o *outcome, want ...string) {
	w.Helper()
	var list []string
	for _, a := range o.check().Annotations {
		list = append(list, fmt.Sprintf("%s:%d %s %s", a.Path, a.StartLine, a.AnnotationLevel, a.Title))
	}
	w.says("the check run", strings.Join(list, "\n")+"\n", lineEnds(want)...)
}

func lineEnds(lines []string) []string {
	var ended []string
	for _, line := range lines {
		ended = append(ended, line+"\n")
	}
	return ended
}
