// Package clients reads the files in which MCP clients (editors, command-line agents, desktop programs) name their servers.
//
// A file becomes [Server] values that can be written into a suite, because they hold no secrets. The literal values of
// env and headers, and arguments that look like secrets, become environment variables; their values in the file are
// kept separately, in [Server.Values], for starting the server now.
//
// To add a file of a workspace or a client, add a row to [Files] or [Clients], with the address of its documentation above it.
package clients

import (
	"path"
	"slices"
	"strings"
)

// Files are the files of a workspace that are searched for servers, in this order. If several servers have the same name, the first
// counts.
var Files = []string{
	".mcp.json",          // Claude Code: https://code.claude.com/docs/en/mcp#project-scope
	"mcp.json",           // other clients with the same format
	".cursor/mcp.json",   // https://cursor.com/docs/context/mcp
	".vscode/mcp.json",   // https://code.visualstudio.com/docs/copilot/customization/mcp-servers
	".codex/config.toml", // https://developers.openai.com/codex/mcp
}

// Client is a program with servers that the user has configured for all folders.
type Client struct {
	Name  string
	Files []Place // the first that exists is read
}

// Place is a file below a folder that an environment variable names.
type Place struct{ Variable, Path string }

// Clients are the programs whose own files can be read, sorted by name.
var Clients = []Client{
	{"claude-code", []Place{{home, ".claude.json"}}},
	{"claude-desktop", []Place{ // https://modelcontextprotocol.io/docs/develop/connect-local-servers
		{home, "Library/Application Support/Claude/claude_desktop_config.json"},
		{"APPDATA", "Claude/claude_desktop_config.json"},
		{home, ".config/Claude/claude_desktop_config.json"},
	}},
	{"codex", []Place{{home, ".codex/config.toml"}}},
	{"cursor", []Place{{home, ".cursor/mcp.json"}}},
	{"gemini-cli", []Place{{home, ".gemini/settings.json"}}}, // https://geminicli.com/docs/tools/mcp-server/
	{"vscode", []Place{
		{home, "Library/Application Support/Code/User/mcp.json"},
		{"APPDATA", "Code/User/mcp.json"},
		{home, ".config/Code/User/mcp.json"},
	}},
	{"windsurf", []Place{{home, ".codeium/windsurf/mcp_config.json"}}}, // https://docs.windsurf.com/windsurf/cascade/mcp
}

const home = "HOME"

// Names returns the names of [Clients].
func Names() []string {
	names := make([]string, len(Clients))
	for i, c := range Clients {
		names[i] = c.Name
	}
	return names
}

// Find returns the absolute paths of the files that the client with this name may have; nil for an unknown client.
func Find(name string, getenv func(string) string) (files []string) {
	at := slices.IndexFunc(Clients, func(c Client) bool { return c.Name == name })
	if at < 0 {
		return nil
	}
	for _, place := range Clients[at].Files {
		if dir := folder(place.Variable, getenv); dir != "" {
			files = append(files, path.Join(dir, place.Path))
		}
	}
	return files
}

// folder returns the folder that a variable names, with slashes. On Windows, USERPROFILE replaces HOME.
func folder(variable string, getenv func(string) string) string {
	dir := getenv(variable)
	if dir == "" && variable == home {
		dir = getenv("USERPROFILE")
	}
	return strings.ReplaceAll(dir, `\`, "/")
}
