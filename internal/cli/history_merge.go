package cli

import (
	"errors"
	"io"
	"os"

	"github.com/org/mcp-gates/internal/report/html"
	"github.com/org/mcp-gates/internal/report/markdown"
	"github.com/org/mcp-gates/internal/report/text"
	"github.com/org/mcp-gates/internal/report/trend"
)

// runFleet writes an overview of the repositories whose histories are in files.
func (p *program) runFleet(f historyFlags, files []string) error {
	places, err := readPlaces(f.format, historyFormats)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return errors.New("--merge needs the files that history --format jsonl has written")
	}
	var lines trend.Reader
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return worldError{err}
		}
		lines.Read(name, file)
		file.Close()
	}
	if p.printMistakes(lines.Errs) {
		return nil
	}
	all := trend.FleetOf(lines.Lines)
	return p.writeHistory(places, "fleet", map[string]func(io.Writer) error{
		"text":     func(w io.Writer) error { return text.Fleet(w, all) },
		"jsonl":    all.JSONLines,
		"csv":      all.CSV,
		"html":     func(w io.Writer) error { return html.Fleet(w, all) },
		"markdown": func(w io.Writer) error { return markdown.Fleet(w, all) },
	})
}
