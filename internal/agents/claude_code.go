package agents

import (
	"strconv"
	"strings"
)

// Flags: https://code.claude.com/docs/en/cli-reference, variables: https://code.claude.com/docs/en/settings.
var claudeCode = &Preset{
	Name: "claude-code", Program: "claude",
	Keys:    []string{"ANTHROPIC_API_KEY"},
	Version: []string{"claude", "--version"},
	Words:   claudeWords,
	Env: func(s Setup) []string {
		return []string{
			"ENABLE_TOOL_SEARCH=" + strconv.FormatBool(s.ToolSearch), // if it is not set, servers' tools are offered only after a search
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1", "DISABLE_AUTOUPDATER=1",
			"CLAUDE_CODE_MAX_RETRIES=2", // the default of 10 takes minutes, even for a wrong key
		}
	},
	Searching: SearchesAsked,
	Deferral:  claudeDeferral,
	Names:     claudeNames,
	Format:    "claude-code",
}

// The program does not shorten names, but Anthropic's API refuses names of more than 64 characters, also in the results
// of its tool search ("tool_reference.tool_name: String should have at most 64 characters",
// https://github.com/anthropics/claude-code/issues/22327, 2026-02-01).
var claudeNames = &Naming{
	Client: "Claude Code", Prefix: "mcp__", Joint: "__", Keeps: "_-",
	Longest: LongestFunctionName, TooLong: "of which Anthropic's API takes at most",
	Searches: 4096,
	Version:  "2.1.330",
	Source: "the program, run on 2026-11-23; the length: [Anthropic's reference]" +
		"(https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools), of which a copy was read on 2026-11-27",
}

// claudeBuiltins are the agent's own tools that are approved if Setup.Builtins is set.
const claudeBuiltins = "Bash,Edit,Glob,Grep,NotebookEdit,Read,Task,TodoWrite,WebFetch,WebSearch,Write"

// claudeSearch is the tool that searches for deferred tools. The program treats it as one of its own tools.
const claudeSearch = "ToolSearch"

// claudeWords returns the arguments of a run. They enable only the suite's servers. Of the agent's own tools, they enable all if
// s.Builtins is set, otherwise only the search for tools if s.ToolSearch is set.
func claudeWords(s Setup) []string {
	words := []string{"-p", "--output-format", "stream-json", "--verbose"}
	if s.Model != "" {
		words = append(words, "--model", s.Model)
	}
	words = append(words, "--mcp-config", s.ConfigFile, "--strict-mcp-config", "--setting-sources", "")
	var allowed []string
	for _, one := range s.Servers {
		allowed = append(allowed, claudeNames.Prefix+claudeNames.Plain(one.Name))
	}
	builtins := ""
	if s.ToolSearch {
		builtins = claudeSearch
		allowed = append(allowed, claudeSearch)
	}
	if s.Builtins {
		allowed = append(allowed, claudeBuiltins)
	} else {
		words = append(words, "--tools", builtins)
	}
	words = append(append(words, "--allowedTools", strings.Join(allowed, ",")), s.Args...)
	return append(words, "--", s.Prompt)
}
