package suggest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/big"
	"path"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/clients"
	"github.com/org/mcp-gates/internal/report"
)

// Served is a server whose tools were just read, or are in a catalog of the workspace.
type Served struct {
	clients.Server
	From    string          // place where the server was found, for a comment
	Catalog string          // path of its catalog, relative to the suite
	Tools   []*catalog.Tool // tools that models are offered
	Hidden  []*catalog.Tool // tools that only apps see

	Instructions []catalog.Instructions // empty if unknown
	Copied       bool                   // the catalog must be written, although no server was started
}

func (s *Served) isLive() bool { return len(s.Command) > 0 || s.URL != nil }

// Record runs the only test of a suite live, with its files in files and with the named server. It returns the cassette that it
// wrote, by its path, and the report. The report is nil if the run was interrupted.
type Record func(files fs.FS, suite, server string) (saved map[string][]byte, r *report.Report)

// Starter is the first suite of a workspace.
type Starter struct {
	Suite string            // path of the suite
	Files map[string][]byte // the suite, catalogs and the cassette, by path
	Left  []string          // parts that the suite lacks, with reasons, a line each
}

// NewStarter drafts the first suite for servers. The suite checks that descriptions stay as good as today, that the surface grows
// by at most a tenth, and that sentences of each description lead to its tool. It has one recorded case if record is not nil and a
// case succeeds. The returned suite passes. fsys is the workspace, and file is the path of the suite.
func NewStarter(ctx context.Context, fsys fs.FS, file string, servers []Served, record Record) (*Starter, error) {
	s := &starting{Starter: &Starter{Suite: file, Files: map[string][]byte{}}, ctx: ctx, fsys: fsys}
	for i := range servers {
		s.addServer(&servers[i])
	}
	judged, err := s.evaluate()
	if err != nil {
		return nil, err
	}
	s.setFloors(judged)
	if record != nil {
		s.recordCase(record)
	}
	if judged, err = s.evaluate(); err != nil {
		return nil, err
	}
	for _, c := range judged.Cases {
		if c.Verdict != "pass" {
			return nil, fmt.Errorf("the drafted case %q does not pass", c.Name)
		}
	}
	return s.Starter, nil
}

// starting is the work on a starter.
type starting struct {
	*Starter
	ctx          context.Context
	fsys         fs.FS
	servers      []*starterServer
	recordedCase *starterCase    // the case that is recorded; nil if there is none
	privateTools []*catalog.Tool // tools that could be recorded, but may return a secret
}

// starterServer is a server of the suite.
type starterServer struct {
	*Served
	intents []intent
	source  []string // files or folders that describe the tools; nil if the workspace has none
	floors  *floors  // nil if unknown
}

// floors are the current values of a server's descriptions.
type floors struct {
	minScore, meanScore string // as decimals, rounded down to two digits
	criticals           string
	surface             int64 // tokens, a tenth more than today
}

func (s *starting) addServer(server *Served) {
	added := &starterServer{Served: server}
	hasTools := len(server.Tools) > 0
	if hasTools {
		added.intents = intentsOf(server.Tools)
	}
	switch {
	case !hasTools:
		s.leaveOut("no case for server %q: it has no tool", server.Name)
	case len(added.intents) == 0:
		s.leaveOut("no bench for server %q: no sentence of a description leads to its tool by its words", server.Name)
	}
	s.setSource(added)
	s.servers = append(s.servers, added)
	if server.isLive() || server.Copied {
		s.Files[path.Join(path.Dir(s.Suite), server.Catalog)] = catalog.Snapshot(&catalog.Catalog{Tools: server.Tools, Hidden: server.Hidden, Instructions: server.Instructions})
	}
}

func (s *starting) leaveOut(format string, args ...any) {
	s.Left = append(s.Left, fmt.Sprintf(format, args...))
}

func (s *starting) files() fs.FS {
	s.Files[s.Suite] = s.renderSuite()
	return withFiles{s.fsys, s.Files}
}

func (s *starting) evaluate() (*report.Report, error) {
	r := check.Run(s.ctx, s.files(), check.Options{Suites: []string{s.Suite}})
	if len(r.Problems) > 0 {
		return nil, fmt.Errorf("judge the draft: %s", r.Problems[0].Message)
	}
	if len(r.Cases) == 0 {
		return nil, errors.New("the servers have no tools to judge")
	}
	return r, nil
}

func (s *starting) setFloors(judged *report.Report) {
	for _, server := range s.servers {
		for _, c := range judged.Cases {
			if c.Name != server.qualityName() {
				continue
			}
			figures := c.Gates[0].Metrics
			surface := figures["surface_tokens"].Rat
			if surface == nil {
				continue
			}
			server.floors = &floors{
				minScore: hundredths(figures["min_score"].Rat), meanScore: hundredths(figures["mean_score"].Rat),
				criticals: figures["critical_count"].Rat.RatString(),
				surface:   (surface.Num().Int64()*11 + 9) / 10,
			}
		}
	}
}

func hundredths(score *big.Rat) string {
	n := new(big.Int).Mul(score.Num(), big.NewInt(100))
	return new(big.Rat).SetFrac(n.Div(n, score.Denom()), big.NewInt(100)).FloatString(2)
}

// maxTries bounds the number of tools that are tried for the recorded case, because each attempt starts a server.
const maxTries = 3

// recordCase records a case of a tool that only reads: the first case that succeeds.
func (s *starting) recordCase(record Record) {
	cases := s.candidates()
	reason := s.noRecordingReason()
	for _, one := range cases[:min(maxTries, len(cases))] {
		s.recordedCase = &one
		saved, r := record(s.files(), s.Suite, one.server.Name)
		if r == nil {
			reason = "init was interrupted"
			break
		}
		reason = "the tools that were tried did not come out right"
		if len(r.Problems) > 0 {
			reason = r.Problems[0].Message
		}
		hasPassed := len(r.Problems) == 0 && len(r.Cases) == 1 && r.Cases[0].Verdict == "pass"
		if hasPassed && len(saved) == 1 {
			maps.Copy(s.Files, saved)
			return
		}
	}
	s.recordedCase = nil
	if !slices.ContainsFunc(s.servers, func(server *starterServer) bool { return server.isLive() }) {
		return // runs of a catalog are not expected
	}
	s.leaveOut("no recorded case: %s; write one, and record it with mcp-gates run --record", reason)
}
