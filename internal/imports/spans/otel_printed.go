package spans

import (
	"cmp"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
)

// otelPrinted is a span or an event with the keys of OTLP and of the output of the SDKs for Python, JavaScript and Go.
type otelPrinted struct {
	otelSpan
	Resource struct {
		Attributes attributes `json:"attributes"`
	} `json:"resource"`

	// Keys that the SDK for Python prints; its events have the ids beside the body.
	Context   otelIDs        `json:"context"`
	ParentID  word           `json:"parent_id"`
	StartTime logs.Instant   `json:"start_time,case:ignore"` // the SDK for Go writes StartTime
	EndTime   logs.Instant   `json:"end_time,case:ignore"`
	LogTrace  word           `json:"trace_id"`
	LogSpan   word           `json:"span_id"`
	EventName word           `json:"event_name,case:ignore"` // OTLP writes eventName
	Body      jsontext.Value `json:"body"`
	Time      logs.Instant   `json:"timeUnixNano"`

	// Keys that the SDK for JavaScript prints; times are in microseconds.
	ID            word         `json:"id"`
	ParentSpan    otelIDs      `json:"parentSpanContext"`
	OldParent     word         `json:"parentId"`
	Timestamp     logs.Instant `json:"timestamp"`
	DurationMicro logs.Instant `json:"duration"`

	// Keys that the SDK for Go prints.
	GoSpan   otelIDs `json:"SpanContext"`
	GoParent otelIDs `json:"Parent"`
}

// otelIDs are the ids of a span, in the spellings of all SDKs.
type otelIDs struct {
	TraceID word `json:"traceId,case:ignore"`
	SpanID  word `json:"spanId,case:ignore"`
}

func (p *otelPrinted) toSpan() *otelSpan {
	s := p.otelSpan
	s.TraceID = cmp.Or(s.TraceID, withoutHexPrefix(p.Context.TraceID), p.GoSpan.TraceID)
	s.SpanID = cmp.Or(s.SpanID, withoutHexPrefix(p.Context.SpanID), p.GoSpan.SpanID, p.ID)
	s.Parent = cmp.Or(s.Parent, withoutHexPrefix(p.ParentID), p.ParentSpan.SpanID, p.OldParent, p.GoParent.SpanID)
	if strings.Trim(string(s.Parent), "0") == "" {
		s.Parent = "" // an id of zeros means no parent in Go
	}
	s.Start = cmp.Or(s.Start, p.StartTime)
	s.End = cmp.Or(s.End, p.EndTime)
	if s.Start == 0 && p.Timestamp > 0 && p.DurationMicro >= 0 {
		s.Start = p.Timestamp * logs.Instant(time.Microsecond)
		s.End = s.Start + p.DurationMicro*logs.Instant(time.Microsecond)
	}
	return &s
}

// toRecord returns the logged event; nil if the value is a span.
func (p *otelPrinted) toRecord() *otelRecord {
	if p.Body == nil && p.EventName == "" {
		return nil
	}
	return &otelRecord{
		TraceID: cmp.Or(p.TraceID, withoutHexPrefix(p.LogTrace)), SpanID: cmp.Or(p.SpanID, withoutHexPrefix(p.LogSpan)), Time: cmp.Or(p.Time, p.Timestamp),
		Name: p.EventName, Body: p.Body, Attributes: p.Attributes,
	}
}

// withoutHexPrefix returns an id without the prefix 0x that the SDK for Python writes.
func withoutHexPrefix(id word) word { return word(strings.TrimPrefix(string(id), "0x")) }
