package npm

import (
	"strings"
	"testing"
)

// TestSuite runs a suite with all of the servers live, and expects its recordings to come to the same.
func TestSuite(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "testdata/suite")
	for _, server := range []string{"everything", "memory"} {
		w.run(0, "snapshot", "--server", server, "--update")
	}
	w.liveRecordReplay()
	for name, text := range w.cassettes() {
		if strings.Contains(text, w.dir) || strings.Contains(text, w.home) {
			t.Errorf("%s holds a path of this machine", name)
		}
	}
}
