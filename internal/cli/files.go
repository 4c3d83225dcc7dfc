package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// readCatalog reads the catalog that a word of the command line names: a file, a folder or a glob, - for standard input, or
// REV:FILE for a file in a revision. If there is no such revision, REV:FILE may be the name of a file.
func (p *program) readCatalog(ctx context.Context, file string) (*catalog.Catalog, source.Errors) {
	shown := filepath.ToSlash(file)
	if rev, name, ok := splitRevision(ctx, file); ok {
		return p.readRevision(ctx, rev, name)
	}
	if file != "-" {
		return readFiles(shown, localFiles(shown))
	}
	data, err := p.readInput(file, source.MaxCatalog)
	if err != nil {
		return nil, mistakeIn(shown, err)
	}
	return catalog.Read(shown, data)
}

// readWholeCatalog reads a catalog as a server sends it: not a manifest, which lacks schemas.
func (p *program) readWholeCatalog(ctx context.Context, file string) (*catalog.Catalog, source.Errors) {
	cat, errs := p.readCatalog(ctx, file)
	if len(errs) == 0 {
		errs = manifestMistake(cat)
	}
	return cat, errs
}

// manifestMistake returns a mistake if a catalog is a manifest, which lacks schemas.
func manifestMistake(cat *catalog.Catalog) source.Errors {
	if !cat.IsPartial() {
		return nil
	}
	return source.Errors{{Pos: source.Pos{File: cat.File, Line: 1, Col: 1}, Msg: catalog.PartialNotice}}
}

func readFiles(named string, files catalog.Files) (*catalog.Catalog, source.Errors) {
	cat, err := files.Read()
	return withMistakes(cat, err, named)
}

// withMistakes returns a catalog with the mistakes in its files. Any other error becomes a mistake in the file named.
func withMistakes(cat *catalog.Catalog, err error, named string) (*catalog.Catalog, source.Errors) {
	var inFiles source.Errors
	if err != nil && !errors.As(err, &inFiles) {
		return nil, mistakeIn(named, err)
	}
	return cat, inFiles
}

// mistakeIn returns an error as a mistake in a file.
func mistakeIn(file string, err error) source.Errors {
	return source.Errors{{Pos: source.Pos{File: file}, Msg: source.ErrorsOf(err)[0].Msg}}
}

// localFiles returns the files that the command line names: a file, a folder or a glob.
func localFiles(named string) catalog.Files {
	folder, name := path.Dir(named), path.Base(named)
	switch info, err := os.Stat(named); {
	case err == nil && info.IsDir():
		folder, name = named, "."
	case err != nil && catalog.IsGlob(named):
		folder, name = doublestar.SplitPattern(named)
	}
	return catalog.Files{FS: os.DirFS(folder), Name: name, Shown: func(file string) string {
		if file == name {
			return named
		}
		return path.Join(folder, file)
	}}
}

// readInput reads a file that the command line names, of at most limit bytes; - is standard input.
func (p *program) readInput(file string, limit int64) ([]byte, error) {
	if file != "-" {
		return source.ReadFile(os.DirFS(filepath.Dir(file)), filepath.Base(file), limit)
	}
	data, err := io.ReadAll(io.LimitReader(p.stdin, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("is larger than %d bytes", limit)
	}
	return data, err
}

// writeSafe writes the lines that write makes, each made safe for a terminal.
func writeSafe(w io.Writer, write func(io.Writer) error) error {
	var text, out bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	for line := range bytes.Lines(text.Bytes()) {
		out.WriteString(report.Safe(string(bytes.TrimSuffix(line, []byte("\n")))))
		out.WriteByte('\n')
	}
	_, err := w.Write(out.Bytes())
	return err
}

// printMistakes prints mistakes, and reports whether there are any. If so, it sets the program's status.
func (p *program) printMistakes(errs source.Errors) bool {
	for _, err := range errs.Sorted() {
		fmt.Fprintf(p.stderr, "%s\n", report.Safe(err.Error()))
		p.status = report.ExitUser
	}
	return len(errs) > 0
}

// findSuites opens the workspace, and returns the suites in it that arguments name, or those in the usual places.
func findSuites(workspace string, args []string) (files fs.FS, found []string, err error) {
	if files, err = openWorkspace(workspace); err != nil {
		return nil, nil, err
	}
	var names []string
	for _, arg := range args {
		name, err := inWorkspace(workspace, arg)
		if err != nil {
			return nil, nil, err
		}
		names = append(names, name)
	}
	found, err = suite.Find(files, names)
	return files, found, err
}

// openWorkspace returns the files below dir. Neither ".." nor a symbolic link leads out of them.
func openWorkspace(dir string) (fs.FS, error) {
	root, err := os.OpenRoot(dir)
	if err == nil {
		return &workspace{root.FS().(rootFS), root}, nil
	}
	return nil, fmt.Errorf("--workspace %q: %w", dir, reason(err))
}

// workspace gives access to the files below a folder.
type workspace struct {
	rootFS
	root *os.Root
}

// rootFS has the methods that the documentation of [os.Root.FS] promises.
type rootFS interface {
	fs.ReadDirFS
	fs.ReadFileFS
	fs.ReadLinkFS
	fs.StatFS
}

// openFlags keep a named pipe from holding up the check until something writes to it.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK

// Open opens a file without waiting for a writer.
func (w *workspace) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) || strings.Contains(name, `\`) {
		return w.rootFS.Open(name) // its error names the mistake in the name, also on Windows
	}
	file, err := w.root.OpenFile(name, openFlags, 0)
	if err != nil {
		return nil, err // not file: a nil *os.File in an interface is not nil
	}
	return file, nil
}

// leadsOut reports whether a file was not opened because ".." or a symbolic link leads out of the folder. Package os has no
// value for this error, only a text.
func leadsOut(err error) bool { return err != nil && reason(err).Error() == "path escapes from parent" }
