package trace

import (
	"encoding/hex"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
)

// header reads the value of a key above the runs, and reports whether key is one.
func (r *reader) header(key string) bool {
	before := &r.into.Header
	switch key {
	case "test":
		r.own.Test = r.agreed(`"test"`, before.Test, r.text)
	case "model":
		r.own.Model = r.agreed(`"model"`, before.Model, r.text)
	case "provider":
		r.own.Provider = r.text(`"provider"`)
	case "provider_model":
		r.own.ProviderModel = r.text(`"provider_model"`)
	case "recorded_at":
		r.own.RecordedAt = r.text(`"recorded_at"`)
	case "recorder":
		r.own.Recorder = r.text(`"recorder"`)
	case "prompt_sha256":
		r.own.PromptSHA256 = r.agreed(`"prompt_sha256"`, before.PromptSHA256, r.hash)
	case "system_prompt_sha256":
		r.own.SystemPromptSHA256 = r.agreed(`"system_prompt_sha256"`, before.SystemPromptSHA256, r.hash)
	case "catalog_sha256":
		r.own.CatalogSHA256 = r.agreed(`"catalog_sha256"`, before.CatalogSHA256, r.hash)
	case "catalog":
		r.catalog()
	case "distractors":
		r.distractors()
	default:
		return false
	}
	return true
}

// text reads an optional text; null is none.
func (r *reader) text(what string) string {
	if r.json.Null() {
		return ""
	}
	text, _ := r.json.Word(what)
	return text
}

// hash reads an optional SHA-256.
func (r *reader) hash(what string) string {
	offset := r.json.Offset()
	text := r.text(what)
	if sum, err := hex.DecodeString(text); text != "" && (err != nil || len(sum) != 32) {
		r.json.Mistakef(offset, "%s must be 64 hex digits, found %.80q", what, text)
	}
	return strings.ToLower(text)
}

// agreed reads what must be the same in all cassettes of a trace that have it; before is what earlier ones had.
func (r *reader) agreed(what, before string, read func(what string) string) string {
	offset := r.json.Offset()
	value := read(what)
	if value != "" && before != "" && value != before {
		r.json.Mistakef(offset, "%s is %.80q, expected %.80q as in the cassettes before", what, value, before)
	}
	return value
}

// catalog reads the recorded catalog.
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

// distractors reads the list of injected tools.
func (r *reader) distractors() {
	r.listAt = r.json.Offset()
	if r.json.Null() {
		return
	}
	list := []catalog.Ref{}
	r.json.Array(`"distractors"`, func(int) {
		if ref, ok := r.distractor(); ok {
			list = append(list, ref)
		}
	})
	r.own.Distractors = list
}

func (r *reader) distractor() (catalog.Ref, bool) {
	var ref catalog.Ref
	offset, named := r.json.Offset(), false
	ok := r.json.Fields("a distractor", func(key string) {
		switch key {
		case "server":
			ref.Server = r.text(`"server"`)
		case "name":
			named = true
			ref.Name, _ = r.json.Word(`"name"`)
		}
	})
	if ok && !named {
		r.json.Mistakef(offset, `a distractor has no "name"`)
	}
	return ref, ok
}

// finish holds the cassette against those before it, and adds what they lack.
func (r *reader) finish() {
	before, own := &r.into.Header, &r.own
	r.into.Sources = append(r.into.Sources, Source{
		File: r.file, Runs: len(r.into.Runs) - r.before, Recorder: own.Recorder,
		Hashed: own.PromptSHA256 != "" && own.CatalogSHA256 != "", Keeps: own.Keeps(),
		Sealed: own.Recorded != nil && own.CatalogSHA256 != "",
	})
	fill(&before.Test, own.Test)
	fill(&before.Model, own.Model)
	fill(&before.Provider, own.Provider)
	fill(&before.RecordedAt, own.RecordedAt)
	fill(&before.Recorder, own.Recorder)
	fill(&before.ProviderModel, own.ProviderModel)
	fill(&before.PromptSHA256, own.PromptSHA256)
	fill(&before.SystemPromptSHA256, own.SystemPromptSHA256)
	fill(&before.CatalogSHA256, own.CatalogSHA256)
	r.finishDistractors(before, own)
	r.finishCatalog(before, own)
}

func fill(old *string, value string) {
	if *old == "" {
		*old = value
	}
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

// recordedHash is of the recorded catalog as catalog_sha256 counts it, without the injected tools.
func recordedHash(h *Header) string {
	return h.Recorded.Without(h.Distractors).SHA256()
}
