package agents

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports"
	"github.com/rogpeppe/go-internal/diff"
)

var update = flag.Bool("update", false, "write what the presets give")

// TestPresets pins the words, variables and files of each preset, without and with the agent's own tools.
func TestPresets(t *testing.T) {
	setup := Setup{
		Servers: []Server{{"tickets", "http://127.0.0.1:1/a/mcp"}, {"my-srv.v2", "http://127.0.0.1:2/b/mcp"}},
		Model:   "model", Prompt: "--help me\n\"now\"", Args: []string{"--more", "x"}, ConfigFile: "/run/mcp.json",
	}
	for _, p := range Presets {
		t.Run(p.Name, func(t *testing.T) {
			got := describe(p, setup)
			on := setup
			on.Builtins = true
			got += "-- with its own tools --\n" + describe(p, on)
			if p.Searching == SearchesAsked {
				search := setup
				search.ToolSearch, on.ToolSearch = true, true
				got += "-- with a search --\n" + describe(p, search) + "-- with both --\n" + describe(p, on)
			}
			file := filepath.Join("testdata", p.Name+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s:\n%s", file, diff.Diff("want", want, "got", []byte(got)))
			}
		})
	}
}

func describe(p *Preset, s Setup) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q\n", p.Program, p.Words(s))
	if p.Env != nil {
		for _, entry := range p.Env(s) {
			fmt.Fprintf(&b, "%s\n", entry)
		}
	}
	if p.Files != nil {
		for _, f := range p.Files(s) {
			fmt.Fprintf(&b, "-- %s --\n%s", f.Path, f.Text)
		}
	}
	return b.String()
}

// TestPresetsAreWhole pins what every preset has: a format that is read, its version, and words that end in the prompt or hold it.
func TestPresetsAreWhole(t *testing.T) {
	for _, p := range Presets {
		if imports.Find(p.Format) == nil {
			t.Errorf("%s: format %q is none that is read, want one of %q", p.Name, p.Format, imports.Names())
		}
		if len(p.Version) < 2 || p.Version[0] != p.Program {
			t.Errorf("%s: the version is asked by %q, want %q and more", p.Name, p.Version, p.Program)
		}
		if p.Session != "" && strings.Count(p.Session, "%s") != 1 {
			t.Errorf("%s: session %q, want one %%s for the id", p.Name, p.Session)
		}
		words := p.Words(Setup{Prompt: "the prompt", Model: "m"})
		if !slices.ContainsFunc(words, func(word string) bool { return strings.HasSuffix(word, "the prompt") }) {
			t.Errorf("%s: words %q do not hold the prompt", p.Name, words)
		}
	}
}

// FuzzSettings holds that no name of a server and no model breaks out of the settings.
func FuzzSettings(f *testing.F) {
	f.Add("tickets", "model")
	f.Add("a\"]\nsandbox_mode = \"danger-full-access\"\n[x.\"", "m\"\n")
	f.Add("\x00\xff\x7f", "\u2028")
	f.Fuzz(func(t *testing.T, server, model string) {
		s := Setup{Servers: []Server{{server, "http://127.0.0.1:1/a/mcp"}}, Model: model, Prompt: "p"}
		if text := geminiSettings(s); !jsontext.Value(text).IsValid() {
			t.Errorf("Gemini CLI's settings are no JSON: %s", text)
		}
		if text := opencodeConfig(s); !jsontext.Value(text).IsValid() {
			t.Errorf("opencode's settings are no JSON: %s", text)
		}
		config, plain := codexConfig(s), codexConfig(Setup{Servers: []Server{{"x", "http://127.0.0.1:1/a/mcp"}}, Model: "m", Prompt: "p"})
		if model == "" {
			plain = strings.Replace(plain, "model = \"m\"\n", "", 1)
		}
		if got, want := strings.Count(config, "\n"), strings.Count(plain, "\n"); got != want {
			t.Errorf("Codex' settings have %d lines, want %d:\n%s", got, want, config)
		}
	})
}

// TestDocumented holds docs/agents.md to the presets: a row and a section of each, with its program and usual key.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range Presets {
		model := "optional"
		if p.NeedsModel {
			model = "required"
		}
		row := fmt.Sprintf("| `%s` | `%s` | %s", p.Name, p.Program, model)
		_, section, ok := strings.Cut(string(text), "### `"+p.Name+"`\n")
		section, _, _ = strings.Cut(section, "\n### ")
		if !ok || !strings.Contains(string(text), row) || !strings.Contains(section, p.Keys[0]) {
			t.Errorf("docs/agents.md lacks the row %q, or a section of %s with %s", row, p.Name, p.Keys[0])
		}
	}
}
