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

const (
	longestReply   = 32 << 20 // bytes; a longer reply is an error
	longestProblem = 64 << 10 // bytes that are read of an answer that is an error
	longestQuoted  = 400      // characters of such an answer in a message
	hiddenKey      = "[key]"
	defaultTries   = 5
	defaultWait    = time.Second
	defaultMaxWait = time.Minute
)

// Retry is the policy for repeating a request that met status 429 or 5xx (except 501), or broke off. Requests of an
// account without money are not repeated. The waits are Wait, twice that, and so on, or the Retry-After of a 429 or
// 503; none is longer than MostWait. The zero value is the default.
type Retry struct {
	Tries    int           // including the first one; 0 for 5
	Wait     time.Duration // before the second try; 0 for 1 s
	MostWait time.Duration // 0 for 1 min
}

func (r Retry) withDefaults() Retry {
	return Retry{cmp.Or(r.Tries, defaultTries), cmp.Or(r.Wait, defaultWait), cmp.Or(r.MostWait, defaultMaxWait)}
}

// providerClient posts JSON to one address of a provider.
type providerClient struct {
	provider, keyEnv, key string
	address               string
	header                http.Header
	tries                 int
	options               Options
	http                  *retryablehttp.Client

	// advise returns advice on an error, by its status and its text; "" for none. It may be nil.
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
		// A redirect would send the key to an address from the answer.
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

// waitBefore returns the time to wait after failed try n, from 0.
func waitBefore(minWait, maxWait time.Duration, n int, response *http.Response) time.Duration {
	return min(retryablehttp.DefaultBackoff(minWait, maxWait, n, response), maxWait)
}

// post sends a value and returns the answer. Its errors may be shown: they are bounded, printable and without the key.
func (c *providerClient) post(ctx context.Context, value any) ([]byte, error) {
	body, err := marshalPlain(value)
	if err != nil {
		return nil, fmt.Errorf("%s: write the request: %w", c.provider, err)
	}
	past := &tries{}
	ctx = context.WithValue(ctx, triesKey{}, past)
	request, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPost, c.address, []byte(body))
	if err != nil {
		return nil, c.requestError(err, past)
	}
	request.Header = c.header.Clone()
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "mcp-gates")
	return c.send(request, past)
}

// marshalPlain returns a value as JSON with no unnecessary escapes, because some parts must go back word for word.
func marshalPlain(value any) (json.RawMessage, error) {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	err := out.Encode(value)
	return bytes.TrimSpace(b.Bytes()), err
}

func (c *providerClient) send(request *retryablehttp.Request, past *tries) ([]byte, error) {
	var reply []byte
	// The reply is read here and not after the last try, so that a reply that breaks off is requested again.
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
		return nil, c.requestError(err, past)
	}
	if response.StatusCode/100 == 2 {
		return reply, nil
	}
	if reply == nil { // the last try failed in a way that would be repeated
		reply, _ = readReply(response)
	}
	return nil, c.refusalError(response, reply, past)
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

func (c *providerClient) requestError(err error, past *tries) error {
	var urlErr *url.Error
	if errors.As(err, &urlErr) {
		err = urlErr.Err // the text of urlErr holds the address, which may hold a secret
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%s: %w", c.provider, err)
		if past.failed > 0 {
			return &model.TriedError{Err: err, Tries: c.summary(past)}
		}
		return err
	}
	return fmt.Errorf("%s: no answer: %s", c.provider, c.printable(err.Error()))
}

// refusalError returns an error with the status of an answer, the provider's message and advice.
func (c *providerClient) refusalError(response *http.Response, reply []byte, past *tries) error {
	text := fmt.Sprintf("%s answered %d", c.provider, response.StatusCode)
	if name := http.StatusText(response.StatusCode); name != "" {
		text += " " + name
	}
	code := response.StatusCode
	isDenied := code == http.StatusUnauthorized || code == http.StatusForbidden
	isRetried := code == http.StatusTooManyRequests || code >= 500 && code != http.StatusNotImplemented
	switch {
	case past.retryIsUseless:
		text += " " + past.code + ", for which there is no second try"
	case code/100 == 3:
		text += ", and redirects are not followed"
	case isDenied && c.key != "":
		text += " to the key in " + c.keyEnv
	case isDenied:
		text += " (" + c.keyEnv + " is not set)"
	case isRetried:
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

// problemOf returns the message of an error answer. Providers wrap the message as {"error": {"message"}}, {"error":
// ""}, {"message"}, {"detail"}, or an array of these. Any other answer is itself the message.
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
		inner := firstValue(fields, "error", "message", "detail")
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

func firstValue(fields map[string]json.RawMessage, keys ...string) json.RawMessage {
	for _, key := range keys {
		if v := fields[key]; v != nil && string(v) != "null" {
			return v
		}
	}
	return nil
}

func (c *providerClient) printable(text string) string {
	if c.key != "" {
		text = strings.ReplaceAll(text, c.key, hiddenKey) // before cutting, which could leave a part of the key
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
