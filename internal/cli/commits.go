package cli

import (
	"context"
	"fmt"

	"github.com/org/mcp-gates/internal/baseline"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/report"
)

// compareCommits checks a commit and compares it with another one, as run --baseline does where the commit is checked out. "" is no
// other one.
func (p *program) compareCommits(ctx context.Context, workspace, sha, base string, o check.Options) (*report.Report, error) {
	repository, err := baseline.Open(baseline.Place{Dir: workspace})
	if err != nil {
		return nil, worldError{err}
	}
	files, err := repository.Files(ctx, sha)
	if err != nil {
		return nil, worldError{err}
	}
	defer files.Close()
	o.Settings, o.Digests, o.FewTimelines, o.Version, o.Build = true, true, true, thisBuild().Version, thisBuild().Build
	line := pipeline{
		options: o, getenv: p.getenv, files: files.Tree, progress: p.newProgress(), say: p.say,
		base: func(ctx context.Context, o check.Options) (basis, error) {
			if base == "" {
				return basis{}, nil
			}
			return p.localCommit(ctx, workspace, base, nil, o)
		},
		byBase:    func(*basis) (bool, error) { return false, nil },
		evaluated: func(*basis) error { return nil },
		compared:  func(*report.Report, *basis) {},
	}
	r, _, err := line.run(ctx)
	if err == nil {
		err = files.Err()
	}
	if err != nil {
		return nil, worldError{fmt.Errorf("compare commit %.10s: %w", sha, err)}
	}
	return r, nil
}
