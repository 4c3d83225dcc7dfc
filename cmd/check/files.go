package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
)

// readCatalog reads the catalog in a file that the command line names; - is standard input, and REV:FILE the file as it is in a
// revision, where there is no file of that name.
func (p *program) readCatalog(ctx context.Context, file string) (*catalog.Catalog, source.Errors) {
	shown := filepath.ToSlash(file)
	if rev, name, ok := splitRevision(file); ok {
		return p.revisionCatalog(ctx, rev, name)
	}
	data, err := p.readInput(file, source.MaxCatalog)
	if err != nil {
		return nil, source.Errors{{Pos: source.Pos{File: shown}, Msg: asMistake(err).Msg}}
	}
	return catalog.Read(shown, data)
}

// asMistake returns an error about a file as a mistake in it.
func asMistake(err error) *source.Error {
	var at *source.Error
	if errors.As(err, &at) {
		return at
	}
	return &source.Error{Msg: err.Error()}
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

// refuse reports all mistakes in the input, each on a line of its own.
func (p *program) refuse(errs source.Errors) {
	for _, err := range errs.Sorted() {
		fmt.Fprintf(p.stderr, "%s\n", report.Safe(err.Error()))
	}
	p.status = report.ExitUser
}
