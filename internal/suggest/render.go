package suggest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/imports"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
)

// FirstLine is the first line of every draft, which distinguishes it from a handwritten suite.
const FirstLine = "# A draft by mcp-gates import --suggest"

func (d *drafting) renderSuite() []byte {
	var out bytes.Buffer
	runs := 0
	for _, c := range d.cases {
		runs += c.item.Group.Runs
	}
	fmt.Fprintf(&out, "%s, from %s. Every floor holds today.\n", FirstLine, judge.CountOf(runs, "run"))
	out.WriteString(d.advice())
	for _, line := range d.Left {
		fmt.Fprintf(&out, "# %s\n", report.Safe(line))
	}
	d.renderServers(&out)
	out.WriteString("\nagents:\n")
	for i, c := range d.cases {
		if i > 0 {
			out.WriteByte('\n')
		}
		c.render(&out)
	}
	return out.Bytes()
}

// DraftName is the name of a draft's file beside imported cassettes.
const DraftName = "mcp-gates.suggested.yml"

func (d *drafting) advice() string {
	if d.file != DraftName {
		return "# Read it, above all the lines marked \"review\".\n"
	}
	return "# Read it, above all the lines marked \"review\", and rename it: the next import --suggest replaces this file.\n"
}

// renderServers writes the servers. It writes no key catalog for them, because their current tools are unknown.
func (d *drafting) renderServers(out *bytes.Buffer) {
	var servers []string
	for _, c := range d.cases {
		servers = append(servers, c.servers...)
	}
	slices.Sort(servers)
	servers = slices.Compact(servers)
	if len(servers) == 0 {
		return
	}
	out.WriteString("servers: # \"mcp-gates snapshot\" saves the tools that a server advertises, for its catalog:\n")
	for _, server := range servers {
		fmt.Fprintf(out, "  %s: {}\n", quote(server))
	}
}

func (c *draftCase) render(out *bytes.Buffer) {
	g := c.item.Group
	fmt.Fprintf(out, "  - name: %s\n", text(c.name))
	if isName(g.Model) {
		fmt.Fprintf(out, "    model: %s\n", text(g.Model))
	}
	if len(c.servers) > 0 {
		fmt.Fprintf(out, "    servers: %s\n", list(c.servers))
	}
	switch {
	case c.hasPrompt && g.System.Whole != "":
		fmt.Fprintf(out, "    system_prompt: %s\n    prompt: %s\n", text(g.System.Whole), text(g.Prompt.Whole))
	case c.hasPrompt:
		fmt.Fprintf(out, "    prompt: %s\n", text(g.Prompt.Whole))
	case g.Prompt.SHA256 != "":
		c.renderPrompt(out)
	}
	fmt.Fprintf(out, "    runs: %d\n", g.Runs)
	if g.Broken > 0 {
		fmt.Fprintf(out, "    allow_run_errors: %d # review: so many runs did not come to their end\n", g.Broken)
	}
	fmt.Fprintf(out, "    cassette: %s\n", text(c.item.Cassette))
	c.renderClasses(out)
	c.renderSelection(out)
}

// renderPrompt writes the user's message as a comment, if the prompt or the system prompt is too long for a key.
func (c *draftCase) renderPrompt(out *bytes.Buffer) {
	g := c.item.Group
	fmt.Fprintf(out, "    # prompt: %s\n", report.Safe(source.Shorten(g.Prompt.Head, maxComment)))
	for _, one := range []struct {
		what string
		text imports.PromptText
	}{{"the prompt", g.Prompt}, {"its system prompt", g.System}} {
		if one.text.SHA256 != "" && (one.text.Whole == "" || c.hasNoRoom) {
			fmt.Fprintf(out, "    # %s has %s, too many to be here\n", one.what, judge.CountOf(one.text.Bytes, "byte"))
		}
	}
}

// maxComment bounds the characters of a prompt in a comment.
const maxComment = 100

func (c *draftCase) renderClasses(out *bytes.Buffer) {
	g := c.item.Group
	out.WriteString("    equal_function_sets:\n      classes:\n")
	for _, class := range c.classes {
		var members []string
		for _, tool := range class.members {
			members = append(members, g.Tools[tool].ID())
		}
		ended := g.Runs - g.Broken
		note := fmt.Sprintf("in %d of %s", class.runs, judge.CountOf(ended, "run"))
		if class.reason != "" {
			note += "; review: one class, because " + class.reason
		}
		if class.runs < ended {
			note += "; review: is it needed?"
		}
		fmt.Fprintf(out, "        - name: %s\n          members: %s # %s\n", text(class.name), list(members), note)
	}
	for _, m := range c.mistakenTools {
		fmt.Fprintf(out, "        # no class: %s, because %s\n", report.Safe(g.Tools[m.tool].ID()), m.reason)
	}
	fmt.Fprintf(out, "      expect:\n        - %s: { \">=\": %d } # review\n", f1Target, c.f1)
}

func (c *draftCase) renderSelection(out *bytes.Buffer) {
	g := c.item.Group
	note := fmt.Sprintf("# review: the most of today is %d", g.MaxTokens.N)
	if c.alwaysUsedTool >= 0 {
		fmt.Fprintf(out, "    tool_selection: # every run used it\n      expected_tool: %s\n      min_selection_rate: %d%% # review\n", text(g.Tools[c.alwaysUsedTool].ID()), c.rate)
		if c.budget > 0 {
			fmt.Fprintf(out, "      max_total_tokens: %d %s\n", c.budget, note)
		}
		return
	}
	if c.budget > 0 {
		fmt.Fprintf(out, "    expect: # of every run\n      - conversation.tokens.total: { \"<=\": %d } %s\n", c.budget, note)
	}
}

func list(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = text(name)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
