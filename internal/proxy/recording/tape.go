package recording

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/proxy/frame"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/trace"
)

// header is the first line of a recording.
type header struct {
	Format    int    `json:"mcp_gates_wire"`
	Server    string `json:"server"`
	Transport string `json:"transport"` // "stdio" or "http"
	StartedAt string `json:"started_at"`
	Recorder  string `json:"recorder"`
	Witness   string `json:"witness"` // "proxy": calls that never reach a server are missing
}

// tape is the recording of one session. Only one goroutine may call its methods.
type tape struct {
	file     *os.File // nil once writing has failed
	started  time.Time
	last     time.Time // time of the last write
	rules    *redact.Rules
	redactor *redact.Redactor
	secrets  []string            // secrets in headers, the oldest first
	asked    map[string][]string // the methods of the client's open requests, by id, the oldest first
	open     int                 // number of open requests
	complain func(error)
	isProbe  bool // the recording has only server/discover so far
}

// maxAsked bounds the open requests of a recording. Further requests and their answers are not recorded.
const maxAsked = 10_000

// maxMethod bounds the characters of an unknown method's name that are recorded. The rest is cut.
const maxMethod = 200

// newTape starts a recording. After an error, the recording writes nothing.
func newTape(r Options, transport string, started time.Time) *tape {
	t := &tape{started: started, last: started, rules: r.Rules, redactor: r.Rules.File(), asked: map[string][]string{}, complain: r.Complain}
	file, err := createFile(r, started)
	if err != nil {
		t.complain(fmt.Errorf("record: %w", err))
		return t
	}
	t.file = file
	t.writeLine(header{1, t.redactor.Text(r.Server), transport, started.UTC().Format("2006-01-02T15:04:05.000Z"), "mcp-gates " + r.Version, "proxy"})
	return t
}

// createFile creates the file of a recording, which only the user may read and write.
func createFile(r Options, started time.Time) (*os.File, error) {
	if err := os.MkdirAll(r.Dir, 0o700); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%s-%s-%s.jsonl", fileName(r.Server), started.UTC().Format("20060102T150405.000Z"), strings.ToLower(rand.Text()[:8]))
	return os.OpenFile(filepath.Join(r.Dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
}

func fileName(server string) string {
	const maxLength = 64
	name := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_.", c) {
			return c
		}
		return '_'
	}, server)
	return cmp.Or(strings.TrimLeft(name[:min(len(name), maxLength)], "."), "server")
}

// event is a line of a recording after the first.
type event struct {
	AtMS       int64          `json:"at_ms"` // since the beginning of the recording
	From       string         `json:"from"`
	Exchange   int64          `json:"exchange,omitzero"` // number of the HTTP request and its response
	Method     string         `json:"method,omitzero"`   // method of a message whose content is not recorded
	Message    jsontext.Value `json:"message,omitzero"`
	Unreadable int            `json:"unreadable,omitzero"` // bytes that are not a message
	Lost       int64          `json:"lost,omitzero"`       // lost bytes: they came too fast, or too many requests were open
}

// moment is the time and the direction of a message.
type moment struct {
	at       time.Time
	from     string // "client" or "server"
	exchange int64  // 0 without HTTP
}

// writeMessages writes the recorded part of a message; text is nil if the message was too long.
func (t *tape) writeMessages(m moment, text []byte, size int) {
	frames, err := frame.ReadAll(text)
	if err != nil {
		t.writeEvent(m, event{Unreadable: size})
		return
	}
	for _, f := range frames {
		t.writeFrame(m, f)
	}
}

