package history

import (
	"context"
	"strings"
	"testing"
)

const oneTool = `{"tools":[{"name":"find","description":"Finds the tickets of a desk by their words. Returns their names.","inputSchema":{"type":"object","properties":{}}}]}`

// TestCompareFollowsMoves pins that a commit is compared with its parent under the names of that time: what a commit changes in a
// catalog that was moved since is found, and the commit that moves it changes no tool.
func TestCompareFollowsMoves(t *testing.T) {
	more := strings.Replace(oneTool, "by their words", "by the words of their titles, their texts and all that was said on them", 1)
	longest := strings.Replace(more, "Returns their names.", "Returns their names, owners, states, dates, labels and links, the newest first.", 1)
	r := newRepo(t).commit("begin", map[string]string{"old/tools.json": oneTool}).
		commit("say more", map[string]string{"old/tools.json": more}).
		commit("move", map[string]string{"old/tools.json": "", "new/tools.json": more}).
		commit("say most", map[string]string{"new/tools.json": longest})
	_, objects, head := r.open()
	o := Options{Head: head, Catalogs: []NamedCatalog{{Server: "desk", Path: "new/tools.json"}}}
	h, err := Read(context.Background(), objects, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := Compare(context.Background(), objects, o, h); err != nil {
		t.Fatal(err)
	}
	changed := map[string]int{}
	for _, p := range h.Points {
		one, known := h.Compared[p.SHA]
		if !known {
			continue
		}
		if one.Report == nil {
			t.Fatalf("%s is not compared: %s", p.Subject, one.Why)
		}
		for _, tool := range one.Report.Baseline.Tools {
			if tool.Kind != "changed" || len(tool.Parts) == 0 {
				t.Errorf("%s has the tool %s as %s in %d parts", p.Subject, tool.Name, tool.Kind, len(tool.Parts))
			}
		}
		changed[p.Subject] = len(one.Report.Baseline.Tools)
	}
	if len(changed) != 2 || changed["say more"] != 1 || changed["say most"] != 1 {
		t.Errorf("changed tools are %v, want one in say more and one in say most", changed)
	}
}
