package lint

import (
	"fmt"
	"slices"

	"github.com/org/mcp-gates/internal/lint/english"
)

// destructive and mutating are the verbs that begin the names of tools that change something. They leave out verbs that
// are as often nouns at the beginning of a name (set-up, order, book, post-code) or that read as often as they write
// (run, execute, sync), except those in the protocol's own examples.
var (
	destructive = []string{"clear", "delete", "destroy", "drop", "erase", "kill", "purge", "remove", "revoke", "terminate", "uninstall", "wipe"}
	mutating    = []string{
		"add", "append", "approve", "archive", "assign", "attach", "cancel", "commit", "create", "deploy", "detach",
		"disable", "edit", "enable", "grant", "insert", "install", "invite", "merge", "modify", "move", "overwrite",
		"patch", "post", "publish", "push", "put", "rename", "replace", "reset", "restore", "revert", "save", "send",
		"set", "store", "submit", "unassign", "unpublish", "update", "upload", "upsert", "write",
	}
)

func isDestructive(verb string) bool { return slices.Contains(destructive, verb) }

func isMutating(verb string) bool { return isDestructive(verb) || slices.Contains(mutating, verb) }

var unhintedMutation = &Rule{
	ID: "MCP-006", Severity: Warning, Reads: Schemas,
	Title: "the name says that the tool changes something, and its hints do not",
	Why: "The name begins with a verb such as create, update, delete, send or set. If `readOnlyHint` is true, a client calls the " +
		"tool without asking. If neither `readOnlyHint` nor `destructiveHint` is a boolean, a client cannot know what a call " +
		"does.",
	Bad: `{"name": "delete_branch", "description": "Deletes a branch of a repository.", "annotations": {"readOnlyHint": true}}`,
	Good: `{"name": "delete_branch", "description": "Deletes a branch of a repository.",
  "annotations": {"readOnlyHint": false, "destructiveHint": true}}`,
	Source: "Model Context Protocol, ToolAnnotations",
	Fix:    "declare readOnlyHint and destructiveHint of every tool that changes something",
	Trial:  Trial{Found: 209, Judged: 100, Right: 99},
	Check: func(v *View, report Report) {
		words := english.NameWords(v.Tool.Name)
		if len(words) == 0 || !isMutating(words[0]) {
			return
		}
		readOnly := v.annotations.Get("readOnlyHint")
		message := fmt.Sprintf("the name begins with %q, and readOnlyHint is true", words[0])
		if !readOnly.Is('t') {
			if readOnly.IsBool() || v.annotations.Get("destructiveHint").IsBool() {
				return
			}
			message = fmt.Sprintf("the name begins with %q, and neither readOnlyHint nor destructiveHint says what a call does", words[0])
		}
		report(Note{AtName: true, Message: message, Suggestion: "write " + annotationsFor(v.Tool.Name)})
	},
}
