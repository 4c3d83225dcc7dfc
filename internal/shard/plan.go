package shard

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
)

// Plan describes the check that all shards share: its cases, and the files that determine how they are judged.
type Plan struct {
	Version   string // version of the program
	Build     string // build of the program, in the form of [report.Tool]; not part of the hash, because an unknown build can be any build
	Mode      string // report.Replay or report.Live
	Selection report.Selection
	Files     []File   // the suites and the catalogs that they name
	Cases     []string // suite and id of each case, in the form of [CaseKey]
}

func (p *Plan) tool() report.Tool {
	return report.Tool{Name: "mcp-gates", Version: p.Version, Build: p.Build}
}

// File is a file that determines how cases are judged.
type File struct{ Path, SHA256 string }

// CaseKey identifies a case, because several suites can have the same ids.
func CaseKey(suite, id string) string { return suite + "\n" + id }

// SHA256 returns the hash of the plan, in hexadecimal digits. The order of files and cases does not matter.
func (p *Plan) SHA256() string {
	sum := sha256.New()
	writeLines(sum, "plan 1", p.Version, p.Mode)
	s := p.Selection
	writeLines(sum, "fail-on-stale", s.FailOnStale)
	if s.SkipForeign {
		writeLines(sum, "skip-foreign")
	}
	if s.ByBase {
		writeLines(sum, "by-base")
	}
	if s.Affected {
		writeLines(sum, "affected")
	}
	writeLines(sum, "by", s.By)
	writeLines(sum, "base", s.Base)
	lines := lists.Map(p.Files, func(f File) string { return fmt.Sprintf("file %q %s", f.Path, f.SHA256) })
	for _, key := range p.Cases {
		lines = append(lines, fmt.Sprintf("case %q", key))
	}
	slices.Sort(lines)
	writeLines(sum, lines...)
	return hex.EncodeToString(sum.Sum(nil))
}

// writeLines adds texts to a hash, each as a quoted line.
func writeLines(sum hash.Hash, texts ...string) {
	for _, text := range texts {
		fmt.Fprintf(sum, "%q\n", text) // a hash never fails
	}
}
