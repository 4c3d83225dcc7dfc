package spans

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/trace"
)

// Inspect reads logs of Inspect AI in their JSON form, version 2. The schema is
// https://github.com/UKGovernmentBEIS/inspect_ai/blob/main/src/inspect_ai/log/_log.py (EvalLog, EvalSample) and the files of
// src/inspect_ai/event and src/inspect_ai/model.
var Inspect = &logs.Format{
	Name: "inspect",
	Open: func(to *logs.Sink) logs.Reader { return &inspectReader{to: to} },
}

type inspectReader struct{ to *logs.Sink }

// inspectLog is a log with the values that all samples share.
type inspectLog struct {
	Status word `json:"status"`
	Eval   struct {
		ID      word       `json:"eval_id"`
		Run     word       `json:"run_id"`
		Created word       `json:"created"`
		Task    word       `json:"task"`
		Model   word       `json:"model"`
		Solver  word       `json:"solver"`
		Tags    []word     `json:"tags"`
		Dataset attributes `json:"dataset"`
	} `json:"eval"`
	Samples jsontext.Value `json:"samples"`
}

// inspectSample is one sample in one epoch.
type inspectSample struct {
	ID          jsontext.Value           `json:"id"`
	Epoch       jsontext.Value           `json:"epoch"`
	UUID        word                     `json:"uuid"`
	Started     word                     `json:"started_at"`
	Input       jsontext.Value           `json:"input"`
	Messages    []jsontext.Value         `json:"messages"`
	Output      inspectOutput            `json:"output"`
	Scores      map[string]inspectScore  `json:"scores"`
	Metadata    attributes               `json:"metadata"`
	Events      []jsontext.Value         `json:"events"`
	Usage       map[string]inspectTokens `json:"model_usage"`
	Seconds     inspectSeconds           `json:"total_time"`
	Error       jsontext.Value           `json:"error"`
	Limit       inspectLimit             `json:"limit"`
	Attachments map[string]word          `json:"attachments"`
}

type inspectScore struct {
	Value jsontext.Value `json:"value"`
}

type inspectLimit struct {
	Type word `json:"type"`
}

// inspectOutput is the output of a model.
type inspectOutput struct {
	Model   word `json:"model"`
	Choices []struct {
		Message jsontext.Value `json:"message"`
		Stop    word           `json:"stop_reason"`
	} `json:"choices"`
	Usage inspectTokens `json:"usage"`
	Error word          `json:"error"`
}

// inspectTokens are the tokens of a reply, or of all replies of a model.
type inspectTokens struct {
	Input      logs.Number  `json:"input_tokens"`
	Output     logs.Number  `json:"output_tokens"`
	Total      logs.Number  `json:"total_tokens"`
	CacheRead  logs.Number  `json:"input_tokens_cache_read"`
	CacheWrite logs.Number  `json:"input_tokens_cache_write"`
	Cost       logs.Dollars `json:"total_cost"`
}

// inspectSeconds is a duration in seconds with a fraction, read as milliseconds.
type inspectSeconds struct{ trace.Count }

// UnmarshalJSON reads the duration.
func (s *inspectSeconds) UnmarshalJSON(raw []byte) error {
	var micros logs.Dollars // millionths, here of a second
	err := micros.UnmarshalJSON(raw)
	s.Count = micros.Count
	s.N /= 1000
	return err
}

// Value reads a log.
func (r *inspectReader) Value(v logs.Value) {
	var log inspectLog
	if !v.Decode(&log) {
		return
	}
	if log.Eval.Task == "" && log.Eval.Model == "" {
		v.Skip("is not a log of Inspect with an eval")
		return
	}
	samples := v.Elements(log.Samples)
	if len(samples) == 0 {
		r.to.LeaveOut("logs without samples")
	}
	for _, one := range samples {
		r.readSample(one, &log)
	}
}

func (r *inspectReader) readSample(v logs.Value, log *inspectLog) {
	var sample inspectSample
	if !v.Decode(&sample) {
		return
	}
	id := fmt.Sprintf("%s/%s/%s", cmp.Or(log.Eval.ID, log.Eval.Run), scalarText(sample.ID), scalarText(sample.Epoch))
	if r.to.Seen(id) {
		return
	}
	s := r.to.Session(id, v.Pos)
	s.ID = cmp.Or(string(sample.UUID), id)
	s.Time = string(cmp.Or(sample.Started, log.Eval.Created))
	s.Provider, s.Model, _ = strings.Cut(string(log.Eval.Model), "/")
	if s.Model == "" {
		s.Provider, s.Model = "", string(log.Eval.Model)
	}
	s.ProviderModel = string(sample.Output.Model)
	s.Metadata = sample.metadata(log)
	s.Duration = sample.Seconds.Count
	if len(sample.Output.Choices) > 0 {
		s.StopReason = string(sample.Output.Choices[0].Stop)
	}
	run := inspectRun{to: r.to, session: s, sample: &sample, attachments: newAttachments(sample.Attachments)}
	run.addAll()
	s.Error = sample.errorReason()
	s.Ended = s.Error == "" && len(sample.Output.Choices) > 0
	r.to.Done(s)
}

func (s *inspectSample) errorReason() string {
	if why := errorText(s.Error); why != "" {
		return why
	}
	if s.Limit.Type != "" {
		return fmt.Sprintf("the sample met its limit (%s)", logs.OneWord(string(s.Limit.Type)))
	}
	return ""
}

func (s *inspectSample) metadata(log *inspectLog) map[string]string {
	all := metadata{}
	put := all.add
	put("task", string(log.Eval.Task))
	put("solver", string(log.Eval.Solver))
	put("dataset", log.Eval.Dataset.text("name"))
	put("sample", scalarText(s.ID))
	put("epoch", scalarText(s.Epoch))
	for _, scorer := range slices.Sorted(maps.Keys(s.Scores)) {
		put("scores."+scorer, scalarText(s.Scores[scorer].Value))
	}
	for _, one := range s.Metadata {
		put(one.key, scalarText(one.raw))
	}
	return all
}

// usage returns the tokens of a reply. If the total shows that a provider left the cached tokens out of the input, usage adds them.
func (t inspectTokens) usage() logs.Usage {
	u := logs.Usage{Input: t.Input.Count, Output: t.Output.Count, Total: t.Total.Count, CacheRead: t.CacheRead.Count, CacheWrite: t.CacheWrite.Count, Cost: t.Cost.Count}
	cached := t.CacheRead.N + t.CacheWrite.N
	leavesOutCached := u.Input.N+cached+u.Output.N <= u.Total.N
	if u.Input.Known && leavesOutCached {
		u.Input = logs.Sum(u.Input, trace.Known(cached))
	}
	return u
}
