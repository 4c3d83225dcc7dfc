package proxy

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/proxy/frame"
)

// metaSubscription is the key in a notification's _meta for the id of the request to which it belongs.
const metaSubscription = "io.modelcontextprotocol/subscriptionId"

// generalNotifications are the notifications that do not belong to a request.
var generalNotifications = []string{
	"notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed", "notifications/resources/updated",
}

func (s *session) handleServerMessage(f *frame.Frame) {
	if f.IsResponse() {
		s.passAnswer(f)
		return
	}
	to, msg := s.streamFor(f)
	if to == nil || !to.enqueue(msg, false) {
		s.keepForGet(f)
	}
}

// passAnswer passes an answer on. It drops an answer for which nobody waits.
func (s *session) passAnswer(f *frame.Frame) {
	s.mu.Lock()
	r := s.open[frame.Key(f.ID)]
	if r != nil {
		s.closeRequest(r)
		s.isRefused = r.frame.Method == "server/discover" && len(f.Error) > 0
	}
	s.mu.Unlock()
	if r == nil {
		return
	}
	if s.isShared.Load() || r.stream == nil {
		f = &frame.Frame{Raw: frame.Replaced(f.Raw, r.frame.ID, "id"), ID: r.frame.ID, Result: f.Result, Error: f.Error}
	}
	s.deliver(r, f)
}

func (s *session) deliver(r *request, f *frame.Frame) {
	if r.stream == nil {
		r.answer <- f
		return
	}
	s.watch.noteResponse(s.scope(r.stream), f)
	r.stream.enqueue(f.Raw, true)
}

// streamFor returns the stream for a request or a notification of the server, and the message as the client reads it. A message
// that names a request of the client goes to the stream of this request. A general notification goes to the client's GET if there
// is one. Otherwise, the message goes to the last open request whose client still waits, because a server asks while it works on a
// request. If there is no such request, the message goes to the GET.
func (s *session) streamFor(f *frame.Frame) (*stream, jsontext.Value) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if named, msg, ok := s.namedStream(f); ok {
		return named, msg
	}
	if s.get != nil && slices.Contains(generalNotifications, f.Method) {
		return s.get, f.Raw
	}
	for _, r := range slices.Backward(s.recent) {
		isSubscription := r.frame.Method == "subscriptions/listen"
		if r.stream != nil && !isSubscription && r.stream.isRead() {
			return r.stream, f.Raw
		}
	}
	return s.get, f.Raw
}

// namedStream returns the stream of the request that a notification names, and the notification with the client's id or
// token. In a shared session, it returns no stream for a request that is not open.
func (s *session) namedStream(f *frame.Frame) (*stream, jsontext.Value, bool) {
	path := []string{"params", "progressToken"}
	name, _ := frame.At(f.Params, "progressToken")
	isProgress := f.Method == "notifications/progress" && name != nil
	if !isProgress {
		path = []string{"params", "_meta", metaSubscription}
		if name, _ = frame.At(f.Params, path[1:]...); name == nil {
			return nil, nil, false
		}
	}
	for _, r := range s.recent {
		clientValue := r.frame.ID
		if isProgress {
			clientValue = r.token
		}
		if r.stream == nil || clientValue == nil {
			continue
		}
		if s.serverKey(r, clientValue) != frame.Key(name) {
			continue
		}
		if s.isShared.Load() {
			return r.stream, frame.Replaced(f.Raw, clientValue, path...), true
		}
		return r.stream, f.Raw, true
	}
	return nil, nil, s.isShared.Load()
}

func (s *session) serverKey(r *request, clientValue jsontext.Value) string {
	if s.isShared.Load() {
		return r.serverKey
	}
	return frame.Key(clientValue)
}

// keepForGet keeps a message for a GET that has not come yet. It answers a request that cannot be kept with an error.
func (s *session) keepForGet(f *frame.Frame) {
	s.mu.Lock()
	canKeep := !s.isShared.Load() && len(s.waiting) < maxWaiting && s.waitSize+len(f.Raw) <= maxWaitSize
	if canKeep {
		s.waiting, s.waitSize = append(s.waiting, f.Raw), s.waitSize+len(f.Raw)
	}
	s.mu.Unlock()
	if !canKeep && f.IsRequest() {
		_ = s.lines.Write(s.ctx, frame.Refusal(f.ID, frame.CodeInternal, "no client listens")) // an error means that the server has ended
	}
}

// listen makes a stream the client's GET stream, and ends the previous one.
func (s *session) listen(to *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.get != nil {
		s.get.end()
	}
	if s.isOver {
		to.end()
		return
	}
	s.get = to
	for _, msg := range s.waiting {
		to.enqueue(msg, false)
	}
	s.waiting, s.waitSize = nil, 0
}

// leave notes that a stream has ended. If it is still the client's GET stream, the client has none from now on.
func (s *session) leave(to *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.get == to {
		s.get = nil
	}
}
