package agents

import (
	"regexp"
	"strings"
)

// Flags: https://code.claude.com/docs/en/cli-reference, variables: https://code.claude.com/docs/en/settings.
var claudeCode = &Preset{
	Name: "claude-code", Program: "claude",
	Keys:    []string{"ANTHROPIC_API_KEY"},
	Version: []string{"claude", "--version"},
	Words:   claudeWords,
	Env: func(Setup) []string {
		return []string{
			"ENABLE_TOOL_SEARCH=false", // otherwise the servers' tools are not offered until they are searched for
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1", "DISABLE_AUTOUPDATER=1",
			"CLAUDE_CODE_MAX_RETRIES=2", // 10, the default, takes minutes, for a wrong key too
		}
	},
	Format: "claude-code",
}

// claudeOwn are the agent's own tools that are approved where they are on.
const claudeOwn = "Bash,Edit,Glob,Grep,NotebookEdit,Read,Task,TodoWrite,WebFetch,WebSearch,Write"

func claudeWords(s Setup) []string {
	words := []string{"-p", "--output-format", "stream-json", "--verbose"}
	if s.Model != "" {
		words = append(words, "--model", s.Model)
	}
	words = append(words, "--mcp-config", s.ConfigFile, "--strict-mcp-config", "--setting-sources", "")
	var allowed []string
	for _, one := range s.Servers {
		allowed = append(allowed, "mcp__"+notInClaude.ReplaceAllString(one.Name, "_"))
	}
	if s.Builtins {
		allowed = append(allowed, claudeOwn)
	} else {
		words = append(words, "--tools", "")
	}
	words = append(append(words, "--allowedTools", strings.Join(allowed, ",")), s.Args...)
	return append(words, "--", s.Prompt)
}

// notInClaude are the characters of a server's name that Claude Code writes as _.
var notInClaude = regexp.MustCompile(`[^A-Za-z0-9_-]`)
