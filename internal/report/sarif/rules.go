package sarif

import (
	"strings"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/report/annotation"
)

// rule is SARIF's reportingDescriptor.
type rule struct {
	ID            string  `json:"id"`
	Short         message `json:"shortDescription"`
	Full          message `json:"fullDescription"`
	Help          message `json:"help"`
	Configuration struct {
		Level string `json:"level"`
	} `json:"defaultConfiguration"`
	Properties struct {
		Tags []string `json:"tags"`
	} `json:"properties"`
}

// rules returns the lint rules, then a rule for each gate, then [annotation.Others]. The help of a lint rule is the page that
// --explain prints.
func rules() []rule {
	var list []rule
	for _, r := range lint.Rules {
		level := annotation.Warning
		if r.Severity == lint.Critical {
			level = annotation.Failure
		}
		page, _ := lint.Explain(r.ID)
		list = append(list, newRule(r.ID, r.Title, page, level, "lint"))
	}
	for _, g := range gates.All {
		title, prose, _ := strings.Cut(g.Doc, "\n\n")
		list = append(list, newRule(g.Name, title, prose, annotation.Failure, "gate"))
	}
	for _, o := range annotation.Others {
		list = append(list, newRule(o.ID, o.Title, o.Help, o.Level, "check"))
	}
	return list
}

func newRule(id, title, help string, level annotation.Level, tag string) rule {
	help = strings.TrimSpace(help)
	r := rule{ID: id, Short: message{Text: title}, Full: message{Text: title + "."}, Help: message{help, help}}
	r.Configuration.Level = levels[level]
	r.Properties.Tags = []string{tag}
	return r
}
