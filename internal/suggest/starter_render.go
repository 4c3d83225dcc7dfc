package suggest

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/clients"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/trace"
)

// schemaAddress is the public address of the suites' schema in the newest release, which the workflow also uses.
const schemaAddress = "https://raw.githubusercontent.com/org/mcp-gates/v1/schemas/suite.json"

func (s *starting) renderSuite() []byte {
	var out bytes.Buffer
	out.WriteString("# yaml-language-server: $schema=" + schemaAddress + "\n")
	out.WriteString("# The first suite of this workspace, by mcp-gates init. Every floor holds today: read the lines, and raise them.\n")
	for _, line := range s.Left {
		fmt.Fprintf(&out, "# %s\n", report.Safe(line))
	}
	s.renderVariables(&out)
	out.WriteString("\nservers:\n")
	for _, server := range s.servers {
		server.render(&out)
	}
	s.renderQuality(&out)
	s.renderBench(&out)
	s.renderSearch(&out)
	s.renderCase(&out)
	return out.Bytes()
}

// renderVariables declares the variables in texts of servers. A variable that is a whole value of env or headers is declared there.
func (s *starting) renderVariables(out *bytes.Buffer) {
	used := map[string]clients.Part{}
	for _, server := range s.servers {
		for _, t := range append(slices.Clone(server.Command), server.URL) {
			noteVariables(used, t)
		}
		for _, setting := range append(slices.Clone(server.Env), server.Headers...) {
			if _, whole := setting.Value.Variable(); !whole {
				noteVariables(used, setting.Value)
			}
		}
	}
	if len(used) == 0 {
		return
	}
	out.WriteString("\nvariables: # of the environment, for live runs; a replay needs none\n")
	for _, name := range slices.Sorted(maps.Keys(used)) {
		fmt.Fprintf(out, "  %s: %s\n", name, valueSource(used[name]))
	}
}

// valueSource returns the source of a variable's value. A variable without a default in the client's file gets no default here, so
// that it must be set: with an empty password, a server could fail or behave differently.
func valueSource(env clients.Part) string {
	if !env.HasDefault {
		return fmt.Sprintf("{ from_env: %s }", env.Env)
	}
	return fmt.Sprintf("{ from_env: %s, default: %s }", env.Env, text(env.Default))
}

// noteVariables notes the variables of a text. If a variable is used several times, the first use with a default counts.
func noteVariables(used map[string]clients.Part, t clients.Text) {
	for _, part := range t {
		if part.Env != "" && !used[part.Env].HasDefault {
			used[part.Env] = part
		}
	}
}

func (s *starterServer) render(out *bytes.Buffer) {
	fmt.Fprintf(out, "  %s:", quote(s.Name))
	if s.From != "" {
		fmt.Fprintf(out, " # %s", report.Safe(s.From))
	}
	out.WriteByte('\n')
	if len(s.Command) > 0 {
		var words []string
		for _, word := range s.Command {
			words = append(words, expression(word))
		}
		fmt.Fprintf(out, "    command: [%s]\n", strings.Join(words, ", "))
	}
	if s.Cwd != "" && s.Cwd != "." {
		fmt.Fprintf(out, "    cwd: %s\n", text(s.Cwd))
	}
	if s.URL != nil {
		fmt.Fprintf(out, "    url: %s\n", expression(s.URL))
	}
	if s.Transport != "" {
		fmt.Fprintf(out, "    transport: %s\n", s.Transport)
	}
	renderSettings(out, "env", s.Env)
	renderSettings(out, "headers", s.Headers)
	advice := ""
	if s.isLive() && plainText.MatchString(s.Name) && !strings.Contains(s.Name, " ") {
		advice = "; again: mcp-gates snapshot --server " + report.Safe(s.Name) + " --update"
	}
	fmt.Fprintf(out, "    catalog: %s # what it advertises today%s\n", text(s.Catalog), advice)
	if len(s.source) > 0 {
		fmt.Fprintf(out, "    source: %s # the code that describes its tools\n", list(s.source))
	}
}

func renderSettings(out *bytes.Buffer, name string, settings []clients.Setting) {
	if len(settings) == 0 {
		return
	}
	fmt.Fprintf(out, "    %s:\n", name)
	for _, setting := range settings {
		value := expression(setting.Value)
		if env, whole := setting.Value.Variable(); whole {
			value = valueSource(env)
		}
		fmt.Fprintf(out, "      %s: %s\n", quote(setting.Name), value)
	}
}

func expression(t clients.Text) string {
	if len(t) == 1 && t[0].Env == "" {
		return text(t[0].Literal)
	}
	var written string
	for _, part := range t {
		if part.Env != "" {
			written += "${" + part.Env + "}"
			continue
		}
		written += unquoted(part.Literal)
	}
	return quote(written)
}

func (s *starting) renderQuality(out *bytes.Buffer) {
	heading := "\ntool_quality: # what an agent reads of the tools; mcp-gates lint explains each finding\n"
	for _, server := range s.servers {
		if len(server.Tools) == 0 {
			continue
		}
		out.WriteString(heading)
		heading = "" // only before the first entry
		fmt.Fprintf(out, "  - name: %s\n    server: %s\n", text(server.qualityName()), text(server.Name))
		if f := server.floors; f != nil {
			fmt.Fprintf(out, "    expect:\n      - min_score: { \">=\": %s } # the worst description\n      - mean_score: { \">=\": %s }\n", f.minScore, f.meanScore)
			fmt.Fprintf(out, "      - critical_count: { \"<=\": %s }\n      - surface_tokens: { \"<=\": %d } # a tenth more than today\n", f.criticals, f.surface)
		}
	}
}

func (s *starting) renderBench(out *bytes.Buffer) {
	heading := "\ntool_bench: # which tool a request leads to by its words; put what your users say in the place of these sentences\n"
	for _, server := range s.servers {
		if len(server.intents) == 0 {
			continue
		}
		out.WriteString(heading)
		heading = "" // only before the first entry
		fmt.Fprintf(out, "  - name: %s\n    server: %s\n    min_accuracy: 1\n    intents: # sentences of the descriptions, which lead to %s\n",
			text("words lead to the tools of "+server.Name), text(server.Name), ledToText(server))
		for _, i := range server.intents {
			fmt.Fprintf(out, "      - { query: %s, gold: %s }\n", text(i.query), text(i.gold.Name))
		}
	}
}

func ledToText(server *starterServer) string {
	led := map[*catalog.Tool]bool{}
	for _, i := range server.intents {
		led[i.gold] = true
	}
	return fmt.Sprintf("%d of %s", len(led), judge.CountOf(len(server.Tools), "tool"))
}

func (s *starting) renderCase(out *bytes.Buffer) {
	c := s.recordedCase
	if c == nil {
		return
	}
	fmt.Fprintf(out, "\nagents: # recorded runs; again, with your model and its key: mcp-gates run --record\n  - name: %s\n", text(c.name()))
	fmt.Fprintf(out, "    model: %q # picks tools by their words, and needs no key: put the name of your model here\n", trace.ModelLexical)
	fmt.Fprintf(out, "    servers: [%s]\n    prompt: %s\n", text(c.server.Name), text(c.prompt()))
	fmt.Fprintf(out, "    tool_selection:\n      expected_tool: %s\n      min_selection_rate: 1\n", text(c.server.Name+"."+c.intent.gold.Name))
	out.WriteString("    limits:\n      max_errors: 0\n")
}
