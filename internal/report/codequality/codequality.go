// Package codequality writes annotations as a code quality report of GitLab, which merge requests show. It takes
// items of package annotation and writes one JSON list. The format:
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.
package codequality

import (
	"io"
	"strings"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/annotation"
)

type issue struct {
	Description string `json:"description"`
	Check       string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"` // 1 for the file as a whole
		} `json:"lines"`
	} `json:"location"`
}

// severities are GitLab's words for the levels of annotations. GitLab also has major and blocker.
var severities = map[annotation.Level]string{
	annotation.Failure: "critical", annotation.Warning: "minor", annotation.Notice: "info",
}

// nowhere is the path of an item without a place. GitLab drops an issue without a path.
const nowhere = "mcp-gates.yml"

// Write writes the items, in their order.
func Write(w io.Writer, list []annotation.Item) error {
	issues := make([]issue, len(list))
	prints := annotation.Fingerprints(list)
	for i, a := range list {
		one := &issues[i]
		one.Description, one.Check = describe(a), report.Safe(a.Rule)
		one.Fingerprint, one.Severity = prints[i], severities[a.Level]
		one.Location.Path = report.Safe(strings.TrimPrefix(a.Path, "./"))
		if a.Path == "" {
			one.Location.Path = nowhere
		}
		one.Location.Lines.Begin = max(a.Line, 1)
	}
	return report.JSON(w, issues)
}

func describe(a annotation.Item) string {
	text := strings.ReplaceAll(a.Message, "\n", "; ")
	if a.Title == "" {
		return text
	}
	return a.Title + ": " + text
}
