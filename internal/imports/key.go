package imports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/source"
)

// Key is a value that runs are grouped by.
type Key string

// These are the keys. Any other key is KeyMetadata followed by the name of a metadata value.
const (
	KeyPrompt   Key = "prompt"
	KeyModel    Key = "model"
	KeySession  Key = "session"
	KeyCwd      Key = "cwd"
	KeyMetadata Key = "metadata."
)

// DefaultKeys are the keys that runs of one test share.
var DefaultKeys = []Key{KeyPrompt, KeyModel}

// ReadKeys reads keys that are separated by commas.
func ReadKeys(text string) ([]Key, error) {
	fixed := []string{string(KeyPrompt), string(KeyModel), string(KeySession), string(KeyCwd)}
	known := append(slices.Clone(fixed), string(KeyMetadata)+"KEY")
	var keys []Key
	for one := range strings.SplitSeq(text, ",") {
		key := Key(strings.TrimSpace(one))
		name, isMetadata := strings.CutPrefix(string(key), string(KeyMetadata))
		switch {
		case slices.Contains(keys, key):
			return nil, fmt.Errorf("key %q is given twice", key)
		case isMetadata && name != "", slices.Contains(fixed, string(key)):
			keys = append(keys, key)
		default:
			return nil, fmt.Errorf("unknown key %q%s; the keys are %s", key, source.DidYouMean(string(key), known), strings.Join(known, ", "))
		}
	}
	return keys, nil
}

// of returns the key's value in a run; "" if the log does not have it.
func (k Key) of(run *Run) string {
	switch k {
	case KeyPrompt:
		return strings.TrimSpace(run.Prompt)
	case KeyModel:
		return run.Model
	case KeySession:
		return run.Session
	case KeyCwd:
		return run.Cwd
	}
	return run.Metadata[strings.TrimPrefix(string(k), string(KeyMetadata))]
}
