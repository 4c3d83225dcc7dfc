package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
)

// Writers of cassettes call these functions first to check whether the cassette can be read. The functions use the reader
// itself, so that they apply all of its bounds.

// Check returns the reason why a cassette of the given size in bytes cannot be read; nil if it can be read.
func (in *Reader) Check(cassette io.Reader, size int64) error {
	if size > source.MaxCassette {
		return fmt.Errorf("is %d bytes long, at most %d are read", size, source.MaxCassette)
	}
	// Turns count towards the bounds only if they are kept, and gates may ask for that.
	in.current = reader{size: size, keep: KeepUsage, into: &Trace{}, shared: &shared{tools: map[catalog.Ref]*Tool{}, most: bounds}}
	defer func() { in.current = reader{} }()
	in.current.json = in.open(cassette, size)
	in.current.readCassette()
	if in.current.json.Clean() {
		return nil
	}
	first := in.current.json.Errors("", strings.NewReader(""))[0] // without the text, because the place is not shown
	return errors.New(first.Msg)
}

// CheckRun returns the reason why a cassette cannot contain a run of the given size in bytes, as written by [WriteRun]; nil if
// it can.
func (in *Reader) CheckRun(run io.Reader, size int64) error {
	const before, behind = `{"runs": [`, `]}`
	return in.Check(io.MultiReader(strings.NewReader(before), run, strings.NewReader(behind)), int64(len(before))+size+int64(len(behind)))
}

// Check returns the reason why a cassette cannot contain the run; nil if it can.
func (run *Run) Check() error {
	var out bytes.Buffer
	if err := WriteRun(&out, run); err != nil {
		return err
	}
	return new(Reader).CheckRun(&out, int64(out.Len()))
}

// Check returns the reason why a cassette cannot have the header; nil if it can.
func (h *Header) Check() error {
	var out bytes.Buffer
	if err := Write(&out, &Trace{Header: *h, Runs: []Run{{}}}); err != nil {
		return err
	}
	return new(Reader).Check(&out, int64(out.Len()))
}
