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
	key       string
	field     func(*Header) *string
	mustAgree bool     // the cassettes of a trace that have the key must have the same value
	isHash    bool     // the value is a SHA-256 in hex
	choices   []string // allowed values; nil for any
}

var headerTexts = []headerText{
	{key: "test", field: func(h *Header) *string { return &h.Test }, mustAgree: true},
	{key: "model", field: func(h *Header) *string { return &h.Model }, mustAgree: true},
	{key: "provider", field: func(h *Header) *string { return &h.Provider }},
	{key: "provider_model", field: func(h *Header) *string { return &h.ProviderModel }},
	{key: "recorded_at", field: func(h *Header) *string { return &h.RecordedAt }},
	{key: "recorder", field: func(h *Header) *string { return &h.Recorder }},
	{key: "prompt_sha256", field: func(h *Header) *string { return &h.PromptSHA256 }, mustAgree: true, isHash: true},
	{key: "system_prompt_sha256", field: func(h *Header) *string { return &h.SystemPromptSHA256 }, mustAgree: true, isHash: true},
	{key: "catalog_sha256", field: func(h *Header) *string { return &h.CatalogSHA256 }, mustAgree: true, isHash: true},
	{key: "agent", field: func(h *Header) *string { return &h.Agent }},
	{key: "agent_sha256", field: func(h *Header) *string { return &h.AgentSHA256 }, mustAgree: true, isHash: true},
	{key: "agent_run", field: func(h *Header) *string { return &h.AgentRun }, mustAgree: true},
	{key: "agent_version", field: func(h *Header) *string { return &h.AgentVersion }},
	{key: "tool_search", field: func(h *Header) *string { return &h.ToolSearch }, mustAgree: true, choices: []string{SearchOff, SearchOn}},
	{key: "deferred_by", field: func(h *Header) *string { return &h.DeferredBy }, mustAgree: true},
	{key: "builtins", field: func(h *Header) *string { return &h.Builtins }, mustAgree: true},
}

// readHeaderKey reads the value of a key of the header, and reports whether key is such a key.
func (r *reader) readHeaderKey(key string) bool {
	switch key {
	case "catalog":
		r.readCatalog()
	case "distractors":
		r.distractorsAt = r.json.Offset()
		r.own.Distractors = r.readRefs(`"distractors"`, "a distractor", math.MaxInt)
	case "deferred":
		r.own.Deferred = r.readRefs(`"deferred"`, "a deferred tool", MaxDeferred)
	case "faults":
		r.readFaults()
	default:
		i := slices.IndexFunc(headerTexts, func(t headerText) bool { return t.key == key })
		if i < 0 {
			return false
		}
		r.readHeaderText(headerTexts[i])
	}
	return true
}

func (r *reader) readHeaderText(t headerText) {
	offset, what, read := r.json.Offset(), strconv.Quote(t.key), r.readText
	if t.isHash {
		read = r.readHash
	}
	value := read(what)
	if value != "" && t.choices != nil && !slices.Contains(t.choices, value) {
		r.json.Mistakef(offset, "%s must be %s, found %.80q", what, strings.Join(t.choices, " or "), value)
		value = ""
	}
	before := *t.field(&r.into.Header)
	differs := value != "" && before != "" && value != before
	if t.mustAgree && differs {
		r.json.Mistakef(offset, "%s is %.80q, expected %.80q as in the cassettes before", what, value, before)
	}
	*t.field(&r.own) = value
}

func (r *reader) readText(what string) string { return r.readOptional(what, maxText) }

func (r *reader) readName(what string) string { return r.readOptional(what, MaxName) }

// readOptional reads a text of at most limit bytes; "" for null.
func (r *reader) readOptional(what string, limit int) string {
	if r.json.Null() {
		return ""
	}
	return r.readBounded(what, limit)
}

func (r *reader) readBounded(what string, most int) string {
	offset := r.json.Offset()
	text, _ := r.json.Word(what)
	if len(text) > most {
		r.json.Mistakef(offset, "%s is %d bytes long, at most %d are read", what, len(text), most)
		return ""
	}
	return text
}

func (r *reader) readHash(what string) string {
	offset := r.json.Offset()
	text := r.readText(what)
	if sum, err := hex.DecodeString(text); text != "" && (err != nil || len(sum) != 32) {
		r.json.Mistakef(offset, "%s must be 64 hex digits, found %.80q", what, text)
	}
	return strings.ToLower(text)
}

func (r *reader) readCatalog() {
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

// mergeHeader compares the header with those of the previous cassettes, and adds the values that they lack.
func (r *reader) mergeHeader() {
	before, own := &r.into.Header, &r.own
	r.into.Sources = append(r.into.Sources, Source{
		File: r.file, Runs: len(r.into.Runs) - r.runsBefore, Recorder: own.Recorder,
		Hashed: own.PromptSHA256 != "" && own.CatalogSHA256 != "", Keeps: own.Keeps(),
		Sealed: own.Recorded != nil && own.CatalogSHA256 != "",
	})
	r.mergeFaults(before, own) // first, because it needs to know whether the previous cassettes had the hash of the prompt
	for _, t := range headerTexts {
		*t.field(before) = cmp.Or(*t.field(before), *t.field(own))
	}
	r.mergeDistractors(before, own)
	before.Deferred = UnionOf(before.Deferred, own.Deferred) // tools that any of the runs did not see from the start
	r.mergeCatalog(before, own)
}

func (r *reader) mergeDistractors(before, own *Header) {
	if before.Distractors == nil {
		before.Distractors = own.Distractors
	}
	if own.Distractors != nil && !slices.Equal(before.Distractors, own.Distractors) {
		r.json.Mistakef(r.distractorsAt, `"distractors" differ from those of the cassettes before`)
	}
	if n := len(before.Distractors); before.Distractors != nil && r.mostOffered.n > int64(n) {
		r.json.Mistakef(r.mostOffered.offset, `"distractors" of a run is %d, expected at most the %d of the list`, r.mostOffered.n, n)
	}
}

func (r *reader) mergeCatalog(before, own *Header) {
	switch {
	case own.Recorded == nil:
	case before.Recorded == nil:
		before.Recorded = own.Recorded
	case recordedHash(before) != recordedHash(own):
		r.json.Mistakef(r.catalogAt, `"catalog" differs from that of the cassettes before`)
	}
}

// recordedHash returns the hash of the recorded catalog in the form of catalog_sha256, without the injected tools.
func recordedHash(h *Header) string {
	return h.Recorded.Without(h.Distractors).SHA256()
}
