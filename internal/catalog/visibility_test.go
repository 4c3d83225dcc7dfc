package catalog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/redact"
)

func TestForAppsOnly(t *testing.T) {
	for _, one := range []struct {
		meta string
		want bool
	}{
		{`{"ui": {"visibility": ["app"]}}`, true},
		{`{"ui": {"visibility": ["app", "app"]}}`, true},
		{`{"ui": {"visibility": []}}`, true},
		{`{"ui": {"visibility": [null, 7, "Model", " model", ["model"], {"model": "model"}]}}`, true},
		{`{"\u0075i": {"visi\u0062ility": ["app"]}}`, true},
		{`{"ui": {"visibility": ["model"]}, "ui": {"visibility": ["app"]}}`, true}, // of a key that stands twice clients take the last
		{`{"ui": {"visibility": ["app"]}, "ui": {"visibility": ["model"]}}`, false},
		{`{"ui": {"visibility": ["app", "model"]}}`, false},
		{`{"ui": {"visibility": ["mod\u0065l"]}}`, false},
		{`{"ui": {"visibility": "app"}}`, false},
		{`{"ui": {"visibility": null}}`, false},
		{`{"ui": {"visibility": {"app": true}}}`, false},
		{`{"ui": {"resourceUri": "ui://a"}}`, false},
		{`{"ui": ["visibility", "app"]}`, false},
		{`{"ui/visibility": ["app"], "visibility": ["app"], "openai/visibility": "private"}`, false},
		{`["ui", {"visibility": ["app"]}]`, false},
		{`null`, false},
		{`"visibility"`, false},
	} {
		file := fmt.Sprintf(`{"tools": [{"name": "a"}, {"name": "b", "_meta": %s}]}`, one.meta)
		cat, errs := Read("c.json", []byte(file))
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		if got := len(cat.Hidden) == 1; got != one.want || len(cat.All()) != 2 {
			t.Errorf("%s: hidden %v, want %v", one.meta, got, one.want)
		}
	}
}

const withHidden = `{"servers": {"s": {"tools": [
	{"name": "a", "_meta": {"ui": {"visibility": ["app"]}}, "description": "Send sk-proj-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa to nobody."},
	{"name": "b"}]}}}`

// Whatever is made of a catalog, its hidden tools stay hidden, and are not lost.
func TestHiddenToolsAreKept(t *testing.T) {
	cat, errs := Read("c.json", []byte(withHidden))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	again, errs := Read("c.json", Write(cat.All()))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	var rules *redact.Rules
	for name, got := range map[string]*Catalog{
		"read":     cat,
		"written":  again,
		"named":    cat.Named("other"),
		"without":  cat.Without(nil),
		"merged":   Merge(nil, cat, nil),
		"redacted": cat.Redacted(rules.File()),
	} {
		if len(got.Tools) != 1 || got.Tools[0].Name != "b" || len(got.Hidden) != 1 || got.Hidden[0].Name != "a" || !got.Hidden[0].ForAppsOnly() {
			t.Errorf("%s: %d tools, %d hidden, want b and a", name, len(got.Tools), len(got.Hidden))
		}
	}
	if text := string(cat.Redacted(rules.File()).Hidden[0].Raw); strings.Contains(text, "sk-proj") {
		t.Errorf("the secret of a hidden tool is in %s", text)
	}
	if twice := Merge(cat, cat); len(twice.Tools) != 2 || len(twice.Hidden) != 2 || len(cat.Hidden) != 1 {
		t.Errorf("merged: %d tools, %d hidden", len(twice.Tools), len(twice.Hidden))
	}
}

// A hidden tool is a change to models: the hash of what they are offered differs, and it is in no list but its own.
func TestHiding(t *testing.T) {
	before, _ := Read("c.json", []byte(strings.Replace(withHidden, `["app"]`, `["model"]`, 1)))
	after, _ := Read("c.json", []byte(withHidden))
	if before.SHA256() == after.SHA256() {
		t.Error("the hash is the same")
	}
	if d := Compare(before, after); len(d.Hidden) != 1 || len(d.Removed)+len(d.Added)+len(d.Changed) > 0 || d.Empty() {
		t.Errorf("hiding: %+v", d)
	}
	if d := Compare(after, before); len(d.Added) != 1 || len(d.Removed)+len(d.Hidden)+len(d.Changed) > 0 {
		t.Errorf("showing: %+v", d)
	}
	if p := Pairs(before, after); len(p.Hidden) != 1 || len(p.Removed)+len(p.Probable)+len(p.Renamed) > 0 || p.Hidden[0].Head != after.Hidden[0] {
		t.Errorf("hiding: %+v", p)
	}
	// One that models have under another name was renamed, and one that is there for both is the same.
	const renamed = `{"tools": [{"name": "a", "description": "Count the open tickets.", "_meta": {"ui": {"visibility": ["app"]}}}, {"name": "c", "description": "Count the open tickets."}]}`
	const named = `{"tools": [{"name": "a", "description": "Count the open tickets."}]}`
	old, _ := Read("c.json", []byte(named))
	now, _ := Read("c.json", []byte(renamed))
	if p := Pairs(old, now); len(p.Renamed) != 1 || len(p.Hidden)+len(p.Removed)+len(p.Added) > 0 {
		t.Errorf("renamed: %+v", p)
	}
	both, _ := Read("c.json", []byte(strings.Replace(renamed, `"c"`, `"a"`, 1)))
	if p := Pairs(old, both); len(p.Same) != 1 || len(p.Hidden)+len(p.Removed)+len(p.Added) > 0 {
		t.Errorf("both: %+v", p)
	}
}
