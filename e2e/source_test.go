package e2e

import (
	"strings"
	"testing"

	"github.com/org/mcp-gates/e2e/repo"
	"github.com/org/mcp-gates/e2e/runner"
)

func TestSource(t *testing.T) {
	play(t, []scenario{
		{"findings in Python and Go", foundInSource},
		{"findings in the snapshot", keptInSnapshot},
		{"a change read through the API", sourceUnseen},
		{"what breaks callers", brokenInSource},
		{"a snapshot that the change forgot", forgottenSnapshot},
		{"hostile paths", hostileSource},
	})
}

const (
	sourceTools = `{"tools": [
  {"name": "find_tickets", "description": "Search the ticket system of the company.", "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}}},
  {"name": "close_ticket", "description": "Closes a ticket for good and tells its author.", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}}}]}
`
	sourcePython = `import tickets

@mcp.tool()
def find_tickets(q: str) -> str:
    """Search the ticket system of the company."""
`
	sourceGo = `package tools

var closeTicket = mcp.Tool{
	Name: "close_ticket",
	Description: "Closes a ticket for good " +
		"and tells its author.",
}
`
	sourceSuite = `servers: {tickets: {catalog: tools.json}}
agents:
  - {name: finds, server: tickets, cassette: runs.json, tool_selection: {expected_tool: find_tickets, min_selection_rate: 0.1}}
`
)

func withSource() repo.Files {
	return repo.Files{
		"mcp-gates.yml": sourceSuite, "tools.json": sourceTools, "src/server.py": sourcePython, "pkg/close.go": sourceGo,
		"runs.json": softRuns(`{"tool_calls": [{"name": "find_tickets", "server": "tickets"}]}`),
	}
}

// found runs a job that annotates everything.
func (w *world) found(inputs ...string) *outcome {
	w.Helper()
	j := w.job()
	j.Inputs["annotations"] = "all"
	for i := 0; i < len(inputs); i += 2 {
		j.Inputs[inputs[i]] = inputs[i+1]
	}
	return w.run(j, 0)
}

func foundInSource(w *world) {
	w.open(repo.Files{"README.md": "# Tickets"}, withSource())
	o := w.found()
	w.at(o, "src/server.py:5 warning DESC-010 find_tickets", "pkg/close.go:5 warning DESC-010 close_ticket")
	for _, a := range o.check().Annotations {
		if strings.HasPrefix(a.Title, "DESC-") {
			w.says("the message", a.Message, "\nin the snapshot: tools.json:")
		}
	}
	w.restrict(readOnly)
	o = w.found()
	for _, c := range o.Commands {
		if c.Properties["title"] == "DESC-010 find_tickets" && (c.Properties["file"] != "src/server.py" || c.Properties["line"] != "5") {
			w.Errorf("the command is %+v, want it at src/server.py:5", c)
		}
	}
}

func keptInSnapshot(w *world) {
	w.open(repo.Files{"README.md": "# Tickets"}, withSource().With(repo.Files{"src/again.py": sourcePython}))
	o := w.found()
	w.at(o, "tools.json:2 warning DESC-010 find_tickets", "pkg/close.go:5 warning DESC-010 close_ticket")
	o = w.found("annotate-at", "catalog")
	w.at(o, "tools.json:2 warning DESC-010 find_tickets", "tools.json:3 warning DESC-010 close_ticket")
	w.push(withSource().With(repo.Files{
		"src/again.py":  sourcePython,
		"mcp-gates.yml": strings.Replace(sourceSuite, "tools.json", "tools.json, source: src/a*.py", 1),
	}))
	w.at(w.found(), "src/again.py:5 warning DESC-010 find_tickets", "tools.json:3 warning DESC-010 close_ticket")
}

// The workspace holds the base, whose lines are others.
func sourceUnseen(w *world) {
	w.open(withSource(), withSource().With(repo.Files{"src/server.py": "# moved\n" + sourcePython}))
	j := w.job()
	j.Event = "pull_request_target"
	j.SHA, j.Ref = w.repo.Resolve("refs/heads/main"), "refs/heads/main"
	j.Workspace = w.checkout("refs/heads/main", 1)
	j.Inputs["annotations"] = "all"
	w.at(w.run(j, 0), "tools.json:2 warning DESC-010 find_tickets")
}

func brokenInSource(w *world) {
	tools := strings.Replace(sourceTools, `{"id": {"type": "string"}}`, `{"id": {"type": "string"}}, "required": ["id"]`, 1)
	w.open(withSource(), withSource().With(repo.Files{"tools.json": tools}))
	o := w.run(w.job(), 0)
	w.at(o, "pkg/close.go:5 warning breaks callers: close_ticket")
}

// The base is read through the API, from git, and both sides through the API.
func forgottenSnapshot(w *world) {
	named := repo.Files{"mcp-gates.yml": strings.Replace(sourceSuite, "tools.json", `tools.json, source: [src, "pkg/**/*.go"]`, 1)}
	w.open(withSource().With(named), withSource().With(named).With(repo.Files{
		"src/server.py": strings.Replace(sourcePython, "company.", "company. Returns ten.", 1),
		"pkg/close.go":  strings.Replace(sourceGo, "for good \" +\n\t\t\"and", "for good and", 1),
	}))
	target := w.job()
	target.Event = "pull_request_target"
	target.SHA, target.Ref = w.repo.Resolve("refs/heads/main"), "refs/heads/main"
	target.Workspace = w.checkout("refs/heads/main", 1)
	for _, j := range []runner.Job{w.job(), w.jobWithGit(), target} {
		o := w.run(j, 0)
		w.at(o, "src/server.py:5 warning stale evidence: find_tickets")
		w.says("the title", o.check().Title, "1 case passed, a snapshot is older than the code")
		w.says("the summary", o.check().Summary, " says `Search the ticket system of the company.` of `find_tickets`, ", " does not")
		j.Inputs["fail-on-stale"] = "affected"
		w.run(j, 2)
	}
}

// A name that no language has for a tool stays at the snapshot; paths may be anything.
func hostileSource(w *world) {
	const (
		python = `src/"><img src=x>.py`
		golang = "pkg/::error::x.go"
		evil   = `{"name": "::error::x", "description": "Does something that nobody has heard of."},` + "\n  "
	)
	w.open(repo.Files{"README.md": "# Tickets"}, withSource().With(repo.Files{
		"src/server.py": "", python: sourcePython, "pkg/close.go": "", golang: sourceGo,
		"tools.json": strings.Replace(sourceTools, `{"name": "find`, evil+`{"name": "find`, 1),
	}))
	o := w.found()
	w.at(o, python+":5 warning DESC-010 find_tickets", golang+":5 warning DESC-010 close_ticket", "tools.json:2 warning DESC-010 ::error::x")
	w.restrict(readOnly)
	o = w.found() // and what always holds: no command but ours
	files := map[string]bool{}
	for _, c := range o.Commands {
		files[c.Properties["file"]] = true
	}
	if !files[python] { // of ten
		w.Errorf("commands are at %v, want one at %q", files, python)
	}
}
