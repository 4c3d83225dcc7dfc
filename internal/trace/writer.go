package trace

import (
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// indent is the indentation of each level of a cassette, and runIndent that of a run.
const (
	indent    = "  "
	runIndent = indent + indent
)

// Writer writes a cassette run by run, so that a long one need not be held in memory. After an error it writes nothing more,
// and Close returns the error.
type Writer struct {
	to   io.Writer
	runs int
	err  error
}

// NewWriter returns a writer, and writes the header to w.
func NewWriter(w io.Writer, h Header) *Writer {
	out := &Writer{to: w}
	head, err := json.Marshal(cassetteHead{1, h}, layout(jsontext.WithIndent(indent)))
	if err != nil {
		out.err = fmt.Errorf("write cassette: %w", err)
		return out
	}
	out.write(strings.TrimSuffix(string(head), "\n}"))
	out.write(",\n" + indent + `"runs": [`)
	return out
}

// cassetteHead is a cassette without its runs, with its keys in order.
type cassetteHead struct {
	Version int `json:"cassette"`
	Header
}

// WriteRun writes a run in the form of a cassette, for [Writer.Copy]. It refuses a run whose arguments were not kept.
func WriteRun(w io.Writer, run *Run) error {
	out, err := newWrittenRun(run)
	if err == nil {
		err = json.MarshalWrite(w, out, layout(jsontext.WithIndent(indent), jsontext.WithIndentPrefix(runIndent)))
	}
	if err != nil {
		return fmt.Errorf("write cassette: %w", err)
	}
	return nil
}

func layout(more ...json.Options) json.Options {
	return json.JoinOptions(append(more,
		jsontext.PreserveRawStrings(true),
		jsontext.AllowDuplicateNames(true),
		// A live server can send any bytes; invalid UTF-8 becomes U+FFFD.
		jsontext.AllowInvalidUTF8(true),
		json.WithMarshalers(marshalers),
	)...)
}

func (w *Writer) add(run *Run) {
	w.beginRun()
	if w.err == nil {
		w.err = WriteRun(w.to, run)
	}
}

// Copy writes a run that [WriteRun] has formatted.
func (w *Writer) Copy(run io.Reader) {
	w.beginRun()
	if w.err == nil {
		_, w.err = io.Copy(w.to, run)
	}
}

func (w *Writer) beginRun() {
	if w.runs > 0 {
		w.write(",")
	}
	w.runs++
	w.write("\n" + runIndent)
}

// Close writes the end of the cassette, and returns the first error. It does not close the underlying writer.
func (w *Writer) Close() error {
	if w.runs > 0 {
		w.write("\n" + indent)
	}
	w.write("]\n}\n")
	return w.err
}

func (w *Writer) write(text string) {
	if w.err == nil {
		_, w.err = io.WriteString(w.to, text)
	}
}
