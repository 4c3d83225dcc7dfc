package agents

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Settings: https://geminicli.com/docs/reference/configuration.
var geminiCLI = &Preset{
	Name: "gemini-cli", Program: "gemini",
	NeedsModel: true, // without a model, each turn asks a model which model to ask
	Keys:       []string{"GEMINI_API_KEY"},
	Version:    []string{"gemini", "--version"},
	Words: func(s Setup) []string {
		words := []string{"--prompt=" + s.Prompt, "-m", s.Model, "--output-format", "stream-json", "--approval-mode", "yolo", "--skip-trust"}
		return append(words, s.Args...)
	},
	Files:  func(s Setup) []File { return []File{{".gemini/settings.json", geminiSettings(s)}} },
	Names:  geminiNames,
	Format: "gemini-cli",
}

var geminiNames = &Naming{
	Client: "Gemini CLI", Prefix: "mcp_", OncePrefix: true, Joint: "_", Keeps: "_-.:",
	Longest: 63, TooLong: "and cuts out the middle of more than",
	Cut:     func(name string) string { return name[:30] + "..." + name[len(name)-30:] },
	Alike:   "and the later replaces the earlier",
	Version: "0.61.0",
	Source:  "`generateValidName` and `registerTool` in the program, read on 2026-11-27",
}

type geminiServer struct {
	URL   string `json:"httpUrl"`
	Trust bool   `json:"trust"`
}

// geminiSettings returns settings.json for a run: only the suite's servers, and nothing that contacts other hosts.
func geminiSettings(s Setup) string {
	servers, core := map[string]geminiServer{}, []string{}
	for _, one := range s.Servers {
		servers[one.Name] = geminiServer{one.URL, true}
		core = append(core, geminiNames.Prefix+one.Name+geminiNames.Joint+"*")
	}
	off := map[string]any{"enabled": false}
	settings := map[string]any{
		"general": map[string]any{
			"enableAutoUpdate": false, "enableAutoUpdateNotification": false, "checkpointing": off, "maxAttempts": 3,
		},
		"privacy": map[string]any{"usageStatisticsEnabled": false}, "telemetry": off,
		"security":   map[string]any{"auth": map[string]any{"selectedType": "gemini-api-key"}, "folderTrust": off},
		"mcpServers": servers,
	}
	if !s.Builtins {
		settings["tools"] = map[string]any{"core": core}
	}
	return jsonText(settings)
}

// jsonText writes a value as JSON, keys sorted.
func jsonText(value any) string {
	text, err := json.Marshal(value, json.Deterministic(true), jsontext.AllowInvalidUTF8(true), jsontext.WithIndent("  "))
	if err != nil {
		panic(err) // maps, lists, texts and booleans can always be encoded
	}
	return string(text) + "\n"
}
