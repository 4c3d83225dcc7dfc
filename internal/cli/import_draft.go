package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suggest"
)

// draftPlace returns the folder of the draft, and the path of the cassettes from there.
func (in *importing) draftPlace() (dir, cassettes string) {
	out := filepath.Clean(in.outDir())
	if base := filepath.Base(out); base != "." && base != ".." && base != string(filepath.Separator) {
		return filepath.Dir(out), base
	}
	return out, "."
}

// checkDraft refuses to replace a file that is not a draft.
func (in *importing) checkDraft() (errs source.Errors) {
	if !in.flags.suggest {
		return nil
	}
	dir, folder := in.draftPlace()
	if strings.ContainsAny(folder, `*?[{\`) {
		errs.Addf(source.Pos{File: filepath.ToSlash(in.outDir())}, `is a folder that a suite would take for a glob, expected a name without *?[{\ for --suggest`)
		return errs
	}
	old, err := in.readDraft(dir)
	isDraft := err == nil && bytes.HasPrefix(old, []byte(suggest.FirstLine))
	isMissing := errors.Is(err, fs.ErrNotExist)
	if !isDraft && !isMissing {
		errs.Addf(source.Pos{File: shownIn(dir, in.flags.draft)}, "is not a draft of import --suggest, so that it is not replaced; move it away")
	}
	return errs
}

func (in *importing) readDraft(dir string) ([]byte, error) {
	files, err := openWorkspace(dir)
	if err != nil {
		return nil, fs.ErrNotExist // the folder does not exist yet, or writing reports the error
	}
	if _, err := fs.Stat(files, in.flags.draft); err != nil {
		return nil, err
	}
	return source.ReadFile(files, in.flags.draft, source.MaxSuite)
}

func shownIn(dir, name string) string { return path.Join(filepath.ToSlash(dir), name) }

// writeDraft writes a suite with a case for each new cassette, and prints what the suite leaves out.
func (in *importing) writeDraft(ctx context.Context, out *imported) error {
	dir, folder := in.draftPlace()
	files, err := openWorkspace(dir)
	if err != nil {
		return worldError{err}
	}
	draft, err := suggest.New(ctx, files, in.flags.draft, out.items(folder), thisBuild().Version)
	if err != nil {
		return worldError{fmt.Errorf("draft a suite: %w", err)}
	}
	shown := shownIn(dir, in.flags.draft)
	outcome := "was not written: no run called a tool that a gate could look for"
	if draft.Text != nil {
		if outcome, err = in.saveDraft(dir, draft.Text); err != nil {
			return worldError{fmt.Errorf("write %q: %w", shown, err)}
		}
		verb := "pass"
		if draft.Cases == 1 {
			verb = "passes"
		}
		outcome += fmt.Sprintf(": %s that %s today", judge.CountOf(draft.Cases, "case"), verb)
	}
	return writeSafe(in.stdout, func(w io.Writer) error {
		fmt.Fprintf(w, "\n%s %s\n", shown, outcome)
		for _, line := range firstOf(draft.Left, shownFirst) {
			fmt.Fprintln(w, line)
		}
		if draft.Text != nil && len(draft.Named) > 0 {
			fmt.Fprintf(w, "no log names the server of the tools, so that it has the name of the file: %s; --server-map =NAME names another\n", strings.Join(draft.Named, ", "))
		}
		if draft.Text != nil {
			fmt.Fprintf(w, "read it, and then run: mcp-gates run%s %s\n", workspaceFlag(dir), in.flags.draft)
		}
		return nil
	})
}

func workspaceFlag(dir string) string {
	if dir == "." {
		return ""
	}
	return fmt.Sprintf(" --workspace %q", filepath.ToSlash(dir))
}

// saveDraft writes the draft unless the file is the same already. It returns a word for what happened to the file.
func (in *importing) saveDraft(dir string, text []byte) (outcome string, err error) {
	old, err := in.readDraft(dir)
	switch {
	case err == nil && bytes.Equal(old, text):
		return "says the same already", nil
	case err == nil:
		outcome = "was replaced"
	default:
		outcome = "was written"
	}
	return outcome, saveInWorkspace(dir, in.flags.draft, writing(text))
}

// items returns the groups with the paths of their cassettes. folder is the cassettes' folder, relative to the suite.
func (out *imported) items(folder string) (items []suggest.Item) {
	first, parts := out.firstCassettes()
	for _, c := range first {
		name := strings.TrimSuffix(c.name, ".json")
		file := name + ".json"
		if parts[c.group] > 1 {
			file = suggest.PartsGlob(name, parts[c.group])
		}
		items = append(items, suggest.Item{Group: c.group, Name: name, Cassette: path.Join(folder, file)})
	}
	return items
}
