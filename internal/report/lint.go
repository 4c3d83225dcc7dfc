package report

import (
	"io"

	"github.com/org/mcp-gates/internal/judge"
)

// LintVersion is that of the JSON forms of [Lint] and [LintDiff].
const LintVersion = 1

// FailLevel says which findings make a lint fail.
type FailLevel string

// The levels: findings that are critical, any finding, none.
const (
	FailCritical FailLevel = "critical"
	FailWarning  FailLevel = "warning"
	FailNever    FailLevel = "never"
)

// FailLevels lists the levels, the default first.
var FailLevels = []FailLevel{FailCritical, FailWarning, FailNever}

// Fails reports whether a finding of the severity makes a lint fail.
func (l FailLevel) Fails(severity string) bool {
	switch severity {
	case "critical":
		return l != FailNever
	case "warning":
		return l == FailWarning
	}
	return false
}

// Lint is what the description rules found in some catalogs.
type Lint struct {
	Version   int           `json:"lint"`
	Tool      Tool          `json:"tool"`
	FailLevel FailLevel     `json:"fail_level"`
	Verdict   judge.Verdict `json:"verdict"` // pass or fail
	Catalogs  []Catalog     `json:"catalogs"`
	Counted   bool          `json:"-"` // the catalogs' tokens are known
}

// NewLint returns the findings of catalogs, judged.
func NewLint(tool Tool, level FailLevel, catalogs []Catalog) *Lint {
	l := &Lint{Version: LintVersion, Tool: tool, FailLevel: level, Verdict: judge.Pass, Catalogs: catalogs}
	for _, c := range catalogs {
		for _, f := range c.Findings {
			if level.Fails(f.Severity) {
				l.Verdict = judge.Fail
			}
		}
	}
	return l
}

// The JSON form of a lint in which tokens may be absent.
type (
	uncountedLint struct {
		Lint
		Catalogs []uncountedCatalog `json:"catalogs"`
	}
	uncountedCatalog struct {
		Catalog
		SurfaceTokens *int64          `json:"surface_tokens"`
		Tools         []uncountedTool `json:"tools"`
	}
	uncountedTool struct {
		CatalogTool
		Tokens *int `json:"tokens"`
	}
)

// LintJSON writes a lint as [JSON] does. Its catalogs have the form that they have in a [Report]; tokens that were not
// counted are null.
func LintJSON(w io.Writer, l *Lint) error {
	if l.Counted {
		return JSON(w, l)
	}
	out := uncountedLint{Lint: *l, Catalogs: make([]uncountedCatalog, len(l.Catalogs))}
	for i, c := range l.Catalogs {
		tools := make([]uncountedTool, len(c.Tools))
		for j, t := range c.Tools {
			tools[j] = uncountedTool{CatalogTool: t}
		}
		out.Catalogs[i] = uncountedCatalog{Catalog: c, Tools: tools}
	}
	return JSON(w, out)
}
