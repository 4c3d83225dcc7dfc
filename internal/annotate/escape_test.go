package annotate

import (
	"bytes"
	"github.com/org/mcp-gates/internal/report/annotation"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// hostile are texts that would do something if they were not escaped.
var hostile = []string{
	"plain", "", " ", "::error::x", "  ::set-output name=verdict::pass", "\t::add-mask::e", "a\n::error::b", "a\r::error::b",
	"a\r\n##[set-env name=x]y", "##[error]x", "x ##[set-env name=PATH]/tmp", "###[group]x", "##\u200b[group]", "##[[group]]x",
	"%0A::error::x", "%25", "%3A%3Aerror%3A%3A", "100% of a:b,c", "file=x,line=1::", "::stop-commands::t", "\u2028::error::x",
	"\u0085::error::x", "\x1b[31mred", "\u202egnp.exe", "\u2066x\u2069", "\U0001f600", "\xff\xfe", "a\x00b", "\ufeff::error::x",
	"_GitHubActionsFileCommandDelimeter_", "x\n_GitHubActionsFileCommandDelimeter_\nverdict=pass", "ghadelimiter", "a<<b", "a=b",
	strings.Repeat("é", 70_000), strings.Repeat("##[", 3000), "<!-- x -->", "@someone", "\u00a0::error::x", "\u3000##[error]",
}

func seed(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
}

// checkShown fails when a text moves the cursor, hides or reorders the text around it.
func checkShown(t *testing.T, what, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("%s is not valid UTF-8: %q", what, s)
	}
	for _, r := range s {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Errorf("%s holds %q: %q", what, r, s)
			return
		}
	}
}

// FuzzCommands holds that nothing but the commands that were meant can come of any text, wherever it stands.
func FuzzCommands(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, s string) {
		var log bytes.Buffer
		c := NewCommands(&log)
		c.Say("%s", s)
		c.annotate([]annotation.Item{{Path: s, Line: 3, Level: annotation.Failure, Title: s, Message: s}}, s)
		c.Warn("%s", s)
		got, plain := readLog(log.String())
		want := []string{"error", "warning"}
		if len(got) != len(want) {
			t.Fatalf("text %q: the runner reads %d commands, want %v:\n%s", s, len(got), want, log.String())
		}
		for i, c := range got {
			if c.Name != want[i] {
				t.Errorf("text %q: command %d is %q, want %q", s, i, c.Name, want[i])
			}
			checkShown(t, "the command's data", c.Data)
			for key, value := range c.Properties {
				checkShown(t, key, value)
			}
		}
		for key := range got[0].Properties {
			if !strings.Contains("file line endLine title", key) {
				t.Errorf("text %q: forged property %q", s, key)
			}
		}
		if line := got[0].Properties["line"]; s != "" && line != "3" {
			t.Errorf("text %q: line is %q, want 3", s, line)
		}
		if len(plain) > 1 {
			t.Errorf("text %q: %d plain lines, want at most 1", s, len(plain))
		}
	})
}

// FuzzLog holds that no command comes of what is written as plain lines, however it is cut into pieces.
func FuzzLog(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, s string) {
		var log bytes.Buffer
		w := NewCommands(&log).Log()
		for _, piece := range strings.SplitAfter(s, ":") {
			if _, err := w.Write([]byte(piece)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got, _ := readLog(log.String()); len(got) > 0 {
			t.Errorf("text %q: the runner reads %v", s, got)
		}
		checkShown(t, "the log", log.String())
	})
}

func FuzzPlainText(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, s string) {
		got := plainText(s, maxTitle)
		checkShown(t, "the text", got)
		if len(got) > maxTitle {
			t.Errorf("plainText(%q) has %d bytes, want at most %d", s, len(got), maxTitle)
		}
		if strings.ContainsFunc(got, func(r rune) bool { return r > 0xffff }) {
			t.Errorf("plainText(%q) = %q, which holds a character above U+FFFF", s, got)
		}
	})
}

// FuzzOutputs holds that an output has the value that was meant and that there is no other output.
func FuzzOutputs(f *testing.F) {
	seed(f)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, s string) {
		file := filepath.Join(dir, "output")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		getenv := func(name string) string { return map[string]string{"GITHUB_OUTPUT": file}[name] }
		values := map[string]string{"verdict": "fail", "report": s, "check-url": s}
		if err := writeOutputs(getenv, values); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := readOutputs(string(data))
		want := map[string]string{}
		for _, out := range OutputTable {
			want[out.Name] = ""
		}
		want["verdict"], want["report"], want["check-url"] = "fail", outputValue(s), outputValue(s)
		if !ok || !maps.Equal(got, want) {
			t.Errorf("value %q: the runner reads %q, want %q", s, got, want)
		}
		checkShown(t, "the value", want["report"])
		if strings.Contains(want["report"], "\n") {
			t.Errorf("value %q has several lines", want["report"])
		}
	})
}

func TestClip(t *testing.T) {
	for _, test := range []struct {
		in    string
		limit int
		want  string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "…"}, {"abcdef", 5, "ab…"}, {"ééé", 5, "é…"}, {"ééé", 6, "ééé"},
	} {
		if got := clip(test.in, test.limit); got != test.want {
			t.Errorf("clip(%q, %d) = %q, want %q", test.in, test.limit, got, test.want)
		}
	}
}
