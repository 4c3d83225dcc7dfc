package cli

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestStart holds what packages do before each command: none may build tables or compile schemas then. The sizes are those of
// the runtime's trace of initialisation, which are the same in each run.
func TestStart(t *testing.T) {
	const most = 256 << 10 // bytes of one package; the JSON Schema library took 1.7 MB
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
		if bytes, err := strconv.Atoi(fields[7]); err != nil || bytes > most {
			t.Errorf("%s allocates %s bytes when the program starts, want at most %d", fields[1], fields[7], most)
		}
	}
	if packages < 50 {
		t.Errorf("the trace has %d packages, want one line for each:\n%s", packages, out)
	}
}
