package annotate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/org/mcp-gates/internal/report/annotation"
)

// perRequest is the maximum number of annotations of a request: "The Checks API limits the number of annotations to a maximum
// of 50 per API request. To create more than 50 annotations, you have to make multiple requests".
const perRequest = 50

// postGrace is how long a request that makes a check run may continue after its context ends. After a request that was cut off,
// one more request would be needed to find out whether it made the check run.
const postGrace = 2 * time.Second

type checkRunOptions struct {
	Name       string
	HeadSHA    string
	ExternalID string // identifies the check run: all requests for one attempt of a job have the same id, and nothing else has it
	DetailsURL string // "" for GitHub's own page
}

// conclusion is the result of a check run: a success or a failure. It is never neutral, because a required check passes if its
// conclusion is neutral.
type conclusion struct {
	Success bool
	Title   string // plain text
	Summary string // Markdown; GitHub takes 65,535 characters
}

// checkRun is the check run of one attempt of a job. One request makes and completes it, so that no check run stays in
// progress, however the program ends. On a nil checkRun the methods do nothing. fail may be called during publish.
type checkRun struct {
	client  *Client
	options checkRunOptions
	grace   time.Duration // postGrace, except in tests

	mu        sync.Mutex // held during requests that may make the check run
	id        int64      // 0 until the check run is known to exist
	url       string
	isSuccess bool
	isUnclear bool // a request without a known answer may have made the check run
	isFailed  bool // fail was called; publish then makes no check run
	sent      int  // number of annotations that the check run has
}

// newCheckRun returns the check run of an attempt, without sending a request.
func (c *Client) newCheckRun(o checkRunOptions) *checkRun {
	o.Name = plainText(o.Name, maxTitle)
	return &checkRun{client: c, options: o, grace: postGrace}
}

var errFailed = errors.New("the check run has been ended as a failure")

// publish makes the check run with its conclusion and the first annotations, and then adds the other annotations. If GitHub refuses
// the first annotations, publish makes the check run without them. It may return an error although the check run exists: for
// annotations that were refused or could not be added. missing are the annotations that the check run lacks.
func (k *checkRun) publish(ctx context.Context, end conclusion, list []annotation.Item) (missing []annotation.Item, err error) {
	if k == nil {
		return list, nil
	}
	first := list[:min(len(list), perRequest)]
	var problems []error
	err = k.make(ctx, end, first)
	annotationRefused := len(first) > 0 && status(err) == http.StatusUnprocessableEntity
	if annotationRefused {
		problems, missing = append(problems, missingError(first, err)), first
		err = k.make(ctx, end, nil)
	}
	if err != nil {
		return list, errors.Join(append(problems, err)...)
	}
	for batch := range slices.Chunk(list[len(first):], perRequest) {
		if err := k.add(ctx, end, batch); err != nil {
			problems, missing = append(problems, missingError(batch, err)), append(missing, batch...)
		}
	}
	return missing, errors.Join(problems...)
}

func missingError(list []annotation.Item, err error) error {
	return fmt.Errorf("%d annotations are missing from the check run: %w", len(list), err)
}

// make makes the check run, unless fail was called or ctx has ended. A request that has started may continue for the grace
// period after ctx ends.
func (k *checkRun) make(ctx context.Context, end conclusion, list []annotation.Item) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.isFailed:
		return errFailed
	case ctx.Err() != nil:
		return ctx.Err()
	}
	ctx, cancel := lingering(ctx, k.grace)
	defer cancel()
	return k.postLocked(ctx, end, list)
}

// lingering returns a context that stays valid for the grace period after ctx ends.
func lingering(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	later, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	return later, func() {
		stop()
		cancel()
	}
}

// fail makes the check run a failure: it makes one, or changes a successful one. A check run that failed already is unchanged. It
// takes one request at most, unless an earlier request has no known answer. Its time is bounded by ctx alone, not by the time
// budget of all requests.
func (k *checkRun) fail(ctx context.Context, end conclusion) error {
	if k == nil {
		return nil
	}
	end.Success = false
	ctx = withoutBudget(ctx)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.isFailed = true
	if k.isUnclear {
		if err := k.findUnclear(ctx); err != nil {
			return err
		}
	}
	switch {
	case k.id == 0:
		return k.postLocked(ctx, end, nil)
	case k.isSuccess:
		return k.makeFailure(ctx, end)
	}
	return nil
}

