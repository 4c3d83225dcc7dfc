package suite

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// settingList collects the settings of a case.
type settingList []judge.Setting

func (l *settingList) add(key, value string, at source.Pos) {
	*l = append(*l, judge.Setting{Key: key, Value: value, File: at.File, Line: at.Line})
}

// caseSettings returns all settings that decide the verdict of a case; nil unless the loader fills in settings.
func (r *reader) caseSettings(c *Case, m *yamlread.Map) []judge.Setting {
	if !r.loader.Settings {
		return nil
	}
	var list settingList
	if c.Kind == AgentTest {
		list.add("runs", strconv.Itoa(c.Runs), m.KeyPos("runs"))
		list.add("allow_run_errors", strconv.Itoa(c.AllowRunErrors), m.KeyPos("allow_run_errors"))
		list.add("stale_catalog", cmp.Or(string(c.StaleCatalog), "default"), m.KeyPos("stale_catalog"))
		list.add("cassette", judge.CompactJSON(c.Cassettes), c.CassettePos)
		if c.ErrorPattern != nil {
			list.add("error_pattern", judge.TextSetting(c.ErrorPattern.String()), m.KeyPos("error_pattern"))
		}
		if c.Log != nil {
			c.Log.addSettings(&list, c.CassettePos)
		}
		if c.Builtins != "" || c.Log != nil {
			list.add("builtins", strconv.FormatBool(c.CountsBuiltins("")), m.KeyPos("builtins"))
		}
		list.addInputs(c, m)
		list.addFaults(c)
		list.addDeferred(c.Deferred)
		r.addDeclared(&list, c)
	}
	for _, s := range c.Servers {
		if s.Snapshot != nil {
			list.add("servers["+judge.CompactJSON(s.Name)+"].catalog", judge.TextSetting(s.Snapshot.File), s.Pos)
		}
	}
	if c.Kind != AgentTest && len(c.Servers) == 0 && c.Catalog != nil && c.Catalog.File != r.suite.File {
		list.add("catalog", catalogSetting(c), c.Pos)
	}
	if price, ok := r.suite.Pricing[c.Model]; ok {
		at := r.priced[c.Model]
		list.add("pricing.input", price.Input.RatString(), at)
		list.add("pricing.output", price.Output.RatString(), at)
	}
	list = append(list, c.Expect.Settings()...)
	for _, check := range c.Checks {
		list = append(list, check.Settings...)
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		return cmp.Compare(a.Key, b.Key) < 0
	})
	return list
}

func catalogSetting(c *Case) string {
	if len(c.Files) < 2 {
		return judge.TextSetting(c.Catalog.File)
	}
	return judge.CompactJSON(lists.Map(c.Files, func(file CatalogFile) string { return file.Path }))
}

// addInputs adds the inputs of the agent, which are compared with recordings. Prompts are represented by their hash, as in
// recordings, because reports repeat settings.
func (l *settingList) addInputs(c *Case, m *yamlread.Map) {
	at := func(keys ...string) source.Pos {
		for _, key := range keys {
			if at := m.KeyPos(key); m.Has(key) {
				return at
			}
		}
		return c.Pos
	}
	if c.Model != "" {
		l.add("model", judge.TextSetting(c.Model), at("model", "models"))
	}
	if c.Agent != nil {
		l.add(trace.KeepsAgent, c.Agent.setting(), c.Agent.Pos)
	}
	if c.HasPrompt {
		l.add("prompt", "SHA-256 "+trace.PromptSHA256(c.Recorded.Prompt), at("prompt", "user_prompt"))
	}
	if c.HasSystemPrompt {
		l.add("system_prompt", "SHA-256 "+trace.PromptSHA256(c.Recorded.SystemPrompt), at("system_prompt"))
	}
	if c.ServerNames != nil {
		l.add("servers", judge.CompactJSON(c.ServerNames), at("servers", "server"))
	}
}

// A member with a dot can be read in two ways. The suite's declared servers decide.
const (
	ofDeclared = "the tool of a declared server"
	ofAny      = "a tool of any server"
)

// addDeclared adds settings that depend on the declared servers: what a member with a dot means, and which servers have no
// catalog.
func (r *reader) addDeclared(l *settingList, c *Case) {
	seen := map[string]bool{}
	for _, m := range slices.Concat(c.Members, c.Listed) {
		if seen[m.Name] || !strings.Contains(m.Name, ".") {
			continue
		}
		seen[m.Name] = true
		meaning := ofAny
		if r.bareName(m.Name) != m.Name {
			meaning = ofDeclared
		}
		l.add("members["+judge.CompactJSON(m.Name)+"]", meaning, m.Pos)
	}
	if !slices.ContainsFunc(c.Checks, func(check judge.Check) bool { return check.Gate == gates.Orchestration }) {
		return
	}
	unlisted, at := []string{}, c.Pos
	for _, name := range r.serverNames {
		if s := r.servers[name]; s.Snapshot == nil {
			unlisted, at = append(unlisted, name), s.Pos
		}
	}
	l.add("servers without catalog", judge.CompactJSON(unlisted), at)
}
