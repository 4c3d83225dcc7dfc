package suite

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"

	"github.com/org/mcp-gates/internal/bench"
	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/intents"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// withIntents reads the file that intents: of an entry of tool_bench or findability names. It returns the entry with the file's
// intents as the value of intents:, and the list that was read. The list is nil if the entry names no file, or a
// file that cannot be used, which was reported.
func (r *reader) withIntents(m *yamlread.Map, c *Case) (*yamlread.Map, *intents.List) {
	if c.Kind == ToolQuality {
		return m, nil
	}
	block, list := bench.WithIntents(m, c.Catalog, r.openIntents)
	if list != nil {
		if said := list.LeftOut(); said != "" {
			r.warnf(m.KeyPos("intents"), "%s", said)
		}
	}
	return block, list
}

func (r *reader) openIntents(v yamlread.Value) (file string, data []byte, ok bool) {
	name, ok := r.readPath(v, "file")
	if !ok {
		return "", nil, false
	}
	data, err := r.loader.readSuiteFile(name)
	if err != nil {
		v.Errorf("intents %q: %s", clip(name), source.ErrorsOf(err)[0].Msg)
		return "", nil, false
	}
	if r.loader.Settings {
		own := r.suite.SHA256
		r.suite.SHA256 = sha256.Sum256(fmt.Appendf(own[:], "%q %x\n", name, sha256.Sum256(data)))
	}
	return name, data, true
}

// intentsSetting is the key of the setting that has all intents of an entry.
var intentsSetting = gates.ToolBench.Name + ".intents"

// settingsByTool replaces the setting of all intents by a setting for each tool, with the intents of that tool. A file has many
// intents, so two files are compared tool by tool.
func settingsByTool(list []judge.Setting, plan judge.Plan) []judge.Setting {
	at := slices.IndexFunc(list, func(s judge.Setting) bool { return s.Key == intentsSetting })
	b, ok := plan.Measurer.(gates.Benchmarker)
	if at < 0 || !ok {
		return list
	}
	return append(slices.Delete(slices.Clone(list), at, at+1), intentSettings(intentsSetting, b.Benchmark().Intents, list[at])...)
}

// intentSettings returns a setting for each tool, with its intents, and a setting for each intent that must have a rank.
func intentSettings(key string, intents []bench.Intent, at judge.Setting) (list []judge.Setting) {
	queries, tools := map[string][]string{}, []string(nil)
	of := func(key, what string) judge.Setting {
		return judge.Setting{Key: key + "[" + judge.CompactJSON(what) + "]", File: at.File, Line: at.Line}
	}
	for _, intent := range intents {
		for _, name := range intent.Names {
			if queries[name] == nil {
				tools = append(tools, name)
			}
			queries[name] = append(queries[name], intent.Query)
		}
		if intent.MaxRank > 0 {
			list = append(list, of(key+".max_rank", intent.Query).With(strconv.Itoa(intent.MaxRank)))
		}
	}
	for _, name := range tools {
		list = append(list, of(key, name).With(judge.CompactJSON(queries[name])))
	}
	return list
}
