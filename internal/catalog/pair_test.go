package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/schema"
	"github.com/org/mcp-gates/internal/thorough"
)

// advertised returns a catalog of one tool a line: NAME | DESCRIPTION | input schema | annotations, the last two optional.
func advertised(t testing.TB, lines string) *Catalog {
	t.Helper()
	var objects []string
	for line := range strings.Lines(lines) {
		fields := strings.Split(line, "|")
		if len(fields) < 2 {
			continue
		}
		fields = append(fields, "", "")
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		server, name, ok := strings.Cut(fields[0], ".")
		if !ok {
			server, name = "", server
		}
		object := fmt.Sprintf(`{"server": %q, "name": %q, "description": %q`, server, name, fields[1])
		for i, key := range []string{"inputSchema", "annotations"} {
			if fields[2+i] != "" {
				object += fmt.Sprintf(`, %q: %s`, key, fields[2+i])
			}
		}
		objects = append(objects, object+"}")
	}
	return read(t, "["+strings.Join(objects, ",\n")+"]")
}

func (p Pairing) lines() []string {
	var lines []string
	for _, pair := range p.Same {
		lines = append(lines, "same "+pair.Base.Ref().ID())
	}
	for _, pair := range p.Renamed {
		lines = append(lines, "renamed "+pair.Base.Ref().ID()+" "+pair.Head.Ref().ID())
	}
	for _, pair := range p.Probable {
		lines = append(lines, "probable "+pair.Base.Ref().ID()+" "+pair.Head.Ref().ID())
	}
	for _, tool := range p.Added {
		lines = append(lines, "added "+tool.Ref().ID())
	}
	for _, tool := range p.Removed {
		lines = append(lines, "removed "+tool.Ref().ID())
	}
	return lines
}

// The description of twenty words of the examples, and the thread tools of GitHub's server.
const (
	twenty   = "Search tickets by customer, product, severity, owner, age, label, queue, region, language, priority, channel, team, tier, plan, origin, version, platform, browser and keyword."
	resolve  = "Resolve a review thread on a pull request. Resolving an already-resolved thread is a no-op."
	negative = "Unresolve a previously resolved review thread on a pull request. Unresolving an already-unresolved thread is a no-op."
)

