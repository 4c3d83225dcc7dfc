package report

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/gates"
)

// JSON writes a result, such as a [Report] or a [LintDiff], as JSON: two-space indentation, keys in the order of the
// types, a final newline. The same result gives the same bytes.
func JSON(w io.Writer, result any) error {
	encoder := jsontext.NewEncoder(w, jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true))
	return json.MarshalEncode(encoder, result, json.Deterministic(true))
}

// Read reads a report that [JSON] has written. Actual figures of assertions are kept as they are written. A report that
// contradicts itself is an error: its verdict and its counts must be what its cases and mistakes come to.
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
		return nil, fmt.Errorf("is not a report of this program: %w", plain(err))
	}
	if r.Version != Version {
		return nil, fmt.Errorf("is a report of version %d, expected version %d", r.Version, Version)
	}
	if err := r.checkItself(); err != nil {
		return nil, err
	}
	for i := range r.Cases {
		for j := range r.Cases[i].Gates {
			result := &r.Cases[i].Gates[j]
			gates.Find(result.Gate).Restore(result)
		}
	}
	return r, nil
}

// plain returns a decoding error without the names of Go types.
func plain(err error) error {
	var semantic *json.SemanticError
	if !errors.As(err, &semantic) {
		return err
	}
	return fmt.Errorf("unexpected value at %q (byte %d)", semantic.JSONPointer, semantic.ByteOffset)
}
