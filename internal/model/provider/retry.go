package provider

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
	"github.com/org/mcp-gates/internal/model"
)

// Bounds of what is read of a provider's answers, in bytes.
const (
	longestReply    = 32 << 20
	longestProblem  = 64 << 10 // of an answer that is an error
	longestQuoted   = 400      // characters of such an answer that a message quotes
	hiddenKey       = "[key]"
	defaultTries    = 5
	defaultWait     = time.Second
	defaultMostWait = time.Minute
)

// Retry says how a request that met status 429 or 5xx (but 501), or broke off, is made again, unless the account has nothing
// left to spend. The waits are Wait, twice
// that, and so on, or what the Retry-After of a 429 or 503 says; none is longer than MostWait. The zero value is the
// default.
type Retry struct {
	Tries    int           // the first one included; 0 for 5
	Wait     time.Duration // before the second try; 0 for 1 s
	MostWait time.Duration // 0 for 1 min
}

func (r Retry) withDefaults() Retry {
	return Retry{cmp.Or(r.Tries, defaultTries), cmp.Or(r.Wait, defaultWait), cmp.Or(r.MostWait, defaultMostWait)}
}

// providerClient posts JSON to one address of a provider.
type providerClient struct {
	provider, keyEnv, key string
	address               string
	header                http.Header
	tries                 int
	options               Options
	http                  *retryablehttp.Client

	// advise returns a remedy for an answer that is an error, by its status and by what it says; "" for none. It may be nil.
	advise func(status int, problem string) string
}

var errLongReply = fmt.Errorf("the reply is longer than %d bytes", longestReply)

func newProviderClient(r model.Resolved, o Options, address string) *providerClient {
	retry := o.Retry.withDefaults()
	transport := o.Transport
	if transport == nil {
		transport = http.DefaultTransport
	}
	client := &http.Client{
		Transport: transport,
		// A redirect would take the key to whatever address the answer names.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &providerClient{
		provider: r.Provider, keyEnv: r.KeyEnv, key: r.Key, options: o, address: address, header: http.Header{}, tries: retry.Tries,
		http: &retryablehttp.Client{
			HTTPClient: client, RetryMax: retry.Tries - 1, RetryWaitMin: retry.Wait, RetryWaitMax: retry.MostWait,
			CheckRetry: shouldRetry, Backoff: waitBefore, ErrorHandler: retryablehttp.PassthroughErrorHandler,
		},
	}
}

// waitBefore returns how long to wait after failed try n, from 0.
func waitBefore(least, most time.Duration, n int, response *http.Response) time.Duration {
	return min(retryablehttp.DefaultBackoff(least, most, n, response), most)
}

// post sends a value and returns the answer to it. Its errors are fit to be shown: bounded, printable and without the
// key.
func (c *providerClient) post(ctx context.Context, value any) ([]byte, error) {
	body, err := marshalPlain(value)
	if err != nil {
		return nil, fmt.Errorf("%s: write the request: %w", c.provider, err)
	}
	made := &tries{}
	ctx = context.WithValue(ctx, triesKey{}, made)
	request, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPost, c.address, []byte(body))
	if err != nil {
		return nil, c.failed(err, made)
	}
	request.Header = c.header.Clone()
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "mcp-gates")
	return c.send(request, made)
}

// marshalPlain returns a value as JSON, with nothing escaped that need not be: some of it goes back word for word.
func marshalPlain(value any) (json.RawMessage, error) {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	err := out.Encode(value)
	return bytes.TrimSpace(b.Bytes()), err
}

func (c *providerClient) send(request *retryablehttp.Request, made *tries) ([]byte, error) {
	var reply []byte
	// The reply is read here and not after the last try, so that one that breaks off is asked for again.
	request.SetResponseHandler(func(response *http.Response) error {
		var err error
		reply, err = readReply(response)
		return err
	})
	response, err := c.http.Do(request)
	if response != nil {
		defer response.Body.Close()
	}
	if err != nil {
		return nil, c.failed(err, made)
	}
	if response.StatusCode/100 == 2 {
		return reply, nil
	}
	if reply == nil { // of a last try that would be made again
		reply, _ = readReply(response)
	}
	return nil, c.refused(response, reply, made)
}

func readReply(response *http.Response) ([]byte, error) {
	if response.StatusCode/100 != 2 {
		return io.ReadAll(io.LimitReader(response.Body, longestProblem))
	}
	reply, err := io.ReadAll(io.LimitReader(response.Body, longestReply+1))
	if len(reply) > longestReply {
		return nil, errLongReply
	}
	return reply, err
}

func (c *providerClient) failed(err error, made *tries) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err // its text holds the address, which may hold a secret
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%s: %w", c.provider, err)
		if made.failed > 0 {
			return &model.TriedError{Err: err, Tries: c.summary(made)}
		}
		return err
	}
	return fmt.Errorf("%s: no answer: %s", c.provider, c.printable(err.Error()))
}

func (c *providerClient) refused(response *http.Response, reply []byte, made *tries) error {
	text := fmt.Sprintf("%s answered %d", c.provider, response.StatusCode)
	if name := http.StatusText(response.StatusCode); name != "" {
		text += " " + name
	}
	switch code := response.StatusCode; {
	case made.spent:
		text += " " + made.code + ", for which there is no second try"
	case code/100 == 3:
		text += ", and redirects are not followed"
	case (code == http.StatusUnauthorized || code == http.StatusForbidden) && c.key != "":
		text += " to the key in " + c.keyEnv
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		text += " (" + c.keyEnv + " is not set)"
	case code == http.StatusTooManyRequests || code >= 500 && code != http.StatusNotImplemented:
		text += fmt.Sprintf(" to each of %d tries", c.tries)
	}
	problem := problemOf(reply)
	if c.advise != nil {
		if advice := c.advise(response.StatusCode, problem); advice != "" {
			text += " (" + advice + ")"
		}
	}
	if problem = c.printable(problem); problem != "" {
		text += ": " + problem
	}
	return errors.New(text)
}

// problemOf returns what an error answer says: providers wrap it as {"error": {"message"}}, {"error": ""},
// {"message"}, {"detail"}, or an array of these; else its text.
func problemOf(reply []byte) string {
	value := json.RawMessage(bytes.TrimSpace(reply))
	for range 4 {
		var list []json.RawMessage
		if json.Unmarshal(value, &list) == nil && len(list) > 0 {
			value = list[0]
			continue
		}
		var fields map[string]json.RawMessage
		if json.Unmarshal(value, &fields) != nil {
			break
		}
		inner := firstOf(fields, "error", "message", "detail")
		if inner == nil {
			break
		}
		value = inner
	}
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

func firstOf(fields map[string]json.RawMessage, keys ...string) json.RawMessage {
	for _, key := range keys {
		if v := fields[key]; v != nil && string(v) != "null" {
			return v
		}
	}
	return nil
}

func (c *providerClient) printable(text string) string {
	if c.key != "" {
		text = strings.ReplaceAll(text, c.key, hiddenKey) // before the cut, which could leave a part of it
	}
	text = strings.ToValidUTF8(text, "�")
	text = strings.Map(func(r rune) rune {
		if !strconv.IsGraphic(r) {
			return ' '
		}
		return r
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	return c.options.rules().Shorten(text, longestQuoted)
}