func TestPairs(t *testing.T) {
	const query = `{"type": "object", "properties": {"q": {"type": "string"}}}`
	two := func(oldName, oldText, name, text string) (string, string) {
		return oldName + "|" + oldText + "|" + query, name + "|" + text + "|" + query
	}
	lone := func(old, now string) []string { return []string{"added " + now, "removed " + old} }
	probable := func(old, now string) []string {
		return []string{"probable " + old + " " + now, "added " + now, "removed " + old}
	}
	tests := []struct {
		name, base, head string
		want             []string
	}{
		{"nothing", "", "", nil},
		{"same, changed or not", "b.x|X.\na.x|X.", "a.x|Changed.\nb.x|X.", []string{"same a.x", "same b.x"}},
		{"described as before", "search|Find tickets by words|" + query, "find_tickets|Find tickets, by words!|" + query, []string{"renamed search find_tickets"}},
		{"on another server", "a.search|Find tickets|" + query, "b.find|Find tickets|" + query, lone("a.search", "b.find")},
		{"no words", "search|Does it.|" + query, "find|Does it.|" + query, lone("search", "find")},
		{"no description", "search||" + query, "find||" + query, lone("search", "find")},
		{"titles and descriptions of arguments aside",
			`search|Find tickets|{"type": "object", "title": "S", "properties": {"q": {"type": "string", "description": "Words", "items": {"title": 1}}}}`,
			`find|Find tickets|{"properties": {"q": {"items": {}, "type": "string"}}, "type": "object", "description": "D"}`, []string{"renamed search find"}},
		{"arguments called title and description", `search|Find tickets|{"properties": {"title": {}}}`, `find|Find tickets|{"properties": {"description": {}}}`,
			lone("search", "find")},
		{"a title in a value", `search|Find tickets|{"properties": {"q": {"default": {"title": "a"}}}}`, `find|Find tickets|{"properties": {"q": {"default": {"title": "b"}}}}`,
			probable("search", "find")},
		{"numbers as RFC 8785 has them", `search|Find tickets|{"properties": {"n": {"maximum": 10.0}}}`, `find|Find tickets|{"properties": {"n": {"maximum": 1e1}}}`,
			[]string{"renamed search find"}},
		{"other hints", `search|Find tickets|{}|{"readOnlyHint": true}`, `find|Find tickets|{}|{"readOnlyHint": false}`, probable("search", "find")},
		{"another title among the annotations", `search|Find tickets|{}|{"title": "a", "destructiveHint": null}`, `find|Find tickets|{}|{"title": "b"}`,
			[]string{"renamed search find"}},
		{"a word more in nineteen", "search|" + twenty + "|{}", "find_issues|" + strings.Replace(twenty, "by", "quickly by", 1) + "|{}",
			[]string{"renamed search find_issues"}},
		{"below nine tenths", "search|Find tickets by words fast|" + query, "find|Find tickets by words|" + query, probable("search", "find")},
		{"six tenths with equal schemas", "search|Find old tickets fast|{}", "find|Find old tickets slowly|{}", probable("search", "find")},
		{"below six tenths", "search|Find old tickets|{}", "find|Find old tickets slowly today|{}", probable("search", "find")},
		{"half with other arguments", `search|Find old tickets|{"properties": {"q": {}, "a": {}}}`, `find|Find old issues|{"properties": {"q": {}, "b": {}}}`,
			lone("search", "find")},
		{"half with half of the arguments", `search|Find old tickets|{"properties": {"q": {}, "a": {}}}`, `find|Find old issues|{"properties": {"q": {}}}`,
			probable("search", "find")},
		{"two merged into one",
			`get_issue|Get details of a specific issue in a GitHub repository|{"properties": {"owner": {}, "repo": {}, "issue_number": {}}}
			 get_issue_comments|Get comments for a specific issue in a GitHub repository|{"properties": {"owner": {}, "repo": {}, "issue_number": {}, "page": {}}}`,
			`issue_read|Get information about a specific issue in a GitHub repository|{"properties": {"owner": {}, "repo": {}, "issue_number": {}, "method": {}}}`,
			[]string{"probable get_issue issue_read", "probable get_issue_comments issue_read", "added issue_read", "removed get_issue", "removed get_issue_comments"}},
		{"the best by words, then by names",
			"a|Find old tickets\nb|Find old tickets fast\nc|Find old tickets", "z|Find old tickets\ny|Find old tickets\nx|Find old tickets fast",
			[]string{"renamed a y", "renamed b x", "renamed c z"}},
		{"more old ones than new", "a|Find tickets\nb|Find tickets", "x|Find tickets", []string{"renamed a x", "probable b x", "removed b"}},
		{"a name twice", "a|Find tickets\na|Close tickets", "x|Find tickets\nx|Close tickets", []string{"renamed a x"}},
	}
	for _, opposite := range []struct {
		name, old, oldText, now, text string
		want                          func(old, now string) []string
	}{
		{"resolve and unresolve", "resolve_review_thread", resolve, "unresolve_review_thread", negative, lone},
		{"one word of the name of twenty", "search_tickets", twenty, "find_tickets", strings.Replace(twenty, "Search", "Find", 1), probable},
		{"a prefix", "a", strings.Replace(twenty, "Search", "Resolve", 1), "b", strings.Replace(twenty, "Search", "Unresolve", 1), probable},
		{"a pair of the table", "a", strings.Replace(twenty, "Search", "Enable", 1), "b", strings.Replace(twenty, "Search", "Disables", 1), probable},
		{"stop words", "a", twenty + " Turn it on.", "b", twenty + " Turn it off.", probable},
		{"a denial", "a", twenty + " Is kept.", "b", twenty + " Isn't kept.", probable},
		{"another order", "get_user_groups", "Get groups for a user", "get_group_users", "Get users of a group", probable},
		{"the names alone by prefix", "lock_thread", "Change the state of a thread", "unlock_thread", "Change the state of a thread", lone},
		{"the names alone by the table", "turnLightOn", "Switch the light", "turnLightOff", "Switch the light", lone},
	} {
		base, head := two(opposite.old, opposite.oldText, opposite.now, opposite.text)
		tests = append(tests, struct {
			name, base, head string
			want             []string
		}{"opposites: " + opposite.name, base, head, opposite.want(opposite.old, opposite.now)})
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := Pairs(advertised(t, test.base), advertised(t, test.head)).lines()
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("base:\n%s\nhead:\n%s\n(-want +got):\n%s", test.base, test.head, diff)
			}
		})
	}
}

func TestPairsOfNone(t *testing.T) {
	if got := Pairs(nil, advertised(t, "a|A.")).lines(); !slices.Equal(got, []string{"added a"}) {
		t.Errorf("got %q, want the tool added", got)
	}
	if got := Pairs(advertised(t, "a|A."), nil).lines(); !slices.Equal(got, []string{"removed a"}) {
		t.Errorf("got %q, want the tool removed", got)
	}
}

