package clients

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Given returns the server for a command or an address on the command line. env are variables for a command, as NAME or
// NAME=VALUE; tokenVariable is the variable with the bearer token for an address. Secrets become variables, as in a
// file.
func Given(command, env []string, address, tokenVariable string) Server {
	var r reader
	s := Server{Name: serverName(command)}
	e := entry{url: address, tokenVariable: tokenVariable}
	if address != "" {
		s.Name = hostName(address)
	} else {
		e.command, e.args = command[0], command[1:]
	}
	for _, one := range env {
		name, value, _ := strings.Cut(one, "=")
		e.env = append(e.env, pair{name, value})
	}
	r.fill(&s, &e)
	return s
}

// affixes matches the parts of package names that are common to all MCP servers.
var affixes = regexp.MustCompile(`^(?:mcp[-_]server[-_]|server[-_]|mcp[-_])|(?:[-_]mcp[-_]server|[-_]server|[-_]mcp)$`)

// launchers are programs that start servers of any name.
var launchers = strings.Fields("node npx uvx uv python python3 pipx docker podman deno bun bunx pnpm yarn go java sh bash mcp-gates")

// serverName returns a name for the server of a command: the name of its package, or of its program's file.
func serverName(command []string) string {
	for i := len(command) - 1; i >= 0; i-- {
		word := command[i]
		isPackage := strings.Contains(word, "mcp") || strings.Contains(word, "server")
		isOtherArgument := i > 0 && !isPackage
		if isOtherArgument || strings.HasPrefix(word, "-") || slices.Contains(launchers, word) {
			continue
		}
		name := path.Base(strings.ReplaceAll(word, `\`, "/"))
		name, _, _ = strings.Cut(name, "@")
		if ext := path.Ext(name); len(ext) > 1 && len(ext) < 5 {
			name = strings.TrimSuffix(name, ext)
		}
		name = strings.ToLower(affixes.ReplaceAllString(name, ""))
		if isPlain(name) && name != "mcp" && name != "server" {
			return name
		}
	}
	return "server"
}

var plainName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*$`)

func isPlain(name string) bool { return plainName.MatchString(name) }

// hostName returns a name for the server at an address: the first part of its host except words such as www.
func hostName(address string) string {
	at, err := url.Parse(address)
	if err != nil {
		return "server"
	}
	for label := range strings.SplitSeq(strings.ToLower(at.Hostname()), ".") {
		isNumber := strings.Trim(label, "0123456789") == ""
		isUsual := slices.Contains([]string{"mcp", "api", "www", "localhost"}, label)
		if isPlain(label) && !isNumber && !isUsual {
			return label
		}
	}
	return "server"
}
