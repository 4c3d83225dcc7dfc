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

// noMoneyCodes are error codes of an account without money: all further tries are refused until somebody pays.
// https://platform.openai.com/docs/guides/error-codes: "You exceeded your current quota, please check your plan and
// billing details" is a 429, as "Rate limit reached for requests" is.
var noMoneyCodes = []string{"insufficient_quota", "billing_not_active", "billing_hard_limit_reached"}

// tries holds the results of the tries of one request.
type tries struct {
	failed         int    // number of failed tries that could be repeated
	status         int    // status of the last failed try's answer; 0 for none
	code           string // code in that answer, as the provider writes it; "" for none
	problem        string // message of the answer, or the reason why there was none
	retryIsUseless bool   // another try would also fail
}

// triesKey is the key of the tries in the context of a request.
type triesKey struct{}

func triesOf(ctx context.Context) *tries {
	t, _ := ctx.Value(triesKey{}).(*tries)
	return t
}

// shouldRetry reports whether to repeat a request, and notes the reason. After an answer for which it reports false, it is called
// again once the answer is read, with the error of reading, if any.
func shouldRetry(ctx context.Context, response *http.Response, err error) (bool, error) {
	t := triesOf(ctx)
	if errors.Is(err, errLongReply) || t != nil && t.retryIsUseless {
		return false, nil
	}
	isRepeated, retryErr := retryablehttp.DefaultRetryPolicy(ctx, response, err)
	if isRepeated && t != nil {
		t.note(response, err)
		isRepeated = !t.retryIsUseless
	}
	return isRepeated, retryErr
}

// note notes the reason why a try failed. It reads the beginning of the answer, which can be read again.
func (t *tries) note(response *http.Response, err error) {
	t.failed++
	t.status, t.code, t.problem = 0, "", ""
	if err != nil {
		var urlErr *url.Error
		if errors.As(err, &urlErr) {
			err = urlErr.Err // the text of urlErr holds the address, which may hold a secret
		}
		t.problem = err.Error()
		return
	}
	reply, _ := io.ReadAll(io.LimitReader(response.Body, longestProblem))
	response.Body = readAgain{io.MultiReader(bytes.NewReader(reply), response.Body), response.Body}
	t.status, t.code, t.problem = response.StatusCode, codeOf(reply), problemOf(reply)
	t.retryIsUseless = slices.Contains(noMoneyCodes, t.code)
}

// readAgain is a body that starts again with the part that was already read.
type readAgain struct {
	io.Reader
	io.Closer
}

// codeOf returns the code of an error answer, "" if it has none: the text "code" of {"error": {…}}, otherwise its
// "type".
func codeOf(reply []byte) string {
	var list []json.RawMessage
	if json.Unmarshal(reply, &list) == nil && len(list) > 0 {
		reply = list[0]
	}
	var answer struct {
		Error struct{ Code, Type any }
	}
	_ = json.Unmarshal(reply, &answer) // an "error" that is a text has no code
	for _, one := range []any{answer.Error.Code, answer.Error.Type} {
		if code, isText := one.(string); isText && code != "" {
			return code
		}
	}
	return ""
}

func (c *providerClient) summary(t *tries) string {
	const longestCode = 60 // characters
	lastResult := "no answer"
	if t.status > 0 {
		lastResult = fmt.Sprint(t.status)
	}
	if t.code != "" {
		lastResult += " " + c.options.rules().Shorten(c.printable(t.code), longestCode)
	}
	if problem := c.printable(t.problem); problem != "" {
		lastResult += ": " + problem
	}
	if t.failed == 1 {
		return fmt.Sprintf("%s: the first try met %s", c.provider, lastResult)
	}
	return fmt.Sprintf("%s: %d tries failed, the last met %s", c.provider, t.failed, lastResult)
}
