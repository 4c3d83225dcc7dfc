package cli

import (
	"cmp"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestStart holds what packages do before each command: besides the JSON Schema library, which compiles the schemas of five drafts,
// none may build tables then. The sizes are those of the runtime's trace of initialisation, which are the same in each run.
// .ci/program holds the time.
func TestStart(t *testing.T) {
	const most = 256 << 10 // bytes of one package
	bounds := map[string]int{"github.com/santhosh-tekuri/jsonschema/v6": 2 << 20}
	cmd := exec.Command("mcp-gates", "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	packages := 0
	for line := range strings.Lines(string(out)) {
		// init internal/bytealg @0.008 ms, 0 ms clock, 0 bytes, 0 allocs
		fields := strings.Fields(line)
		if len(fields) != 11 || fields[0] != "init" {
			continue
		}
		packages++
		bound := cmp.Or(bounds[fields[1]], most)
		if bytes, err := strconv.Atoi(fields[7]); err != nil || bytes > bound {
			t.Errorf("%s allocates %s bytes when the program starts, want at most %d", fields[1], fields[7], bound)
		}
	}
	if packages < 50 {
		t.Errorf("the trace has %d packages, want one line for each:\n%s", packages, out)
	}
}
