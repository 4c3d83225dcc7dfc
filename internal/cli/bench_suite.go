package cli

import (
	"fmt"
	"io"
	"io/fs"
	"math/big"

	"github.com/org/mcp-gates/internal/bench"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/tokens"
	"github.com/org/mcp-gates/internal/yamlread"
)

// isSuite reports whether a file has the key tool_bench, which specs do not have. It reports no mistakes, because loading the file
// does.
func isSuite(files fs.FS, name string) bool {
	data, err := source.ReadFile(files, name, source.MaxSuite)
	if err != nil {
		return false
	}
	var ignored source.Errors
	m := yamlread.Parse(name, data, &ignored)
	return m != nil && m.Has("tool_bench")
}

func (p *program) benchSuite(f benchFlags, files fs.FS, name string, minDrop *big.Rat) error {
	loaded, errs := suite.NewLoader(files).Load(name)
	if p.printMistakes(errs) {
		return nil
	}
	for _, warning := range loaded.Warnings {
		fmt.Fprintf(p.stderr, "%s\n", report.Safe(warning.Error()))
	}
	var results []bench.Named
	for _, c := range loaded.Cases {
		spec, ok, err := benchmarkOf(c)
		if err != nil {
			p.printMistakes(source.Errors{err})
			return nil
		}
		if !ok {
			continue
		}
		if err := checkMutations(spec, minDrop, c.Name); err != nil {
			return err
		}
		r := bench.Run(spec, tokens.Counter{})
		p.checkBounds(report.Safe(c.Name)+": ", r, spec, minDrop)
		results = append(results, bench.Named{Name: c.Name, Result: r})
	}
	if f.json {
		return writeError(bench.ListJSON(p.stdout, results, f.explain))
	}
	return writeError(writeSafe(p.stdout, func(w io.Writer) error { return writeBenchTexts(w, results, f.explain) }))
}

// benchmarkOf returns the benchmark of a case; ok is false for a case that is not a benchmark.
func benchmarkOf(c *suite.Case) (spec bench.Spec, ok bool, err *source.Error) {
	for _, check := range c.Checks {
		b, ok := check.Plan.Measurer.(gates.Benchmarker)
		if !ok {
			continue
		}
		spec := b.Benchmark()
		if spec.Catalog == nil || len(spec.Catalog.Tools) == 0 {
			return spec, false, &source.Error{Pos: c.Pos, Msg: fmt.Sprintf("%q has no catalog to try; take a snapshot of its server", c.Name)}
		}
		return spec, true, nil
	}
	return spec, false, nil
}

func writeBenchTexts(w io.Writer, results []bench.Named, explain bool) error {
	for i, r := range results {
		blankLine := ""
		if i > 0 {
			blankLine = "\n"
		}
		if _, err := fmt.Fprintf(w, "%s%s\n", blankLine, report.Safe(r.Name)); err != nil {
			return err
		}
		if err := bench.Text(w, r.Result, explain); err != nil {
			return err
		}
	}
	return nil
}
