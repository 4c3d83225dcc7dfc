package suite

import (
	"encoding/hex"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/imports"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Log configures how a case reads the logs of another program that its Cassettes name.
type Log struct {
	Format    string // a format of package imports, or imports.Auto
	Where     imports.Where
	Split     imports.Split
	Subagents imports.Subagents
	Builtins  string // builtins: of the log; "" if absent
}

// These are the values of builtins:.
const (
	builtinsApart = "apart"
	builtinsCount = trace.BuiltinsCount
)

func readBuiltins(m *yamlread.Map) string {
	return judge.ReadChoice(m, "builtins", builtinsApart, builtinsCount)
}

func (r *reader) readLog(m *yamlread.Map, d *draft) (yamlread.Value, bool) {
	log := &Log{Builtins: readBuiltins(m)}
	d.Log = log
	log.Format = r.readFormat(m)
	log.Split = imports.Split(judge.ReadChoice(m, "split", string(imports.SplitSession), string(imports.SplitTurn)))
	log.Subagents = imports.Subagents(judge.ReadChoice(m, "subagents", string(imports.SubagentsInclude), string(imports.SubagentsLeaveOut)))
	r.readWhere(m, &log.Where)
	path, ok := m.Value("path")
	if !ok {
		m.Errorf(m.Pos(), `"path" is missing, expected the path or glob of the logs`)
	}
	m.Done()
	return path, ok
}

func (r *reader) readFormat(m *yamlread.Map) string {
	format, ok := m.OptStr("format")
	names := append(imports.Names(), imports.Auto)
	if ok && !slices.Contains(names, format.Value) {
		r.errs.Addf(format.Pos, `"format" must be one of %s, found %q%s`, quoted(names), clip(format.Value), source.DidYouMean(clip(format.Value), names))
	}
	if !ok {
		return imports.Auto
	}
	return format.Value
}

func (r *reader) readWhere(m *yamlread.Map, where *imports.Where) {
	block := m.Map("where")
	if block == nil {
		return
	}
	for _, one := range []struct {
		key string
		to  *string
	}{
		{"prompt", &where.Prompt}, {"prompt_sha256", &where.PromptSHA256}, {"model", &where.Model}, {"cwd", &where.Cwd},
	} {
		text, ok := block.OptStr(one.key)
		if ok && text.Value == "" {
			r.errs.Addf(text.Pos, "%q must not be empty", one.key)
		}
		*one.to = text.Value
		if sum, err := hex.DecodeString(text.Value); ok && one.key == "prompt_sha256" && (err != nil || len(sum) != 32) {
			r.errs.Addf(text.Pos, `"prompt_sha256" must be 64 hex digits, found %q`, clip(text.Value))
		}
	}
	where.Metadata = map[string]string{}
	readMetadata(block.Map("metadata").Entries(), where.Metadata)
	readMetadata(block.Prefixed(metadataPrefix), where.Metadata)
	block.Done()
}

// metadataPrefix is the prefix of those keys of where: that select a run's metadata.
const metadataPrefix = "metadata."

// readMetadata reads the metadata that a run must have. Numbers and truth values are compared as text.
func readMetadata(entries []yamlread.Entry, to map[string]string) {
	for _, e := range entries {
		switch e.Value.Kind() {
		case yamlread.MapKind, yamlread.ListKind, yamlread.NullKind:
			e.Value.Errorf("%q must be a text, found %s", e.Key.Value, e.Value.Describe())
		default:
			to[strings.TrimPrefix(e.Key.Value, metadataPrefix)] = e.Value.Text()
		}
	}
}

// forCase returns the log with the case's prompt, and in a matrix its model, as defaults in where:.
func (l *Log) forCase(c *Case) *Log {
	if l == nil {
		return nil
	}
	own := *l
	if own.Where.Prompt == "" && own.Where.PromptSHA256 == "" {
		own.Where.Prompt = c.Recorded.Prompt
	}
	if own.Where.Model == "" && c.Matrix {
		own.Where.Model = c.Model
	}
	return &own
}

func (l *Log) addSettings(list *settingList, at source.Pos) {
	list.add("cassette.format", judge.TextSetting(l.Format), at)
	list.add("cassette.split", judge.TextSetting(string(l.Split)), at)
	list.add("cassette.subagents", judge.TextSetting(string(l.Subagents)), at)
	where := map[string]string{}
	for key, value := range map[string]string{"prompt_sha256": l.Where.PromptSHA256, "model": l.Where.Model, "cwd": l.Where.Cwd} {
		if value != "" {
			where[key] = value
		}
	}
	if l.Where.Prompt != "" {
		where["prompt"] = "SHA-256 " + trace.PromptSHA256(l.Where.Prompt)
	}
	for key, value := range l.Where.Metadata {
		where["metadata."+key] = value
	}
	list.add("cassette.where", judge.CompactJSON(where), at)
}
