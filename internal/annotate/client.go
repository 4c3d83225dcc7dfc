package annotate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/google/go-github/v62/github"
)

// Config describes the repository and the connection of a client.
type Config struct {
	BaseURL     string // address of the API, in the form of GITHUB_API_URL
	Token       string // sent only to the host of BaseURL; "" for none
	Owner, Repo string
	Version     string            // version of the program, for the header User-Agent
	Transport   http.RoundTripper // nil for the network
	Clock       Clock
}

// Client uses GitHub's API for one repository. All its requests together take at most two minutes.
type Client struct {
	api         *github.Client
	owner, repo string
	contents    contents // content of the files that were fetched
}

// NewClient returns a client, without sending a request.
func NewClient(c Config) (*Client, error) {
	if !isRepoName(c.Owner + "/" + c.Repo) {
		return nil, fmt.Errorf("%q is not a repository, expected owner/name", c.Owner+"/"+c.Repo)
	}
	base, err := parseAddress(c.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("address of the API: %w", err)
	}
	base = base.JoinPath("/") // the library requires a slash at the end
	if c.Transport == nil {
		c.Transport = newNetworkTransport()
	}
	api := github.NewClient(&http.Client{
		Transport: &transport{base: c.Transport, api: base, token: c.Token, clock: c.Clock.withDefaults()},
	})
	// WithEnterpriseURLs would add api/v3 to addresses that already have it, and WithAuthToken would send the token to the
	// target of any redirect.
	api.BaseURL = base
	api.UserAgent = "mcp-gates/" + c.Version
	return &Client{api: api, owner: c.Owner, repo: c.Repo}, nil
}

// newNetworkTransport returns a transport that gives up on a server that does not answer.
func newNetworkTransport() http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = 30 * time.Second
	return t
}

// status returns the HTTP status of an answer that is an error; 0 if there was no answer.
func status(err error) int {
	if refused, ok := errors.AsType[*github.ErrorResponse](err); ok && refused.Response != nil {
		return refused.Response.StatusCode
	}
	return 0
}

// mayHaveEffect reports whether a request that failed with err may still have taken effect.
func mayHaveEffect(err error) bool {
	var waits *limitError
	switch code := status(err); {
	case err == nil || errors.As(err, &waits):
		return false
	case code != 0:
		return isServerFault(code)
	case errors.Is(err, errBudget) || errors.Is(err, context.Canceled):
		return false
	}
	return true
}

// maxTries is how often create sends a request at most.
const maxTries = 3

// create sends a request that must not take effect twice. If a failure leaves the effect unclear, it looks for the effect
// before it sends the request again.
func create[T any](send func() (T, error), look func() (found T, ok bool, err error)) (T, error) {
	for try := 1; ; try++ {
		made, err := send()
		if !mayHaveEffect(err) || try == maxTries {
			return made, err
		}
		found, ok, lookErr := look()
		if lookErr != nil {
			return made, errors.Join(err, lookErr)
		}
		if ok {
			return found, nil
		}
	}
}

// reason returns an error of the API in one line, with advice for granting a permission that was refused. scope is the
// permission that the request needs.
func (e Event) reason(err error, scope string) string {
	switch code := status(err); {
	case code == http.StatusUnauthorized:
		return "the token was not accepted (401): check github-token"
	case code != http.StatusForbidden && code != http.StatusNotFound:
		return err.Error()
	case e.Fork && e.Name == pullRequest:
		return fmt.Sprintf("the token may not (%d): a pull request from a fork gets a read-only one; "+
			"publish from a workflow_run workflow instead", code)
	default:
		return fmt.Sprintf("the token may not (%d, %s): add %q to the job's permissions", code, message(err), scope)
	}
}

func message(err error) string {
	const most = 200
	if refused, ok := errors.AsType[*github.ErrorResponse](err); ok {
		return clip(refused.Message, most)
	}
	return ""
}
