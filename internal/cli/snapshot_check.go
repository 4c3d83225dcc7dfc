package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/change"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/tell"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// heldServer is a live server and the snapshot that it is compared with.
type heldServer struct {
	name    string // "" if the server is given by a command or an address
	file    string // path of the snapshot, as in messages
	several bool   // file is a folder or a glob
	read    func() (*catalog.Catalog, source.Errors)
	live    liveServer

	kept *catalog.Catalog // the snapshot; nil before compareTools has read it
}

func (f *snapshotFlags) checkFlags(args []string) error {
	if err := f.commandFlags.check(); err != nil {
		return err
	}
	isBare := len(f.command) > 0 || f.url != ""
	switch {
	case f.update || f.output != "":
		return errors.New("--check writes nothing, so it cannot be combined with --update or --output")
	case isBare && f.against == "":
		return errors.New("--check of a command or an address takes --against FILE, the snapshot to hold it against")
	case f.against != "" && !isBare:
		return errors.New("--against needs --url or a command after --; a suite names the snapshots of its servers itself")
	case isBare || f.server != "":
		return f.check(args)
	}
	return nil
}

// checkSnapshots compares servers with their snapshots. The program's status is 1 if one differs, and 3 if one cannot be asked.
func (p *program) checkSnapshots(ctx context.Context, f snapshotFlags, args []string) error {
	if err := f.checkFlags(args); err != nil {
		return err
	}
	held, err := p.heldServers(ctx, &f, args)
	if err != nil || p.status != 0 {
		return err
	}
	if len(held) == 0 {
		return errors.New("no suite declares a server with both a command or a url and a catalog, so nothing was checked")
	}
	var broken []error
	for _, one := range held {
		broken = append(broken, p.checkSnapshot(ctx, one))
	}
	if err := errors.Join(broken...); err != nil {
		return worldError{err}
	}
	return nil
}

// heldServers returns the servers to compare with their snapshots: the one that flags name, or all of the suites.
func (p *program) heldServers(ctx context.Context, f *snapshotFlags, args []string) ([]heldServer, error) {
	if f.against != "" {
		t, err := p.snapshotTarget(f, nil)
		read := func() (*catalog.Catalog, source.Errors) { return p.readCatalog(ctx, f.against) }
		return []heldServer{{file: f.against, read: read, live: t}}, err
	}
	if f.server != "" {
		s, server, err := p.findServer(f, args)
		if err != nil || server == nil {
			return nil, err
		}
		if server.Snapshot == nil {
			return nil, fmt.Errorf("server %q has no \"catalog\" to hold it against", f.server)
		}
		one, err := p.heldServer(f, s, server)
		return []heldServer{one}, err
	}
	suites, err := p.serverSuites(f, args)
	if err != nil || p.status != 0 {
		return nil, err
	}
	var held []heldServer
	for _, s := range suites {
		for _, server := range s.Servers {
			canStart := len(server.Start.Command) > 0 || server.Start.URL != ""
			if server.Snapshot == nil || !canStart {
				continue
			}
			one, err := p.heldServer(f, s, server)
			if err != nil {
				return nil, err
			}
			held = append(held, one)
		}
	}
	return held, nil
}

func (p *program) heldServer(f *snapshotFlags, s *suite.Suite, server *suite.Server) (heldServer, error) {
	t, err := p.liveServerOf(f, s, server)
	read := func() (*catalog.Catalog, source.Errors) { return readInWorkspace(f.workspace, server.Snapshot.File) }
	return heldServer{name: server.Name, file: server.Snapshot.File, several: severalFiles(f.workspace, server.Snapshot.File), read: read, live: t}, err
}

// severalFiles reports whether the catalog at a path in the workspace is a folder or a glob. Only the program that made such
// files can update them.
func severalFiles(dir, name string) bool {
	workspace, err := openWorkspace(dir)
	if err != nil || name == "" {
		return false
	}
	_, several, _ := catalog.Files{FS: workspace, Name: name}.List()
	return several
}

// readInWorkspace reads a catalog below the workspace. It follows no link out of the workspace.
func readInWorkspace(dir, file string) (*catalog.Catalog, source.Errors) {
	workspace, err := openWorkspace(dir)
	if err != nil {
		return nil, mistakeIn(file, err)
	}
	return readFiles(file, catalog.Files{FS: workspace, Name: file})
}

