package cli

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/org/mcp-gates/internal/imports"
	"github.com/org/mcp-gates/internal/thorough"
)

// writeSessions writes conversations with results of some kilobytes, one a line, until the file has size bytes.
func writeSessions(tb testing.TB, name string, size, result int) {
	tb.Helper()
	file, err := os.Create(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	text := strings.Repeat(`The order of \"Keller\" was sent on Friday, and is due on Monday. `, max(1, result/64))
	for written, i := 0, 0; written < size; i++ {
		n, err := fmt.Fprintf(out, `{"model": "gpt-5", "messages": [{"role": "user", "content": "Where is order %d?"}, `+
			`{"role": "assistant", "content": null, "tool_calls": [{"id": "c%d", "type": "function", "function": {"name": "mcp__shop__get_order", "arguments": "{\"id\": %d}"}}]}, `+
			`{"role": "tool", "tool_call_id": "c%d", "content": "%s"}, {"role": "assistant", "content": "It is due on Monday, says order %d."}], "usage": {"prompt_tokens": 1200, "completion_tokens": 40}}`+"\n",
			i%20, i, i%20, i, text, i)
		if err != nil {
			tb.Fatal(err)
		}
		written += n
	}
	if err := out.Flush(); err != nil {
		tb.Fatal(err)
	}
}

// importProcess imports a log in a process of its own, and returns the most memory that it took, in bytes. A process begins with
// the figure of the one that starts it, so that a small one starts it: this test, which does nothing else then.
func importProcess(tb testing.TB, program, log string) (peak int64) {
	tb.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestImportStarter$")
	cmd.Dir = tb.TempDir()
	cmd.Env = append(os.Environ(), starterProgram+"="+program, starterLog+"="+log)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		tb.Fatalf("%v\n%s", err, out)
	}
	if _, err := fmt.Sscanf(string(out), "peak %d", &peak); err != nil {
		tb.Fatalf("%v in %q", err, out)
	}
	return peak << 10 // which Linux counts in kibibytes
}

// The variables by which importProcess says what TestImportStarter starts.
const (
	starterProgram = "MCP_GATES_TEST_IMPORT_PROGRAM"
	starterLog     = "MCP_GATES_TEST_IMPORT_LOG"
)

// TestImportStarter is the process that starts an import for importProcess.
func TestImportStarter(t *testing.T) {
	program := os.Getenv(starterProgram)
	if program == "" {
		t.Skip("importProcess has not started this test")
	}
	cmd := exec.Command(program, "import", os.Getenv(starterLog))
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	var children syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &children); err != nil {
		t.Fatal(err)
	}
	fmt.Printf("peak %d\n", children.Maxrss)
}

// buildProgram builds the program.
func buildProgram(tb testing.TB) string {
	tb.Helper()
	program := filepath.Join(tb.TempDir(), "mcp-gates")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/check").CombinedOutput(); err != nil {
		tb.Fatalf("%v\n%s", err, out)
	}
	return program
}

// BenchmarkImport imports 200 MB in a process of its own, with results of a usual size, and of nearly 8 MiB.
func BenchmarkImport(b *testing.B) {
	const size = 200_000_000
	program := buildProgram(b)
	for _, result := range []int{8 << 10, 7 << 20} {
		b.Run(fmt.Sprintf("result=%d", result), func(b *testing.B) {
			log := filepath.Join(b.TempDir(), "log.jsonl")
			writeSessions(b, log, size, result)
			b.SetBytes(size)
			var peak int64
			for b.Loop() {
				peak = max(peak, importProcess(b, program, log))
			}
			if peak > 0 {
				b.ReportMetric(float64(peak)/(1<<20), "MiB")
			}
		})
	}
}

// TestImportMemory pins that what an import takes does not grow with the log: of 70 MB it holds a run, also a large one.
func TestImportMemory(t *testing.T) {
	thorough.Only(t, "it builds the program and imports 70 MB twice")
	t.Parallel() // memory is that of processes of their own
	const size = 70_000_000
	program := buildProgram(t)
	for _, c := range []struct {
		result int   // bytes of a result, of which each run has one
		most   int64 // bytes
	}{
		{8 << 10, 56 << 20}, // a check of one case takes 27
		{7 << 20, 64 << 20},
	} {
		log := filepath.Join(t.TempDir(), "log.jsonl")
		writeSessions(t, log, size, c.result)
		if peak := importProcess(t, program, log); peak > c.most {
			t.Errorf("an import of 70 MB with results of %d bytes took %d MiB, want at most %d", c.result, peak>>20, c.most>>20)
		}
	}
}

// BenchmarkImportRead reads 200 MB of logs without redaction and without writing.
func BenchmarkImportRead(b *testing.B) {
	const size = 200_000_000
	dir := b.TempDir()
	writeSessions(b, filepath.Join(dir, "log.jsonl"), size, 8<<10)
	b.SetBytes(size)
	for b.Loop() {
		_, err := imports.Read(os.DirFS(dir), []string{"log.jsonl"}, imports.Options{}, func(*imports.Run) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
	}
}
