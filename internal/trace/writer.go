package trace

import (
	"bytes"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// indent is that of each level of a cassette, and runIndent that of a run in its list.
const (
	indent    = "  "
	runIndent = indent + indent
)

// Writer writes a cassette run by run, so that a long one need not be held in memory. After an error nothing more is
// written, and Close returns it.
type Writer struct {
	to   io.Writer
	runs int
	err  error
}

// NewWriter returns a writer that has written what stands above the runs.
func NewWriter(w io.Writer, h Header) *Writer {
	out := &Writer{to: w}
	head, err := marshal(cassetteHead{1, h}, jsontext.WithIndent(indent))
	if err != nil {
		out.err = err
		return out
	}
	out.write(bytes.TrimSuffix(head, []byte("\n}")))
	out.write([]byte(",\n" + indent + `"runs": [`))
	return out
}

// cassetteHead is a cassette without its runs, its keys in order.
type cassetteHead struct {
	Version int `json:"cassette"`
	Header
}

// RunText returns a run as it stands in a cassette. A run whose arguments were not kept is refused.
func RunText(run *Run) ([]byte, error) {
	out, err := newWrittenRun(run)
	if err != nil {
		return nil, fmt.Errorf("write cassette: %w", err)
	}
	text, err := marshal(out, jsontext.WithIndent(indent), jsontext.WithIndentPrefix(runIndent))
	if err != nil {
		return nil, fmt.Errorf("write cassette: %w", err)
	}
	return text, nil
}

// marshal returns the JSON text of a part of a cassette.
func marshal(part any, layout ...jsontext.Options) ([]byte, error) {
	return json.Marshal(part, append(layout,
		jsontext.PreserveRawStrings(true),
		jsontext.AllowDuplicateNames(true),
		// A live server can send any bytes; what is not UTF-8 becomes U+FFFD.
		jsontext.AllowInvalidUTF8(true),
		json.WithMarshalers(marshalers),
	)...)
}

// Add writes a run, as [RunText] returns it.
func (w *Writer) Add(run []byte) {
	if w.runs > 0 {
		w.write([]byte(","))
	}
	w.runs++
	w.write([]byte("\n" + runIndent))
	w.write(run)
}

// Close writes what stands behind the runs, and returns the first error. The writer below stays open.
func (w *Writer) Close() error {
	if w.runs > 0 {
		w.write([]byte("\n" + indent))
	}
	w.write([]byte("]\n}\n"))
	if w.err != nil {
		return fmt.Errorf("write cassette: %w", w.err)
	}
	return nil
}

func (w *Writer) write(text []byte) {
	if w.err == nil {
		_, w.err = w.to.Write(text)
	}
}
