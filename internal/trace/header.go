package trace

import (
	"cmp"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
)

// headerText is a text field of the header.
type headerText struct {
	key    string
	at     func(*Header) *string
	agreed bool     // all cassettes of a trace that have the key must have the same value
	hash   bool     // a SHA-256
	choice []string // allowed values; nil for any
}

var headerTexts = []headerText{
	{key: "test", at: func(h *Header) *string { return &h.Test }, agreed: true},
	{key: "model", at: func(h *Header) *string { return &h.Model }, agreed: true},
	{key: "provider", at: func(h *Header) *string { return &h.Provider }},
	{key: "provider_model", at: func(h *Header) *string { return &h.ProviderModel }},
	{key: "recorded_at", at: func(h *Header) *string { return &h.RecordedAt }},
	{key: "recorder", at: func(h *Header) *string { return &h.Recorder }},
	{key: "prompt_sha256", at: func(h *Header) *string { return &h.PromptSHA256 }, agreed: true, hash: true},
	{key: "system_prompt_sha256", at: func(h *Header) *string { return &h.SystemPromptSHA256 }, agreed: true, hash: true},
	{key: "catalog_sha256", at: func(h *Header) *string { return &h.CatalogSHA256 }, agreed: true, hash: true},
	{key: "agent", at: func(h *Header) *string { return &h.Agent }},
	{key: "agent_sha256", at: func(h *Header) *string { return &h.AgentSHA256 }, agreed: true, hash: true},
	{key: "agent_run", at: func(h *Header) *string { return &h.AgentRun }, agreed: true},
	{key: "agent_version", at: func(h *Header) *string { return &h.AgentVersion }},
	{key: "tool_search", at: func(h *Header) *string { return &h.ToolSearch }, agreed: true, choice: []string{SearchOff, SearchOn}},
	{key: "deferred_by", at: func(h *Header) *string { return &h.DeferredBy }, agreed: true},
	{key: "builtins", at: func(h *Header) *string { return &h.Builtins }, agreed: true},
}

// header reads the value of a key of the header, and reports whether key is such a key.
func (r *reader) header(key string) bool {
	switch key {
	case "catalog":
		r.catalog()
		return true
	case "distractors":
		r.distractors()
		return true
	case "deferred":
		r.deferred()
		return true
	case "faults":
		r.faults()
		return true
	}
	i := slices.IndexFunc(headerTexts, func(t headerText) bool { return t.key == key })
	if i >= 0 {
		r.headerText(headerTexts[i])
	}
	return i >= 0
}

func (r *reader) headerText(t headerText) {
	offset, what, read := r.json.Offset(), strconv.Quote(t.key), r.text
	if t.hash {
		read = r.hash
	}
	value, before := read(what), *t.at(&r.into.Header)
	if value != "" && t.choice != nil && !slices.Contains(t.choice, value) {
		r.json.Mistakef(offset, "%s must be %s, found %.80q", what, strings.Join(t.choice, " or "), value)
		value = ""
	}
	if t.agreed && value != "" && before != "" && value != before {
		r.json.Mistakef(offset, "%s is %.80q, expected %.80q as in the cassettes before", what, value, before)
	}
	*t.at(&r.own) = value
}

func (r *reader) text(what string) string {
	if r.json.Null() {
		return ""
	}
	return r.bounded(what, maxText)
}

func (r *reader) name(what string) string {
	if r.json.Null() {
		return ""
	}
	return r.bounded(what, MaxName)
}

func (r *reader) bounded(what string, most int) string {
	offset := r.json.Offset()
	text, _ := r.json.Word(what)
	if len(text) > most {
		r.json.Mistakef(offset, "%s is %d bytes long, at most %d are read", what, len(text), most)
		return ""
	}
	return text
}

func (r *reader) hash(what string) string {
	offset := r.json.Offset()
	text := r.text(what)
	if sum, err := hex.DecodeString(text); text != "" && (err != nil || len(sum) != 32) {
		r.json.Mistakef(offset, "%s must be 64 hex digits, found %.80q", what, text)
	}
	return strings.ToLower(text)
}

func (r *reader) catalog() {
	r.catalogAt = r.json.Offset()
	raw := r.json.Raw()
	if len(raw) > source.MaxCatalog {
		r.json.Mistakef(r.catalogAt, `"catalog" is %d bytes long, at most %d are read`, len(raw), source.MaxCatalog)
		return
	}
	recorded, err := catalog.FromServers(raw)
	if err != nil {
		r.json.Mistakef(r.catalogAt, `"catalog": %s`, strings.ReplaceAll(err.Error(), "\n", "; "))
		return
	}
	r.own.Recorded = recorded
}

func (r *reader) distractors() {
	r.listAt = r.json.Offset()
	r.own.Distractors = r.refs(`"distractors"`, "a distractor", math.MaxInt)
}

// finish compares the header with those of the previous cassettes, and adds the values that they lack.
func (r *reader) finish() {
	before, own := &r.into.Header, &r.own
	r.into.Sources = append(r.into.Sources, Source{
		File: r.file, Runs: len(r.into.Runs) - r.before, Recorder: own.Recorder,
		Hashed: own.PromptSHA256 != "" && own.CatalogSHA256 != "", Keeps: own.Keeps(),
		Sealed: own.Recorded != nil && own.CatalogSHA256 != "",
	})
	r.finishFaults(before, own) // first, because it needs to know whether the previous cassettes had the hash of the prompt
	for _, t := range headerTexts {
		*t.at(before) = cmp.Or(*t.at(before), *t.at(own))
	}
	r.finishDistractors(before, own)
	r.finishDeferred(before, own)
	r.finishCatalog(before, own)
}

func (r *reader) finishDistractors(before, own *Header) {
	if before.Distractors == nil {
		before.Distractors = own.Distractors
	}
	if own.Distractors != nil && !slices.Equal(before.Distractors, own.Distractors) {
		r.json.Mistakef(r.listAt, `"distractors" differ from those of the cassettes before`)
	}
	if n := len(before.Distractors); before.Distractors != nil && r.offered.n > int64(n) {
		r.json.Mistakef(r.offered.offset, `"distractors" of a run is %d, expected at most the %d of the list`, r.offered.n, n)
	}
}

func (r *reader) finishCatalog(before, own *Header) {
	if before.Recorded == nil || own.Recorded == nil {
		if before.Recorded == nil {
			before.Recorded = own.Recorded
		}
		return
	}
	if recordedHash(before) != recordedHash(own) {
		r.json.Mistakef(r.catalogAt, `"catalog" differs from that of the cassettes before`)
	}
}

// recordedHash returns the hash of the recorded catalog in the form of catalog_sha256, without the injected tools.
func recordedHash(h *Header) string {
	return h.Recorded.Without(h.Distractors).SHA256()
}
