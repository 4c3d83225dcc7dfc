package proxy

import (
	"errors"
	"io"
	"net/http"

	"github.com/org/mcp-gates/internal/proxy/frame"
)

// posted is what a client has posted.
type posted struct {
	body   []byte
	frames []*frame.Frame
}

// readPosted reads the body of a POST. Otherwise it has answered the client.
func readPosted(w http.ResponseWriter, r *http.Request) (*posted, bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, frame.MaxMessage))
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		http.Error(w, "the message is too long", http.StatusRequestEntityTooLarge)
		return nil, false
	}
	if err != nil {
		http.Error(w, "the message could not be read", http.StatusBadRequest)
		return nil, false
	}
	frames, err := frame.ReadAll(body)
	if err != nil {
		writeJSON(w, http.StatusBadRequest, frame.Refusal(nil, frame.CodeInvalidRequest, "the body "+err.Error()))
		return nil, false
	}
	return &posted{body, frames}, true
}

// requests returns how many of the messages want an answer.
func (p *posted) requests() int {
	n := 0
	for _, f := range p.frames {
		if f.IsRequest() {
			n++
		}
	}
	return n
}
