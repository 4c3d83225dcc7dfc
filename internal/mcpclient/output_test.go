//go:build unix

package mcpclient

import (
	"io"
	"os/exec"
	"testing"
	"time"
)

// What a process wrote before its end is read, however late that is.
func TestLateReader(t *testing.T) {
	t.Parallel()
	p, err := startProcess(Config{Command: []string{"/bin/sh", "-c", "echo late"}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	<-p.ended
	time.Sleep(2 * drainTime) // as on a busy machine
	if got, err := io.ReadAll(p.stdout); string(got) != "late\n" || err != nil {
		t.Errorf("read %q, %v, want \"late\\n\" and no error", got, err)
	}
}

// A process that left the group may go on writing; nobody reads that for long.
func TestOutputAfterTheEnd(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("setsid is not installed: no process leaves the group")
	}
	const script = `setsid sh -c 'for i in $(seq 100); do echo more; sleep 0.1; done' & echo first`
	p, err := startProcess(Config{Command: []string{"/bin/sh", "-c", script}, Env: []string{"PATH=/usr/bin:/bin"}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	<-p.ended
	before := time.Now()
	if _, err := io.Copy(io.Discard, p.stdout); outputError(err) != nil {
		t.Error(err)
	}
	if took := time.Since(before); took > 2*lastTime {
		t.Errorf("reading took %v after the process had ended, want %v at most", took, lastTime)
	}
	p.stdout.Close()
}
