package suite

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/yamlread"
)

// caseSettings returns everything in the suite that bears on the verdict of c, which was read from m, but for the texts
// that the agent is given: a recording of others is stale.
func (r *reader) caseSettings(c *Case, m *yamlread.Map) []gates.Setting {
	if !r.loader.Settings {
		return nil
	}
	var list []gates.Setting
	add := func(key, value string, line int) {
		list = append(list, gates.Setting{Key: key, Value: value, Line: line})
	}
	if c.Kind == AgentTest {
		add("runs", strconv.Itoa(c.Runs), m.KeyPos("runs").Line)
		add("allow_run_errors", strconv.Itoa(c.AllowRunErrors), m.KeyPos("allow_run_errors").Line)
		add("stale_catalog", cmp.Or(string(c.StaleCatalog), "default"), m.KeyPos("stale_catalog").Line)
		add("cassette", jsonText(c.Cassettes), c.CassettePos.Line)
	}
	for _, s := range c.Servers {
		if s.Snapshot != nil {
			add("servers["+jsonText(s.Name)+"].catalog", s.Snapshot.File, s.Pos.Line)
		}
	}
	if price, ok := r.suite.Pricing[c.Model]; ok {
		line := r.root.KeyPos("pricing").Line
		add("pricing.input", price.Input.RatString(), line)
		add("pricing.output", price.Output.RatString(), line)
	}
	list = append(list, c.Expect.Settings()...)
	for _, check := range c.Checks {
		list = append(list, check.Settings...)
	}
	slices.SortStableFunc(list, func(a, b gates.Setting) int { return cmp.Compare(a.Key, b.Key) })
	return list
}

// jsonText returns a text or a list of texts as JSON.
func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "" // unreachable: texts can be encoded
	}
	return string(text)
}
