package annotate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/google/go-github/v62/github"
)

// Config says which repository a client works on, and how.
type Config struct {
	BaseURL     string // of the API, as GITHUB_API_URL gives it
	Token       string // sent to the host of BaseURL alone; "" for none
	Owner, Repo string
	Version     string            // of the program, for the header User-Agent
	Transport   http.RoundTripper // nil for the network
	Clock       Clock
}

// Client talks to GitHub's API about one repository. All its requests together take no longer than two minutes.
type Client struct {
	api         *github.Client
	owner, repo string
	contents    contents // of files
}

// NewClient returns a client; it sends nothing yet.
func NewClient(c Config) (*Client, error) {
	if !isRepoName(c.Owner + "/" + c.Repo) {
		return nil, fmt.Errorf("%q is not a repository, expected owner/name", c.Owner+"/"+c.Repo)
	}
	base, err := parseAddress(c.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("address of the API: %w", err)
	}
	base = base.JoinPath("/") // the library resolves against a folder
	if c.Transport == nil {
		c.Transport = network()
	}
	api := github.NewClient(&http.Client{
		Transport: &transport{base: c.Transport, api: base, token: c.Token, clock: c.Clock.orReal()},
	})
	// WithEnterpriseURLs would add api/v3 to addresses that have it already, and WithAuthToken would send the token
	// wherever a redirect leads.
	api.BaseURL = base
	api.UserAgent = "mcp-gates/" + c.Version
	return &Client{api: api, owner: c.Owner, repo: c.Repo}, nil
}

// network returns a transport that gives up on a server that says nothing.
func network() http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = 30 * time.Second
	return t
}

// status returns the HTTP status of an answer that is an error; 0 when there was no answer.
func status(err error) int {
	var refused *github.ErrorResponse
	if errors.As(err, &refused) && refused.Response != nil {
		return refused.Response.StatusCode
	}
	return 0
}

// unclear reports whether a request that failed with err may have taken effect all the same.
func unclear(err error) bool {
	var waits *limitError
	switch code := status(err); {
	case err == nil || errors.As(err, &waits):
		return false
	case code != 0:
		return faulty(code)
	case errors.Is(err, errBudget) || errors.Is(err, context.Canceled):
		return false
	}
	return true
}

// tries bounds how often something is sent again after its effect was not found.
const tries = 3

// create sends what must not take effect twice. After a failure that leaves it unclear whether it did, it looks for the
// effect before it sends again.
func create[T any](send func() (T, error), look func() (found T, ok bool, err error)) (T, error) {
	for try := 1; ; try++ {
		made, err := send()
		if !unclear(err) || try == tries {
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

// reason returns an error of the API in one line, with how to grant what was refused. scope is the permission that the
// request needs.
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
	var refused *github.ErrorResponse
	if errors.As(err, &refused) {
		return clip(refused.Message, most)
	}
	return ""
}
