package proxy

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/proxy/frame"
)

// posted is the content of a client's POST.
type posted struct {
	body    []byte
	frames  []*frame.Frame
	isBatch bool // the body is a list of messages, even if it has only one
}

// readBody reads the body of a request. On an error, it answers the client and returns false.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, frame.MaxMessage))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		http.Error(w, "the message is too long", http.StatusRequestEntityTooLarge)
	case err != nil:
		http.Error(w, "the message could not be read", http.StatusBadRequest)
	}
	return body, err == nil
}

// readPosted reads the messages of a POST. On an error, it answers the client and returns false.
func readPosted(w http.ResponseWriter, r *http.Request) (*posted, bool) {
	body, ok := readBody(w, r)
	if !ok {
		return nil, false
	}
	frames, err := frame.ReadAll(body)
	if err != nil {
		writeJSON(w, http.StatusBadRequest, frame.Refusal(nil, frame.CodeInvalidRequest, "the body "+err.Error()))
		return nil, false
	}
	return &posted{body, frames, frame.IsBatch(body)}, true
}

func (p *posted) requestCount() int {
	return lists.Count(p.frames, (*frame.Frame).IsRequest)
}

// writeAnswers answers the requests: a batch with a list of answers, a single message with its own answer.
func (p *posted) writeAnswers(w http.ResponseWriter, answers ...[]byte) {
	body := bytes.Join(answers, []byte(","))
	if p.isBatch {
		body = slices.Concat([]byte("["), body, []byte("]"))
	}
	writeJSON(w, http.StatusOK, body)
}
