package agents

// Settings: https://opencode.ai/docs/config.
var opencode = &Preset{
	Name: "opencode", Program: "opencode",
	NeedsModel: true, // as PROVIDER/MODEL
	Keys:       []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY"},
	Version:    []string{"opencode", "--version"},
	Words: func(s Setup) []string {
		words := []string{"run", "--pure", "--format", "json", "--title", "run"} // without a title, the program asks a model for one
		return append(append(words, s.Args...), "--", s.Prompt)
	},
	Env: func(s Setup) []string {
		return []string{
			"OPENCODE_CONFIG_CONTENT=" + opencodeConfig(s), "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1",
			"OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1", "OPENCODE_DISABLE_CLAUDE_CODE=1",
		}
	},
	Files: func(Setup) []File {
		return []File{
			// Without these two files, each run asks the npm registry for this package, in the background.
			{".config/opencode/node_modules/.keep", ""},
			{".config/opencode/package-lock.json", `{"packages":{"":{"dependencies":{"@opencode-ai/plugin":"*"}}}}` + "\n"},
		}
	},
	Names:  opencodeNames,
	Format: "opencode",
}

var opencodeNames = &Naming{
	Client: "opencode", Joint: "_", Keeps: "_-",
	Version: "1.18.33",
	Source:  "the program, run in November 2026",
}

func opencodeConfig(s Setup) string {
	servers, permission := map[string]any{}, map[string]string{"*": "deny"}
	for _, one := range s.Servers {
		servers[one.Name] = map[string]any{"type": "remote", "url": one.URL, "enabled": true, "oauth": false}
		permission[opencodeNames.Plain(one.Name)+opencodeNames.Joint+"*"] = "allow"
	}
	if s.Builtins {
		permission = map[string]string{"*": "allow"}
	}
	return jsonText(map[string]any{
		"autoupdate": false, "share": "disabled", "snapshot": false, "model": s.Model, "small_model": s.Model,
		"mcp": servers, "permission": permission,
	})
}
