package annotate

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/report"
)

// Matrix holds the values of one job of a matrix. The zero value is a job without a matrix.
type Matrix struct {
	fields map[string]json.RawMessage
}

// String returns the values in the order of their names, separated by commas, such as "3.12, ubuntu".
func (m Matrix) String() string {
	var values []string
	for _, name := range slices.Sorted(maps.Keys(m.fields)) {
		values = append(values, plainJSON(m.fields[name]))
	}
	return strings.Join(values, ", ")
}

func plainJSON(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var b bytes.Buffer
	_ = json.Compact(&b, raw) // no error: it was read from JSON
	return b.String()
}

// canonical returns the matrix as JSON that does not depend on the layout of its source.
func (m Matrix) canonical() string {
	var values map[string]any
	raw, _ := json.Marshal(m.fields) // no error: all of it was read from JSON
	_ = json.Unmarshal(raw, &values)
	raw, _ = json.Marshal(values) // sorts the names
	return string(raw)
}

// commentKey returns a key of 32 hexadecimal digits, which separates the comments of several uses of the action on one pull
// request. It is made from the input comment-key or, if that is empty, from the workflow, the job, the matrix, the working
// directory and the suites.
func commentKey(in Inputs, ev Event) string {
	parts := []string{"given", in.CommentKey}
	if in.CommentKey == "" {
		parts = append([]string{"derived", ev.Workflow, ev.Job, in.Matrix.canonical(), in.WorkingDirectory}, in.Suites...)
	}
	hash := sha256.New()
	for _, part := range parts {
		sum := sha256.Sum256([]byte(part)) // the hash has a fixed length, so that different lists of parts never look the same
		hash.Write(sum[:])
	}
	return hex.EncodeToString(hash.Sum(nil)[:16])
}

// checkName returns the name of the check run; "" if no check run is wanted. In a job of a matrix, the given comment key, or else
// the matrix, follows the input's value in parentheses, so that each job has its own check run.
func checkName(in Inputs) string {
	const most = 250
	if in.CheckName == "" || len(in.Matrix.fields) == 0 {
		return in.CheckName
	}
	return clip(in.CheckName+" ("+report.Safe(cmp.Or(in.CommentKey, in.Matrix.String()))+")", most)
}
