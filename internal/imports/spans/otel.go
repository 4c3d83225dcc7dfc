package spans

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
)

// OTel reads OpenTelemetry traces. The wire format is https://opentelemetry.io/docs/specs/otlp/ (its JSON encoding, also with
// one document per line, see https://opentelemetry.io/docs/specs/otel/protocol/file-exporter/); the attributes are those of
// https://github.com/open-telemetry/semantic-conventions/tree/v1.41.1/docs/gen-ai and of the versions before it since v1.26.0,
// https://github.com/open-telemetry/semantic-conventions-genai after it, OpenLLMetry (https://github.com/traceloop/openllmetry)
// and OpenInference (https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md).
var OTel = &logs.Format{
	Name:        "otel",
	Interleaved: true,
	Finish:      finishTrace,
	Open:        func(to *logs.Sink) logs.Reader { return &otelReader{to: to} },
}

type otelReader struct{ to *logs.Sink }

// otelResource is the data that one program sent.
type otelResource struct {
	Resource struct {
		Attributes attributes `json:"attributes"`
	} `json:"resource"`
	Spans    []otelScope `json:"scopeSpans"`
	OldSpans []otelScope `json:"instrumentationLibrarySpans"` // before OTLP 0.16
	Logs     []otelScope `json:"scopeLogs"`
}

type otelScope struct {
	Spans   []otelSpan   `json:"spans"`
	Records []otelRecord `json:"logRecords"`
}

// otelSpan is a span. The SDK for Go prints field names in capitals, which case:ignore matches.
type otelSpan struct {
	TraceID    word         `json:"traceId"`
	SpanID     word         `json:"spanId"`
	Parent     word         `json:"parentSpanId"`
	Name       word         `json:"name,case:ignore"`
	Start      logs.Instant `json:"startTimeUnixNano"`
	End        logs.Instant `json:"endTimeUnixNano"`
	Attributes attributes   `json:"attributes,case:ignore"`
	Events     []otelEvent  `json:"events,case:ignore"`
	Status     otelStatus   `json:"status,case:ignore"`
}

// otelEvent is an event of a span.
type otelEvent struct {
	Name       word       `json:"name,case:ignore"`
	Attributes attributes `json:"attributes,case:ignore"`
}

// otelRecord is a logged event.
type otelRecord struct {
	TraceID    word           `json:"traceId"`
	SpanID     word           `json:"spanId"`
	Time       logs.Instant   `json:"timeUnixNano"`
	Observed   logs.Instant   `json:"observedTimeUnixNano"`
	Name       word           `json:"eventName"`
	Body       jsontext.Value `json:"body"`
	Attributes attributes     `json:"attributes"`
}

// otelStatus is the status of a span.
type otelStatus struct {
	Code        jsontext.Value `json:"code,case:ignore"`
	StatusCode  jsontext.Value `json:"status_code"` // written by the SDK for Python
	Message     word           `json:"message"`
	Description word           `json:"description,case:ignore"` // written by Python and Go
}

// failed reports whether the code means an error. Protocols and SDKs write it as a number or as a name.
func (s otelStatus) failed() bool {
	code := s.Code
	if code == nil {
		code = s.StatusCode
	}
	return slices.Contains([]string{`2`, `"2"`, `"STATUS_CODE_ERROR"`, `"ERROR"`, `"Error"`}, string(code))
}

// Value reads a document of OTLP, the data of one program, or a single span or event.
func (r *otelReader) Value(v logs.Value) {
	var document struct {
		Spans []otelResource `json:"resourceSpans"`
		Logs  []otelResource `json:"resourceLogs"`
		otelResource
		Metrics jsontext.Value `json:"resourceMetrics"`
	}
	if !v.Decode(&document) {
		return
	}
	if document.Metrics != nil {
		r.to.LeaveOut("documents of metrics")
		return
	}
	added := 0
	for _, resource := range slices.Concat(document.Spans, document.Logs, []otelResource{document.otelResource}) {
		added += r.readResource(v, resource)
	}
	isOTLP := document.Spans != nil || document.Logs != nil || document.otelResource.Spans != nil
	if added == 0 && !isOTLP {
		r.readPrinted(v)
	}
}

func (r *otelReader) readResource(v logs.Value, from otelResource) (added int) {
	for _, scopes := range [][]otelScope{from.Spans, from.OldSpans, from.Logs} {
		for _, scope := range scopes {
			added += len(scope.Spans) + len(scope.Records)
			for i := range scope.Spans {
				r.addSpan(v, &scope.Spans[i], from.Resource.Attributes)
			}
			for i := range scope.Records {
				r.addEvent(v, &scope.Records[i], from.Resource.Attributes)
			}
		}
	}
	return added
}

// readPrinted reads a single span or event in the form in which SDKs print it.
func (r *otelReader) readPrinted(v logs.Value) {
	var printed otelPrinted
	if !v.Decode(&printed) {
		return
	}
	span, record := printed.toSpan(), printed.toRecord()
	switch {
	case record != nil:
		r.addEvent(v, record, nil)
	case span.TraceID != "" && span.SpanID != "":
		r.addSpan(v, span, printed.Resource.Attributes)
	default:
		v.Skip("is neither OTLP nor a span")
	}
}
