// Package sarif writes annotations as SARIF 2.1.0, which GitHub's code scanning and editors read. It takes items of package
// annotation, the worst first, and writes one run with a rule for each lint rule, each gate and each of the other rules.
//
// The format: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. GitHub's part of it:
// https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support.
package sarif

import (
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/annotation"
)

// MaxResults is the greatest number of results in a file. GitHub: "Only the top 5,000 results will be included, prioritized by
// severity."
const MaxResults = 5000

const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

type (
	log struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []run  `json:"runs"`
	}
	run struct {
		Tool struct {
			Driver driver `json:"driver"`
		} `json:"tool"`
		Invocations []invocation `json:"invocations"`
		Results     []result     `json:"results"`
	}
	driver struct {
		Name           string `json:"name"`
		Version        string `json:"version,omitempty"`
		InformationURI string `json:"informationUri"`
		Rules          []rule `json:"rules"`
	}
	invocation struct {
		Successful    bool           `json:"executionSuccessful"`
		Notifications []notification `json:"toolExecutionNotifications,omitempty"`
	}
	notification struct {
		Level   string  `json:"level"`
		Message message `json:"message"`
	}
	result struct {
		RuleID       string            `json:"ruleId"`
		Level        string            `json:"level"`
		Message      message           `json:"message"`
		Locations    []location        `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	message struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	location struct {
		Physical struct {
			Artifact artifact `json:"artifactLocation"`
			Region   *region  `json:"region,omitempty"` // nil for the file as a whole
		} `json:"physicalLocation"`
	}
	artifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	region struct {
		StartLine int `json:"startLine"`
	}
)

var levels = map[annotation.Level]string{annotation.Failure: "error", annotation.Warning: "warning", annotation.Notice: "note"}

// Report writes the items of a report as [Write] does. The run also counts as unsuccessful if something could not be evaluated
// or nothing was checked.
func Report(w io.Writer, r *report.Report, list []annotation.Item) error {
	return write(w, r.Tool, list, r.ExitStatus() <= report.ExitFail)
}

// Write writes the first [MaxResults] items with a place as results, and the number of further items as a notification. It writes
// each item without a place as a notification. If such an item is a failure, the run counts as unsuccessful.
func Write(w io.Writer, tool report.Tool, list []annotation.Item) error {
	return write(w, tool, list, true)
}

// write writes annotations as a SARIF log. An annotation without a place is a notification, because a result must have a place.
func write(w io.Writer, tool report.Tool, list []annotation.Item, successful bool) error {
	r := run{Results: []result{}, Invocations: []invocation{{Successful: successful}}}
	r.Tool.Driver = driver{
		Name: report.Safe(tool.Name), Version: report.Safe(tool.Version),
		InformationURI: "https://github.com/org/mcp-gates", Rules: rules(),
	}
	prints, left := annotation.Fingerprints(list), 0
	for i, a := range list {
		switch {
		case a.Path == "":
			r.addNotification(a.Level, a.Message)
		case len(r.Results) == MaxResults:
			left++
		default:
			r.Results = append(r.Results, resultOf(a, prints[i]))
		}
	}
	if left > 0 {
		r.addNotification(annotation.Warning, judge.CountOf(left, "more result")+" left out: a file holds 5,000")
	}
	return report.JSON(w, log{schema, "2.1.0", []run{r}})
}

func (r *run) addNotification(level annotation.Level, text string) {
	invocation := &r.Invocations[0] // there is only one
	invocation.Successful = invocation.Successful && level != annotation.Failure
	invocation.Notifications = append(invocation.Notifications, notification{levels[level], message{Text: plain(text)}})
}

func resultOf(a annotation.Item, print string) result {
	r := result{
		RuleID: report.Safe(a.Rule), Level: levels[a.Level], Message: message{Text: plain(textOf(a))},
		Locations: make([]location, 1), Fingerprints: map[string]string{"primaryLocationLineHash": print},
	}
	at := &r.Locations[0].Physical
	at.Artifact = artifactOf(a.Path)
	if a.Line > 0 {
		at.Region = &region{a.Line}
	}
	return r
}

// textOf returns the title and the message as one text. Lists of results show only its first line.
func textOf(a annotation.Item) string {
	if a.Title == "" {
		return a.Message
	}
	return a.Title + ": " + a.Message
}

// artifactOf returns the location of a file. A relative path begins at the top of the repository, which %SRCROOT% stands for. An
// absolute path becomes a file URL.
func artifactOf(name string) artifact {
	if path.IsAbs(name) {
		return artifact{URI: (&url.URL{Scheme: "file", Path: path.Clean(name)}).String()}
	}
	return artifact{(&url.URL{Path: path.Clean(name)}).String(), "%SRCROOT%"}
}

// plain returns a text without "](", because these characters would make a link of the brackets before them.
func plain(s string) string { return strings.ReplaceAll(s, "](", "] (") }
