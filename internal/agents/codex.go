package agents

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Settings: https://developers.openai.com/codex/config-reference.
var codex = &Preset{
	Name: "codex", Program: "codex",
	Keys:    []string{"CODEX_API_KEY"},
	Version: []string{"codex", "--version"},
	Words: func(s Setup) []string {
		return append(append([]string{"exec", "--json", "--skip-git-repo-check"}, s.Args...), "--", s.Prompt)
	},
	Files:     func(s Setup) []File { return []File{{".codex/config.toml", codexConfig(s)}} },
	Searching: SearchesAlways,
	Deferral:  codexDeferral,
	Names:     codexNames,
	Format:    "codex",
	Session:   ".codex/sessions/*/*/*/rollout-*-%s.jsonl", // standard output lacks calls of tools that do not exist
}

// Codex offers a tool as a function in the server's namespace. The / between the two names is our notation.
var codexNames = &Naming{
	Client: "Codex", Prefix: "mcp__", Joint: "/", Keeps: "_",
	Alike:   "and adds a hash to each",
	Version: "0.169.0",
	Source:  "the program, run on 2026-11-27",
}

// codexBuiltins are the features that offer the agent's own tools.
var codexBuiltins = []string{"shell_tool", "unified_exec", "view_image", "goals", "skill_search", "tool_suggest", "image_generation"}

// codexConfig returns config.toml for a run: only the suite's servers, no approvals, and Codex's own tools only if the suite keeps
// them.
func codexConfig(s Setup) string {
	var b strings.Builder
	if s.Model != "" {
		fmt.Fprintf(&b, "model = %s\n", tomlText(s.Model))
	}
	sandbox := "read-only"
	if s.Builtins {
		sandbox = "workspace-write"
	}
	fmt.Fprintf(&b, "approval_policy = \"never\"\nsandbox_mode = %q\n", sandbox)
	b.WriteString("check_for_update_on_startup = false\nweb_search = \"disabled\"\n")
	b.WriteString("[analytics]\nenabled = false\n[feedback]\nenabled = false\n")
	if !s.Builtins {
		b.WriteString("[agents]\nenabled = false\n")
	}
	b.WriteString("[features]\nplugins = false\napps = false\n") // plugins contact other hosts
	for _, feature := range codexBuiltins {
		if !s.Builtins {
			fmt.Fprintf(&b, "%s = false\n", feature)
		}
	}
	for _, one := range s.Servers {
		// Without approval, tools that may change something are refused; required ends the run if the server does not start.
		fmt.Fprintf(&b, "[mcp_servers.%s]\nurl = %s\ndefault_tools_approval_mode = \"approve\"\nrequired = true\n", tomlText(one.Name), tomlText(one.URL))
	}
	return b.String()
}

// tomlText quotes a text as TOML, which accepts JSON's quoted texts.
func tomlText(text string) string {
	quoted, _ := jsontext.AppendQuote(nil, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.ReplaceAll(string(quoted), "\x7f", `\u007f`)
}
