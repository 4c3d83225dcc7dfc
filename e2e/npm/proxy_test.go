package npm

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// observe has the official SDK's client use all of server-everything, and returns what it got.
func (w *world) observe(args ...string) string {
	w.Helper()
	var out, errs bytes.Buffer
	cmd := w.command("node", append([]string{"observe.mjs"}, args...)...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		w.Fatalf("observe %q: %v\n%s", args, err, errs.String())
	}
	return out.String()
}

// proxyHTTP starts the proxy before an address. It returns its own, and what ends it and must be called.
func (w *world) proxyHTTP(to, recordings string) (url string, end func()) {
	w.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		w.Fatal(err)
	}
	cmd := w.command(program, "proxy", "--name", "everything", "-o", recordings, "--http", "127.0.0.1:0", "--to", to)
	cmd.Stderr = write
	if err := cmd.Start(); err != nil {
		w.Fatal(err)
	}
	write.Close()
	line := make([]byte, 200)
	n, _ := read.Read(line)
	_, url, ok := strings.Cut(strings.TrimSpace(string(line[:n])), "proxy listens on ")
	if !ok {
		w.Fatalf("the proxy says %q, want where it listens", line[:n])
	}
	return url, func() {
		w.Helper()
		cmd.Process.Signal(os.Interrupt)
		err := cmd.Wait()
		if rest, _ := io.ReadAll(read); err != nil || len(rest) > 0 {
			w.Errorf("the proxy says %q and ends with %v, want nothing and status 0", rest, err)
		}
	}
}

// recordings returns the text of all recordings in a folder.
func (w *world) recordings(folder string) (all string, files int) {
	w.Helper()
	names, err := filepath.Glob(filepath.Join(w.dir, folder, "*.jsonl"))
	if err != nil {
		w.Fatal(err)
	}
	for _, name := range names {
		all += read(w.T, name)
	}
	return all, len(names)
}

// TestProxy pins that a client sees the same with and without the proxy: lists, prompts, resources, results, progress,
// sampling, elicitation, roots and a cancelled call.
func TestProxy(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "testdata/proxy")
	w.asNpmProject()
	http := "http://127.0.0.1:" + w.serve("streamableHttp").port + "/mcp"
	through, end := w.proxyHTTP(http, "http")
	for _, test := range []struct {
		name          string
		direct, proxy []string
		end           func()
	}{
		{
			"stdio", []string{"stdio", "mcp-server-everything", "stdio"},
			[]string{"stdio", program, "proxy", "--name", "everything", "-o", "stdio", "--", "mcp-server-everything", "stdio"}, func() {},
		},
		{"http", []string{"http", http}, []string{"http", through}, end},
	} {
		want, got := w.observe(test.direct...), w.observe(test.proxy...)
		test.end()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: with the proxy (-without +with):\n%s", test.name, diff)
		}
		for _, part := range []string{`"sampling asked"`, `"elicitation asked"`, `file:///somewhere`, `cancelled in time`, `after the cancelled call`} {
			if !strings.Contains(want, part) {
				t.Errorf("%s: the client has not seen %s:\n%s", test.name, part, want)
			}
		}
		text, files := w.recordings(test.name)
		if files != 1 {
			t.Errorf("%s: %d recordings, want 1", test.name, files)
		}
		for part, want := range map[string]bool{
			`"name":"get-sum"`: true, `after the cancelled call`: true, `"name":"observer"`: true, `notifications/cancelled`: true,
			`sampled"},"model"`: false, `demo://resource/static`: false, `Oslo`: false,
		} {
			if got := strings.Contains(text, part); got != want {
				t.Errorf("%s: the recording has %s: %v, want %v", test.name, part, got, want)
			}
		}
	}
}

// verdicts is the summary of the conformance client, a line a scenario.
var verdicts = regexp.MustCompile(`(?m)^[✓✗] .*$`)

// TestProxyConformance pins that the official conformance client finds the same of a server with and without the proxy, which
// is that of the official Go SDK and passes everything.
func TestProxyConformance(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "testdata/proxy")
	server := filepath.Join(t.TempDir(), "everything-server")
	build := exec.Command("go", "build", "-C", "../..", "-o", server, "github.com/modelcontextprotocol/go-sdk/conformance/everything-server")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the server: %v\n%s", err, out)
	}
	address := "127.0.0.1:" + freePort(t)
	w.start(address, w.command(server, "-http", address, "-stateless=false"))
	check := func(url string) string {
		out, err := w.server("conformance", "server", "--url", url).CombinedOutput()
		if err != nil {
			t.Errorf("conformance of %s: %v", url, err)
		}
		return strings.Join(verdicts.FindAllString(string(out), -1), "\n")
	}
	want := check("http://" + address + "/mcp")
	if strings.Count(want, "✓") < 25 || strings.Contains(want, "✗") {
		t.Errorf("without the proxy, the server passes:\n%s\nwant all of 25 scenarios or more", want)
	}
	through, end := w.proxyHTTP("http://"+address+"/mcp", "recordings")
	defer end()
	if diff := cmp.Diff(want, check(through)); diff != "" {
		t.Errorf("with the proxy (-without +with):\n%s", diff)
	}
}