// writeFrame records a message: the parts that a cassette needs, or only its method if a cassette needs none.
func (t *tape) writeFrame(m moment, f *frame.Frame) {
	if f.IsResponse() {
		t.writeResponse(m, f)
		return
	}
	if m.from == "client" && f.IsRequest() {
		if t.open >= maxAsked {
			t.writeLost(m, int64(len(f.Raw)))
			return
		}
		at := t.key(m, f)
		t.asked[at] = append(t.asked[at], f.Method)
		t.open++
	}
	if m.from == "client" {
		t.isProbe = f.Method == "server/discover"
	}
	content, ok := keptRequest(f)
	if m.from != "client" || !ok {
		t.writeEvent(m, event{Method: t.redactor.Text(t.rules.Shorten(f.Method, maxMethod))})
		return
	}
	if name := toolOf(f); len(name) > trace.MaxName {
		t.complain(errLongName)
	}
	t.writeEvent(m, event{Message: t.redactor.JSON(content)})
}

// errLongName reports at once the error that the import of the recording would report.
var errLongName = fmt.Errorf("record: a call names a tool with more than %d bytes, so that no cassette can hold its run", trace.MaxName)

// toolOf returns the tool that a message calls; "" if the message is not a call.
func toolOf(f *frame.Frame) string {
	if f.Method != "tools/call" {
		return ""
	}
	name, _ := frame.Member(f.Params, "name")
	return frame.Text(name)
}

// writeResponse writes an answer of the server. The client's answers to the server's own requests are not recorded.
func (t *tape) writeResponse(m moment, f *frame.Frame) {
	if m.from != "server" {
		return
	}
	method, isAsked := t.removeRequest(t.requestKey(m, f))
	if !isAsked {
		return
	}
	if content, isKept := keptResponse(f, method); isKept {
		t.writeEvent(m, event{Message: t.redactor.JSON(content)})
	}
}

// removeRequest removes the oldest open request with a key and returns its method.
func (t *tape) removeRequest(at string) (method string, ok bool) {
	methods := t.asked[at]
	if len(methods) == 0 {
		return "", false
	}
	t.open--
	t.asked[at] = methods[1:]
	if len(methods) == 1 {
		delete(t.asked, at)
	}
	return methods[0], true
}

// requestKey returns the key of the request to which an answer belongs. After a broken stream, the answer comes in another
// exchange. If that exchange has no such request, the oldest request with the id is meant.
func (t *tape) requestKey(m moment, f *frame.Frame) string {
	at := t.key(m, f)
	if len(t.asked[at]) > 0 || m.exchange == 0 {
		return at
	}
	first := m.exchange
	for other := range t.asked {
		number, id, _ := strings.Cut(other, " ")
		exchange, err := strconv.ParseInt(number, 10, 64)
		if err == nil && id == frame.Key(f.ID) && exchange < first {
			at, first = other, exchange
		}
	}
	return at
}

// key returns the key of an id in a recording: over HTTP it includes the exchange, because several clients may use the
// same ids.
func (t *tape) key(m moment, f *frame.Frame) string {
	return fmt.Sprintf("%d %s", m.exchange, frame.Key(f.ID))
}

func (t *tape) writeLost(m moment, bytes int64) { t.writeEvent(m, event{Lost: bytes}) }

func (t *tape) writeEvent(m moment, e event) {
	t.last = m.at
	e.AtMS, e.From, e.Exchange = max(0, m.at.Sub(t.started).Milliseconds()), m.from, m.exchange
	t.writeLine(e)
}

// writeLine writes a line with a single call, so that a sudden end of this program leaves only whole lines.
func (t *tape) writeLine(value any) {
	if t.file == nil {
		return
	}
	text, err := json.Marshal(value, frame.Lax())
	if err == nil {
		_, err = t.file.Write(append(text, '\n'))
	}
	if err != nil {
		t.complain(fmt.Errorf("record: %w", err))
		t.close()
	}
}

// addSecrets removes values of headers from all further output. Only the newest values are kept.
func (t *tape) addSecrets(secrets []string) {
	isNew := false
	for _, secret := range secrets {
		if !slices.Contains(t.secrets, secret) {
			t.secrets, isNew = append(t.secrets, secret), true
		}
	}
	if isNew {
		t.secrets = t.secrets[max(0, len(t.secrets)-maxSecrets):]
		t.redactor.Change(t.rules.Including(t.secrets...))
	}
}

func (t *tape) close() {
	if t.file != nil {
		t.file.Close()
		t.file = nil
	}
}
