package report_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/annotation"
	"github.com/org/mcp-gates/internal/report/html"
)

// BenchmarkManyCatalogs writes reports of many catalogs and cases.
func BenchmarkManyCatalogs(b *testing.B) {
	r := &report.Report{}
	for i := range 5_000 {
		r.Cases = append(r.Cases, report.Case{Suite: fmt.Sprintf("suites/%d.yml", i%50)})
	}
	for i := range 3_000 {
		r.Catalogs = append(r.Catalogs, report.Catalog{Path: fmt.Sprintf("catalogs/%d.json", i)})
	}
	for b.Loop() {
		annotation.Of(r, annotation.Options{})
		if err := html.Report(io.Discard, r, html.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestSuites pins which paths are those of suites.
func TestSuites(t *testing.T) {
	r := &report.Report{Cases: []report.Case{{Suite: "a.yml"}, {Suite: "b.yml"}, {Suite: "a.yml"}}}
	if got := r.Suites(); len(got) != 2 || !got["a.yml"] || !got["b.yml"] || got["c.yml"] {
		t.Errorf("got %v, want a.yml and b.yml", got)
	}
}
