package suite

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/model"
)

// No suite reads a provider's key or a secret of the runner for a variable, however its name is written.
func TestVariablesReadNoKeys(t *testing.T) {
	for _, name := range append(model.KeyNames(), "GITHUB_TOKEN", "ACTIONS_RUNTIME_TOKEN", "INPUT_GITHUB-TOKEN", "RUNNER_TEMP") {
		for _, spelled := range []string{name, strings.ToLower(name)} {
			fsys := fstest.MapFS{"s.yml": {Data: []byte("variables: { key: { from_env: " + spelled + " } }\n")}}
			_, errs := NewLoader(fsys).Load("s.yml")
			if got := errs.Error(); !strings.Contains(got, "belongs to the runner or a provider") {
				t.Errorf("variable of %s: got %q, want a refusal", spelled, got)
			}
		}
	}
}