// many returns a catalog of n tools of one schema, each of different words on top of those in common.
func many(n int, name, text string) *Catalog {
	c := &Catalog{}
	for i := range n {
		c.Tools = append(c.Tools, &Tool{Name: fmt.Sprintf("%s%05d", name, i), Description: fmt.Sprintf("%s thing%05d", text, i)})
	}
	return c
}

// TestPairsBounded pins that past the bound on pairs equal tools are found and no others, and that many tools do not take long.
func TestPairsBounded(t *testing.T) {
	thorough.Unraced(t, "it takes ten seconds, on one goroutine")
	n := thorough.Size(1_000, 10_000)
	p := Pairs(many(n, "old", twenty), many(n, "new", twenty))
	if len(p.Renamed) != n || p.Renamed[7].Head.Name != "new00007" {
		t.Errorf("got %d renamed, want %d, each to the tool of its words", len(p.Renamed), n)
	}
	if p = Pairs(many(501, "old", twenty), many(501, "new", twenty+" more")); len(p.Renamed)+len(p.Probable) != 0 {
		t.Errorf("501 by 501 tools: got %d renamed and %d probable, want none", len(p.Renamed), len(p.Probable))
	}
	if p = Pairs(many(500, "old", twenty), many(500, "new", twenty+" more")); len(p.Renamed) != 500 {
		t.Errorf("500 by 500 tools: got %d renamed, want 500", len(p.Renamed))
	}
}

// TestPairsOfLongTextsBounded pins that long descriptions do not take long.
func TestPairsOfLongTextsBounded(t *testing.T) {
	thorough.Only(t, "it takes half a second")
	var long strings.Builder
	for i := range 5_000 {
		fmt.Fprintf(&long, " word%d", i)
	}
	if p := Pairs(many(200, "old", long.String()), many(200, "new", long.String()+" more")); len(p.Renamed) == 200 {
		t.Error("200 by 200 tools of 5,000 words: all are held against each other, want only so many words looked at")
	}
}

// TestPairsPublished takes every two tools of one server of the published catalogs for one that was removed and one that
// was added. None of these is a rename: those that are left have the same description, word for word.
func TestPairsPublished(t *testing.T) {
	files := published(t)
	var got []string
	for _, file := range slices.Sorted(maps.Keys(files)) {
		c, mistakes := Read(file, files[file])
		if err := mistakes.Err(); err != nil {
			t.Fatal(err)
		}
		alike := map[string][]*Tool{}
		for _, tool := range c.Tools {
			key := bareSchema(schema.Decode(tool.InputSchema))
			others := alike[key]
			alike[key] = append(others, tool)
			for _, other := range others {
				p := Pairs(&Catalog{Tools: []*Tool{other}}, &Catalog{Tools: []*Tool{tool}})
				for _, pair := range p.Renamed {
					got = append(got, fmt.Sprintf("%s: %s %s", file, pair.Base.Name, pair.Head.Name))
				}
			}
		}
	}
	want := []string{
		"catalogs/docker/wayfound.json: get_agent_details get_manager_analysis_for_agent",
		"catalogs/tau-bench-airline.json: search_direct_flight search_onestop_flight",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPairsPublishedVersions pairs the catalogs of successive versions of one server, in which one was renamed and some
// were merged.
func TestPairsPublishedVersions(t *testing.T) {
	files := published(t)
	catalogOf := func(version string) *Catalog {
		c, _ := Read("c.json", files["catalogs/github-mcp-server"+version+".json"])
		return c
	}
	got, renamed := map[string]string{}, []string{}
	for _, versions := range [][2]string{{"-v0.6.0", "-v0.13.0"}, {"-v0.13.0", "-v0.20.0"}, {"-v0.20.0", "-v1.0.0"}, {"-v1.0.0", ""}} {
		p := Pairs(catalogOf(versions[0]), catalogOf(versions[1]))
		for _, pair := range p.Probable {
			got[pair.Base.Name] = pair.Head.Name
		}
		for _, pair := range p.Renamed {
			renamed = append(renamed, pair.Base.Name+" "+pair.Head.Name)
		}
	}
	if want := []string{"add_pull_request_review_comment_to_pending_review add_comment_to_pending_review"}; !slices.Equal(renamed, want) {
		t.Errorf("got %q renamed, want %q", renamed, want)
	}
	for _, name := range []string{"get_issue", "get_issue_comments"} {
		if got[name] != "issue_read" {
			t.Errorf("%s is probably %q now, want issue_read", name, got[name])
		}
	}
}

func BenchmarkPairs(b *testing.B) {
	for _, n := range []int{500, 10_000} {
		base, head := many(n, "old", twenty), many(n, "new", twenty)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Pairs(base, head)
			}
		})
	}
}