func (p *program) checkSnapshot(ctx context.Context, one heldServer) error {
	ctx, signals := interruptible(ctx, nil)
	defer signals.stop()
	one.live.config.Hurry = signals.hurry
	lines, tools, errs, err := one.compareTools(ctx)
	switch {
	case len(errs) > 0:
		p.printMistakes(errs)
	case err != nil:
		return fmt.Errorf("%s: %w", one.file, err)
	case len(lines) == 0:
		fmt.Fprintf(p.stdout, "%s is what the server advertises, %s%s\n", report.Safe(one.file), judge.CountOf(tools, "tool"), one.comparedBy())
	default:
		p.status = max(p.status, report.ExitFail)
		fmt.Fprintf(p.stdout, "%s is not what the server advertises%s%s\n", report.Safe(one.file), one.comparedBy(), report.Safe(one.advice()))
		for _, line := range lines {
			fmt.Fprintf(p.stdout, "  %s\n", report.Safe(line))
		}
	}
	return nil
}

// compareTools asks the server for its tools. lines are their differences from the snapshot, tools is the number of the
// server's tools that are compared, mistakes are those in the snapshot, and err is the reason why the server could not be asked.
func (h *heldServer) compareTools(ctx context.Context) (lines []string, tools int, mistakes source.Errors, err error) {
	kept, errs := h.read()
	if len(errs) == 0 && h.name != "" {
		errs = manifestMistake(kept)
	}
	if len(errs) > 0 {
		return nil, 0, errs, nil
	}
	h.kept = kept
	list, err := readTools(ctx, h.live)
	if err != nil {
		return nil, 0, nil, err
	}
	advertised := list.Catalog.Named(h.name)
	isOfAnother := func(t *catalog.Tool) bool { return t.Server != h.name }
	kept = kept.Named(h.name)
	kept.Tools, kept.Hidden = slices.DeleteFunc(kept.Tools, isOfAnother), slices.DeleteFunc(kept.Hidden, isOfAnother)
	if kept.Unlisted() {
		advertised = advertised.Without(unlistedTools(kept, advertised))
	}
	return differences(kept, advertised), len(advertised.All()), nil, nil
}

func unlistedTools(kept, advertised *catalog.Catalog) (refs []catalog.Ref) {
	index := catalog.IndexOf(kept)
	for _, t := range advertised.Tools {
		if len(index.Called(t.Ref())) == 0 {
			refs = append(refs, t.Ref())
		}
	}
	return refs
}

// comparedBy returns a text, to be added to a message, on the parts of a manifest that are compared; "" for a whole catalog.
func (h *heldServer) comparedBy() string {
	notice := ""
	if h.kept.SchemasUnknown() > 0 {
		notice = ", by names and descriptions: it is a manifest without schemas"
	}
	if h.kept.Unlisted() {
		notice += "; tools that it does not list are not looked at, by its tools_generated"
	}
	return notice
}

// advice returns advice on how to update the snapshot, to be added to the message about the difference; "" if the suite does not
// name the snapshot.
func (h *heldServer) advice() string {
	if h.name == "" || h.several {
		return ""
	}
	return fmt.Sprintf(`; "mcp-gates snapshot --server %s --update" writes it`, h.name)
}

// differences returns a line for each tool of a server that differs from its snapshot, and for each server whose instructions
// differ, with the words that differ. It includes tools that are hidden from models, so that a tool that was hidden after the
// snapshot differs in its _meta. If the snapshot does not keep instructions, these do not differ.
func differences(kept, advertised *catalog.Catalog) (lines []string) {
	sideOf := func(c *catalog.Catalog) change.Side { return change.Side{Catalog: &catalog.Catalog{Tools: c.All()}} }
	diff := change.Compare(sideOf(kept), sideOf(advertised))
	for _, t := range diff.Added {
		lines = append(lines, "added "+t.Ref().ID())
	}
	for _, t := range diff.Removed {
		lines = append(lines, "removed "+t.Ref().ID())
	}
	for _, c := range diff.Renamed {
		lines = append(lines, "renamed "+c.Old.Ref().ID()+" to "+c.New.Name)
	}
	for _, c := range diff.Changed {
		changes := cmp.Or(strings.Join(c.Fields, ", "), "listed more or less often")
		lines = append(lines, "changed "+c.New.Ref().ID()+": "+changes)
	}
	for _, now := range advertised.Instructions {
		old, known := kept.InstructionsOf(now.Server)
		if known && old.Text != now.Text {
			lines = append(lines, "instructions: "+tell.WordDiff(old.Text, now.Text).Text())
		}
	}
	return lines
}
