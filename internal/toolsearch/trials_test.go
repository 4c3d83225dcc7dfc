package toolsearch

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/bench"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lint/english"
)

// trialServers are published catalogs by the names that servers have in clients' settings.
var trialServers = map[string]string{
	"github": "github-mcp-server", "monday": "monday-mcp", "azure": "azure-mcp-namespace", "azure-tools": "azure-mcp-consolidated",
	"metatool": "metatool", "okta": "docker/okta-mcp-server", "zscaler": "docker/zscaler-mcp-server", "stripe": "docker/stripe-remote",
	"buildkite": "docker/buildkite", "sonarqube": "docker/sonarqube", "kubectl": "docker/kubectl-mcp-server",
	"notion": "docker/notion-remote", "neo4j": "docker/neo4j", "webflow": "docker/webflow-remote", "sentry": "docker/sentry-remote",
}

// trialTools is how many tools of each catalog are changed one by one.
const trialTools = 12

// figures are what the trials find on all catalogs.
type figures struct {
	promises, found, foundVague int // found: within the limit, as the catalog is and with one vague sentence for every description
	trials                      int // tools that were changed one by one
	lostVague                   int // tools with a promise that was within the limit, and is not after their description became vague
	lostOrder                   int // and after their sentences were turned round
	lostMore                    int // and after one more was added
	firstMore                   int // tools with a promise that was first, and is not after a sentence was added
}

// bounds are what the trials may find, shares in hundredths of a percent.
type bounds struct {
	leastFound            int
	leastVague, mostVague int // of promises, with vague descriptions
	leastLost, mostLost   int // of tools, by a vague description
	mostLostByMore        int // tools, by a sentence more
	mostFirstByMore       int // tools
}

// trialBounds are a little looser than what was measured.
var trialBounds = map[string]bounds{
	"claude-code": {leastFound: 9650, leastVague: 6500, mostVague: 7600, leastLost: 1800, mostLost: 3200},
	"codex":       {leastFound: 9900, leastVague: 1700, mostVague: 3000, leastLost: 7700, mostLost: 9000, mostFirstByMore: 12},
	"bm25":        {leastFound: 9900, leastVague: 6500, mostVague: 7800, leastLost: 3000, mostLost: 4400, mostFirstByMore: 10},
}

// TestTrials holds the searches to what they find on published catalogs, and to what a change of descriptions does to that: each tool
// is found by its own sentences, in whatever order, and not by those that it lost.
func TestTrials(t *testing.T) {
	dir := dataFolder(t)
	for _, client := range Clients {
		var f figures
		for name, file := range trialServers {
			f.add(client, name, readTools(t, filepath.Join(dir, "catalogs", filepath.FromSlash(file)+".json")))
		}
		found, vague, lost := share(f.found, f.promises), share(f.foundVague, f.promises), share(f.lostVague, f.trials)
		t.Logf("%s: %d promises, %.2f %% found, %.2f %% with vague descriptions; of %d tools %d lost by a vague one, %d by order, %d by a sentence more, %d not first any more",
			client.Name, f.promises, float64(found)/100, float64(vague)/100, f.trials, f.lostVague, f.lostOrder, f.lostMore, f.firstMore)
		b := trialBounds[client.Name]
		if f.promises < 1700 || f.trials < 150 {
			t.Errorf("%s: got %d promises and %d tools, want at least 1700 and 150", client.Name, f.promises, f.trials)
		}
		for _, bound := range []struct {
			what             string
			got, least, most int
		}{
			{"hundredths of a percent of promises found", found, b.leastFound, 10_000},
			{"with vague descriptions", vague, b.leastVague, b.mostVague},
			{"hundredths of a percent of tools lost by a vague description", lost, b.leastLost, b.mostLost},
			{"tools lost by the order of sentences", f.lostOrder, 0, 0},
			{"tools lost by a sentence more", f.lostMore, 0, b.mostLostByMore},
			{"tools not first after a sentence more", f.firstMore, 0, b.mostFirstByMore},
		} {
			if bound.got < bound.least || bound.got > bound.most {
				t.Errorf("%s: %s: got %d, want %d to %d", client.Name, bound.what, bound.got, bound.least, bound.most)
			}
		}
	}
}

// share returns n of a whole in hundredths of a percent.
func share(n, of int) int { return n * 10_000 / of }

// add tries a catalog.
func (f *figures) add(client *Client, server string, tools []*catalog.Tool) {
	list, _ := Promises(tools, client)
	before := ranksOf(client, server, tools, list)
	vague := slices.Clone(tools)
	for i := range vague {
		vague[i] = described(tools[i], bench.Vague)
	}
	after := ranksOf(client, server, vague, list)
	f.promises += len(list)
	for i := range list {
		if before[i] <= client.Limit {
			f.found++
		}
		if after[i] <= client.Limit {
			f.foundVague++
		}
	}
	for n := range min(trialTools, len(tools)) {
		i := n * len(tools) / min(trialTools, len(tools))
		if slices.ContainsFunc(list, func(p Promise) bool { return p.Tool == tools[i] }) {
			f.try(trial{client, server, tools, i, list, before})
		}
	}
}

// trial is a tool of a catalog whose description is changed.
type trial struct {
	client *Client
	server string
	tools  []*catalog.Tool
	i      int // of the tool
	list   []Promise
	before []int // ranks of the promises' tools
}

// try changes one tool's description in each of the ways.
func (f *figures) try(one trial) {
	own := one.tools[one.i].Description
	sentences := english.Sentences(own, 1000)
	slices.Reverse(sentences)
	f.trials++
	lost, _ := one.change(bench.Vague)
	f.lostVague += lost
	lost, _ = one.change(strings.Join(sentences, " "))
	f.lostOrder += lost
	lost, first := one.change(own + " Needs a connection that somebody has opened before.")
	f.lostMore += lost
	f.firstMore += first
}

// change gives the tool another description, and returns 1 where a promise of its is lost, and where one is not first any more.
func (one trial) change(description string) (lost, first int) {
	tools := slices.Clone(one.tools)
	tools[one.i] = described(tools[one.i], description)
	ix := one.client.Index([]Server{{Name: one.server, Tools: tools}})
	for n, p := range one.list {
		if p.Tool != one.tools[one.i] {
			continue
		}
		after := ix.Ranks(p.Query, tools[one.i])[0]
		if one.before[n] <= one.client.Limit && after > one.client.Limit {
			lost = 1
		}
		if one.before[n] == 1 && after > 1 {
			first = 1
		}
	}
	return lost, first
}

// ranksOf returns the rank of each promise's tool, which stands in tools where it stood in the catalog.
func ranksOf(client *Client, server string, tools []*catalog.Tool, list []Promise) []int {
	ix := client.Index([]Server{{Name: server, Tools: tools}})
	byName := map[string]*catalog.Tool{}
	for _, t := range tools {
		byName[t.Name] = t
	}
	var ranks []int
	for _, p := range list {
		ranks = append(ranks, ix.Ranks(p.Query, byName[p.Tool.Name])[0])
	}
	return ranks
}

// described returns a copy of a tool with another description.
func described(t *catalog.Tool, description string) *catalog.Tool {
	changed := *t
	changed.Description = description
	return &changed
}