// postLocked makes a completed check run. k.mu must be held.
func (k *checkRun) postLocked(ctx context.Context, end conclusion, list []annotation.Item) error {
	o := k.options
	send := func() (*github.CheckRun, error) {
		run, _, err := k.client.api.Checks.CreateCheckRun(withReserve(ctx), k.client.owner, k.client.repo, github.CreateCheckRunOptions{
			Name: o.Name, HeadSHA: o.HeadSHA, ExternalID: &o.ExternalID, DetailsURL: nilIfEmpty(o.DetailsURL),
			Status: github.String(completed), Conclusion: new(end.word()), Output: output(end, list),
		})
		k.isUnclear = mayHaveEffect(err) || errors.Is(err, context.Canceled)
		return run, err
	}
	run, err := create(send, func() (*github.CheckRun, bool, error) { return k.client.findCheck(withReserve(ctx), o) })
	if err != nil {
		return fmt.Errorf("create the check run: %w", err)
	}
	k.isUnclear, k.isSuccess, k.sent = false, end.Success, len(list)
	k.id, k.url = run.GetID(), run.GetHTMLURL()
	return nil
}

// findUnclear finds out whether an earlier request made the check run although its answer was lost. k.mu must be held.
func (k *checkRun) findUnclear(ctx context.Context) error {
	run, ok, err := k.client.findCheck(ctx, k.options)
	if err != nil {
		return err
	}
	k.isUnclear = false
	if ok {
		k.id, k.url, k.isSuccess = run.GetID(), run.GetHTMLURL(), run.GetConclusion() == success
	}
	return nil
}

// makeFailure changes a successful check run into a failure. k.mu must be held.
func (k *checkRun) makeFailure(ctx context.Context, end conclusion) error {
	_, _, err := k.client.api.Checks.UpdateCheckRun(ctx, k.client.owner, k.client.repo, k.id, github.UpdateCheckRunOptions{
		Name: k.options.Name, Status: github.String(completed), Conclusion: new(end.word()), Output: output(end, nil),
	})
	if err != nil {
		return fmt.Errorf("make the check run a failure: %w", err)
	}
	k.isSuccess = false
	return nil
}

// Values of the API for a status and for conclusions.
const (
	completed = "completed"
	success   = "success"
	failure   = "failure"
)

func (c conclusion) word() string {
	if c.Success {
		return success
	}
	return failure
}

// nilIfEmpty returns nil for an empty text, so that the request leaves the field out.
func nilIfEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// findCheck looks for the check run, by its external id. A request whose answer was lost may have made it.
func (c *Client) findCheck(ctx context.Context, o checkRunOptions) (*github.CheckRun, bool, error) {
	options := &github.ListCheckRunsOptions{
		CheckName: &o.Name, Filter: github.String("all"), ListOptions: github.ListOptions{PerPage: 100},
	}
	for range maxPages {
		list, resp, err := c.api.Checks.ListCheckRunsForRef(ctx, c.owner, c.repo, o.HeadSHA, options)
		if err != nil {
			return nil, false, fmt.Errorf("look for the check run: %w", err)
		}
		for _, run := range list.CheckRuns {
			if run.GetExternalID() == o.ExternalID {
				return run, true, nil
			}
		}
		if resp.NextPage == 0 {
			break
		}
		options.Page = resp.NextPage
	}
	return nil, false, nil
}

// URL returns the address of the check run; "" if there is none.
func (k *checkRun) URL() string {
	if k == nil {
		return ""
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.url
}

// add adds annotations: "Each time you update the check run, annotations are appended to the list of annotations that already
// exist for the check run." A request that may have succeeded is sent again only if the annotations are missing.
func (k *checkRun) add(ctx context.Context, end conclusion, list []annotation.Item) error {
	api, owner, repo := k.client.api.Checks, k.client.owner, k.client.repo
	_, err := create(
		func() (int, error) {
			_, _, err := api.UpdateCheckRun(sendOnce(ctx), owner, repo, k.id, github.UpdateCheckRunOptions{
				Name: k.options.Name, Output: output(end, list), // required: the library would send a missing name as ""
			})
			return 0, err
		},
		func() (int, bool, error) {
			run, _, err := api.GetCheckRun(ctx, owner, repo, k.id)
			return 0, err == nil && run.GetOutput().GetAnnotationsCount() >= k.sent+len(list), err
		})
	if err == nil {
		k.sent += len(list)
	}
	return err
}

func output(end conclusion, list []annotation.Item) *github.CheckRunOutput {
	out := &github.CheckRunOutput{Title: new(plainText(end.Title, maxTitle)), Summary: &end.Summary}
	for _, a := range list {
		out.Annotations = append(out.Annotations, apiAnnotation(a))
	}
	return out
}

// noPath is the path of an annotation without a file. The API requires a path.
const noPath = ".github"

// apiAnnotation returns an annotation in the form of the API, with its texts cut to the lengths that the API accepts.
func apiAnnotation(a annotation.Item) *github.CheckRunAnnotation {
	path := cmp.Or(plainText(a.Path, maxMessage), noPath)
	start := max(a.Line, 1)
	end := max(a.EndLine, start)
	out := &github.CheckRunAnnotation{
		Path: &path, StartLine: &start, EndLine: &end,
		AnnotationLevel: new(string(a.Level)), Message: new(plainText(a.Message, maxMessage)),
	}
	if a.Title != "" {
		out.Title = new(plainText(a.Title, maxTitle))
	}
	return out
}
