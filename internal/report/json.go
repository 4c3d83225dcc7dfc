package report

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/gates"
)

// JSON writes a result, such as a [Report] or a [LintDiff], as JSON: with an indentation of two spaces, keys in the order of
// the types, and a final newline. The same result gives the same bytes. Each case is on one line, because with indentation a
// report of many cases would be twice as large.
func JSON(w io.Writer, result any) error {
	r, isReport := result.(*Report)
	if !isReport {
		encoder := jsontext.NewEncoder(w, jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true))
		return json.MarshalEncode(encoder, result, json.Deterministic(true))
	}
	head := *r
	head.Cases = nil
	if r.Baseline != nil {
		compared := *r.Baseline
		compared.Cases = nil
		head.Baseline = &compared
	}
	text, err := json.Marshal(&head, jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	if err != nil {
		return err
	}
	out := &lineWriter{Writer: bufio.NewWriter(w), rest: text}
	writeLines(out, "\n  \"cases\": []", r.Cases, (*Case).withoutImplied)
	if r.Baseline != nil {
		writeLines(out, "\n    \"cases\": []", r.Baseline.Cases, func(p *Pair) *Pair { return p })
	}
	out.Write(append(out.rest, '\n')) // the writer keeps errors until Flush
	return cmp.Or(out.err, out.Flush())
}

// lineWriter writes a JSON text in which each entry of a list of cases is on one line.
type lineWriter struct {
	*bufio.Writer
	rest []byte // rest of the text that is not written yet
	err  error
}

// writeLines writes the text up to an empty list, and then the entries of the list, converted by written. No text in JSON
// contains a line feed, so the key of the list is found at the right depth.
func writeLines[T any](out *lineWriter, list string, entries []T, written func(*T) *T) {
	before, after, _ := bytes.Cut(out.rest, []byte(list))
	out.Write(before)
	indent := list[:strings.IndexByte(list, '"')]
	out.WriteString(strings.TrimSuffix(list, "]"))
	for i := range entries {
		line, err := json.Marshal(written(&entries[i]), jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
		out.err = cmp.Or(out.err, err)
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(indent + "  ")
		out.Write(line)
	}
	if len(entries) > 0 {
		out.WriteString(indent)
	}
	out.WriteByte(']')
	out.rest = after
}

// Read reads a report that [JSON] wrote. Actual figures of assertions stay as they are written. It is an error if the report
// contradicts itself: its verdict and its counts must follow from its cases and mistakes.
func Read(in io.Reader) (*Report, error) {
	asWritten := json.UnmarshalFromFunc(func(dec *jsontext.Decoder, to *any) error {
		raw, err := dec.ReadValue()
		*to = nil
		if err == nil && raw.Kind() != 'n' {
			*to = raw.Clone()
		}
		return err
	})
	r := &Report{}
	if err := json.UnmarshalRead(in, r, json.WithUnmarshalers(asWritten)); err != nil {
		return nil, fmt.Errorf("is not a report of this program: %w", withoutGoTypes(err))
	}
	if r.Version != Version {
		return nil, fmt.Errorf("is a report of version %d, expected version %d", r.Version, Version)
	}
	if err := r.checkItself(); err != nil {
		return nil, err
	}
	for i := range r.Cases {
		r.Cases[i].addImplied()
		for j := range r.Cases[i].Gates {
			result := &r.Cases[i].Gates[j]
			gates.Find(result.Gate).Restore(result)
		}
	}
	return r, nil
}

// withoutGoTypes returns an error of decoding without the names of Go types.
func withoutGoTypes(err error) error {
	var semantic *json.SemanticError
	if !errors.As(err, &semantic) {
		return err
	}
	return fmt.Errorf("unexpected value at %q (byte %d)", semantic.JSONPointer, semantic.ByteOffset)
}
