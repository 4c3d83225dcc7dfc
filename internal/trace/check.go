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

// Whoever writes a cassette asks here first whether it can be read. The answer is the reader's own, so that no bound of it is
// forgotten.

// Check returns why a cassette of so many bytes cannot be read; nil where it can be.
func (in *Reader) Check(cassette io.Reader, size int64) error {
	if size > source.MaxCassette {
		return fmt.Errorf("is %d bytes long, at most %d are read", size, source.MaxCassette)
	}
	// A turn counts only where it is kept, which gates may ask for.
	in.one = reader{size: size, keep: KeepUsage, into: &Trace{}, shared: &shared{tools: map[catalog.Ref]*Tool{}, most: bounds}}
	defer func() { in.one = reader{} }()
	in.one.json = in.open(cassette, size)
	in.one.cassette()
	if in.one.json.Clean() {
		return nil
	}
	first := in.one.json.Errors("", strings.NewReader(""))[0] // nobody sees the text that its place is in
	return errors.New(first.Msg)
}

// CheckRun returns why no cassette can hold a run of so many bytes, as [WriteRun] has written it; nil where one can.
func (in *Reader) CheckRun(run io.Reader, size int64) error {
	const before, behind = `{"runs": [`, `]}`
	return in.Check(io.MultiReader(strings.NewReader(before), run, strings.NewReader(behind)), int64(len(before))+size+int64(len(behind)))
}

// Check returns why no cassette can hold the run; nil where one can.
func (run *Run) Check() error {
	var out bytes.Buffer
	if err := WriteRun(&out, run); err != nil {
		return err
	}
	return new(Reader).CheckRun(&out, int64(out.Len()))
}

// Check returns why no cassette can have the header above its runs; nil where one can.
func (h *Header) Check() error {
	var out bytes.Buffer
	if err := Write(&out, &Trace{Header: *h, Runs: []Run{{}}}); err != nil {
		return err
	}
	return new(Reader).Check(&out, int64(out.Len()))
}
