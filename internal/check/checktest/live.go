package checktest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

// liveSuite is a suite whose live runs have their results in the folder live/ of an example: NAME.json has the runs of a case,
// NAME.error the reason why they broke (with a position in the suite if it begins with "at "), NAME.kept the path of a partial
// recording and its numbers of broken and missing runs; SERVER.tools.json has a server's tools, SERVER.tools.error the reason why
// there are none, and SUITE.unready the reason why the suite cannot run.
type liveSuite struct {
	*suite.Suite
	files fs.FS
}

func (e *example) liveSuite(s *suite.Suite, cases []*suite.Case) (_ check.LiveSuite, errs source.Errors) {
	if why := text(e.live, s.File+".unready"); why != "" {
		errs.Addf(cases[0].Pos, "%s", why)
		return nil, errs
	}
	return liveSuite{s, e.live}, nil
}

func text(files fs.FS, name string) string {
	data, _ := fs.ReadFile(files, name)
	return strings.TrimSpace(string(data))
}

// failure returns the error in the file NAME.error; nil if there is none.
func (s liveSuite) failure(name string, pos source.Pos) error {
	why := text(s.files, name+".error")
	if why == "" {
		return nil
	}
	if mistake, ok := strings.CutPrefix(why, "at "); ok {
		return &source.Error{Pos: pos, Msg: mistake}
	}
	return errors.New(why)
}

func (s liveSuite) Run(_ context.Context, c *suite.Case) (*trace.Trace, error) {
	err := s.failure(c.Name, c.Pos)
	if text(s.files, c.Name+".json") == "" {
		return nil, err
	}
	const everything = trace.KeepArgs | trace.KeepResults | trace.KeepTurns | trace.KeepAnswers | trace.KeepTimelines
	tr, errs := trace.Read(s.files, []string{c.Name + ".json"}, everything)
	if len(errs) > 0 {
		return nil, errs.Err()
	}
	return tr, err
}

func (s liveSuite) Tools(_ context.Context, server *suite.Server) (*catalog.Catalog, error) {
	if err := s.failure(server.Name+".tools", server.Pos); err != nil {
		return nil, err
	}
	tools, errs := catalog.Read(server.Name, []byte(text(s.files, server.Name+".tools.json")))
	if len(errs) > 0 {
		return nil, errs.Err()
	}
	for _, tool := range tools.Tools {
		tool.Server = server.Name
	}
	return tools, nil
}

func (s liveSuite) Kept(c *suite.Case) (path string, broken, missing int) {
	fmt.Sscan(text(s.files, c.Name+".kept"), &path, &broken, &missing)
	return path, broken, missing
}

func (s liveSuite) Close() error { return nil }
