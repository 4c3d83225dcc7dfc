package toolsearch

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
)

// pair is a search of the real program and what it answered.
type pair struct {
	Catalog string   `json:"catalog"` // several are joined with "+"
	Server  string   `json:"server"`
	Query   string   `json:"query"`
	Limit   int      `json:"limit"`
	Matches []string `json:"matches"`
	Tied    bool     `json:"tied"`
}

// leastPairs is how many searches of each client the published files have.
var leastPairs = map[string]int{"claude-code": 552, "codex": 558}

func dataFolder(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("MCP_GATES_DATA")
	if dir == "" {
		t.Skip("MCP_GATES_DATA is not set: no search is compared with those of real clients")
	}
	return dir
}

// TestPublishedSearches compares every published search of the real clients: those of Claude Code in order, those of Codex in order
// where no scores are equal, and otherwise up to which of the equal ones are shown and in which order.
func TestPublishedSearches(t *testing.T) {
	dir := dataFolder(t)
	for _, client := range []*Client{ClaudeCode, Codex} {
		pairs := 0
		for _, file := range glob(t, filepath.Join(dir, "toolsearch", client.Name, "*.jsonl")) {
			indexes := map[string]*Index{}
			for line := range bytes.Lines(readFile(t, file)) {
				var p pair
				if err := json.Unmarshal(line, &p); err != nil {
					t.Fatalf("%s: %v", file, err)
				}
				key := p.Catalog + " " + p.Server
				if indexes[key] == nil {
					indexes[key] = client.Index(publishedServers(t, dir, p))
				}
				pairs++
				comparePair(t, client, indexes[key], p)
			}
		}
		t.Logf("%s: compared %d searches", client.Name, pairs)
		if least := leastPairs[client.Name]; pairs < least {
			t.Errorf("%s: compared %d searches, want at least %d", client.Name, pairs, least)
		}
	}
}

func comparePair(t *testing.T, client *Client, ix *Index, p pair) {
	t.Helper()
	var got []string
	for _, r := range ix.Search(p.Query, p.Limit) {
		got = append(got, client.WireName(r.Server, r.Tool.Name))
	}
	if !p.Tied && !slices.Equal(got, p.Matches) || p.Tied && !equalButTies(client, ix, p) {
		t.Errorf("%s: %s, %d of %q:\ngot  %q\nwant %q", client.Name, p.Catalog, p.Limit, p.Query, got, p.Matches)
	}
}

// equalButTies reports whether the tools that a client returned have the scores that ours have, and stand in their order in each server.
func equalButTies(client *Client, ix *Index, p pair) bool {
	scores := map[string]float64{}
	for _, r := range ix.Search(p.Query, ix.Len()) {
		scores[client.WireName(r.Server, r.Tool.Name)] = r.Score
	}
	var got, want []float64
	last := map[string]float64{}
	for _, name := range p.Matches {
		score := scores[name]
		server, _, _ := strings.Cut(name, "/")
		if before, ok := last[server]; score == 0 || ok && score > before {
			return false
		}
		last[server] = score
		want = append(want, score)
	}
	for _, r := range ix.Search(p.Query, p.Limit) {
		got = append(got, r.Score)
	}
	slices.Sort(got)
	slices.Sort(want)
	return slices.Equal(got, want)
}

// publishedServers returns the servers of a search.
func publishedServers(t *testing.T, dir string, p pair) []Server {
	t.Helper()
	var servers []Server
	names := strings.Split(p.Server, "+")
	for i, name := range strings.Split(p.Catalog, "+") {
		file := filepath.Join(dir, "catalogs", filepath.FromSlash(name)+".json")
		servers = append(servers, Server{Name: names[i], Tools: readTools(t, file)})
	}
	return servers
}

func readTools(t testing.TB, file string) []*catalog.Tool {
	t.Helper()
	c, mistakes := catalog.Read(file, readFile(t, file))
	if err := mistakes.Err(); err != nil {
		t.Fatal(err)
	}
	return c.All()
}

func readFile(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func glob(t testing.TB, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v, %d files", pattern, err, len(files))
	}
	return files
}
