package schema_test

import (
	"sync"
	"testing"

	"github.com/org/mcp-gates/internal/schema"
)

// TestCompileInParallel compiles the first schemas of each draft at once, which compiles the draft: under -race.
func TestCompileInParallel(t *testing.T) {
	var group sync.WaitGroup
	for _, draft := range []string{"draft-04", "draft-06", "draft-07", "draft/2019-09", "draft/2020-12"} {
		for range 4 {
			group.Go(func() {
				doc := map[string]any{"$schema": "https://json-schema.org/" + draft + "/schema", "type": "string"}
				if _, err := schema.Compile(doc, nil); err != nil {
					t.Errorf("%s: %v", draft, err)
				}
			})
		}
	}
	group.Wait()
}
