package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"

	"github.com/hashicorp/go-retryablehttp"
)

// spentCodes are the codes of answers that say that the account has nothing left to spend: the next try is refused, too, until
// somebody pays. https://platform.openai.com/docs/guides/error-codes: "You exceeded your current quota, please check your plan
// and billing details" is a 429, as "Rate limit reached for requests" is.
var spentCodes = []string{"insufficient_quota", "billing_not_active", "billing_hard_limit_reached"}

// tries is what became of the tries of one request.
type tries struct {
	failed  int
	status  int    // of the answer to the last that failed; 0 for none
	code    string // of that answer, as the provider writes it; "" for none
	problem string // what the answer says, or why there was none
	spent   bool   // another try is of no use
}

// triesKey is the key of the tries in the context of a request.
type triesKey struct{}

func triesOf(ctx context.Context) *tries {
	t, _ := ctx.Value(triesKey{}).(*tries)
	return t
}

// shouldRetry reports whether a request is made again, and notes why. It is called again once an answer that is the last was read.
func shouldRetry(ctx context.Context, response *http.Response, err error) (bool, error) {
	t := triesOf(ctx)
	if errors.Is(err, errLongReply) || t != nil && t.spent {
		return false, nil
	}
	again, over := retryablehttp.DefaultRetryPolicy(ctx, response, err)
	if again && t != nil {
		t.note(response, err)
		again = !t.spent
	}
	return again, over
}

// note notes why a try failed. What it reads of the answer can be read again.
func (t *tries) note(response *http.Response, err error) {
	t.failed++
	t.status, t.code, t.problem = 0, "", ""
	if err != nil {
		var outer *url.Error
		if errors.As(err, &outer) {
			err = outer.Err // its text holds the address, which may hold a secret
		}
		t.problem = err.Error()
		return
	}
	reply, _ := io.ReadAll(io.LimitReader(response.Body, longestProblem))
	response.Body = readAgain{io.MultiReader(bytes.NewReader(reply), response.Body), response.Body}
	t.status, t.code, t.problem = response.StatusCode, codeOf(reply), problemOf(reply)
	t.spent = slices.Contains(spentCodes, t.code)
}

// readAgain is a body of which some was read.
type readAgain struct {
	io.Reader
	io.Closer
}

// codeOf returns the code of an error answer, "" where it has none: the text "code" of {"error": {…}}, else its "type".
func codeOf(reply []byte) string {
	var list []json.RawMessage
	if json.Unmarshal(reply, &list) == nil && len(list) > 0 {
		reply = list[0]
	}
	var answer struct {
		Error struct{ Code, Type any }
	}
	_ = json.Unmarshal(reply, &answer) // a text as "error" has no code
	for _, one := range []any{answer.Error.Code, answer.Error.Type} {
		if code, isText := one.(string); isText && code != "" {
			return code
		}
	}
	return ""
}

func (c *providerClient) summary(t *tries) string {
	const longestCode = 60 // characters
	met := "no answer"
	if t.status > 0 {
		met = fmt.Sprint(t.status)
	}
	if t.code != "" {
		met += " " + c.options.rules().Shorten(c.printable(t.code), longestCode)
	}
	if problem := c.printable(t.problem); problem != "" {
		met += ": " + problem
	}
	if t.failed == 1 {
		return fmt.Sprintf("%s: the first try met %s", c.provider, met)
	}
	return fmt.Sprintf("%s: %d tries failed, the last met %s", c.provider, t.failed, met)
}
