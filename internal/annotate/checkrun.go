package annotate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/go-github/v62/github"
)

// perRequest is how many annotations a request may have: "The Checks API limits the number of annotations to a maximum
// of 50 per API request. To create more than 50 annotations, you have to make multiple requests".
const perRequest = 50

// abandonTime is how long it may take to complete a check run when the program ends before its time. A container gets
// ten seconds from the signal to its end.
const abandonTime = 8 * time.Second

// CheckOptions says which check run to make.
type CheckOptions struct {
	Name       string
	HeadSHA    string
	ExternalID string // finds the check run again; the same for each try of the same attempt, and for nothing else
	DetailsURL string // "" for GitHub's own page
}

// Conclusion is how a check run ends. It is a success or a failure and never neutral, which counts as a success where
// the check is required.
type Conclusion struct {
	Success bool
	Title   string // plain text
	Summary string // Markdown
	Text    string // Markdown; may be ""
}

// CheckRun is a check run that was begun. The methods of a nil one do nothing, so that one that could not be made needs
// no special care. It must be completed, which takes one deferred call:
//
//	run, err := client.StartCheck(ctx, options)
//	defer run.Abandon(ctx, "the gates were not evaluated: the program broke off")
type CheckRun struct {
	client  *Client
	options CheckOptions
	id      int64
	sent    int // annotations
	done    bool
	url     string
}

// StartCheck makes a check run that is in progress.
func (c *Client) StartCheck(ctx context.Context, o CheckOptions) (*CheckRun, error) {
	o.Name = plainText(o.Name, maxTitle)
	send := func() (*github.CheckRun, error) {
		run, _, err := c.api.Checks.CreateCheckRun(ctx, c.owner, c.repo, github.CreateCheckRunOptions{
			Name: o.Name, HeadSHA: o.HeadSHA, ExternalID: &o.ExternalID, DetailsURL: optional(o.DetailsURL),
			Status: github.String("in_progress"),
		})
		return run, err
	}
	run, err := create(send, func() (*github.CheckRun, bool, error) { return c.findCheck(ctx, o) })
	if err != nil {
		return nil, fmt.Errorf("create the check run: %w", err)
	}
	return &CheckRun{client: c, options: o, id: run.GetID(), url: run.GetHTMLURL()}, nil
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// findCheck looks for a check run that a request made whose answer was lost.
func (c *Client) findCheck(ctx context.Context, o CheckOptions) (*github.CheckRun, bool, error) {
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

// URL returns the address of the check run; "" when there is none.
func (k *CheckRun) URL() string {
	if k == nil {
		return ""
	}
	return k.url
}

// Finish adds the annotations in batches and completes the check run with the last of them. A batch that is refused
// does not keep it from being completed; the error then says how many annotations are missing.
func (k *CheckRun) Finish(ctx context.Context, end Conclusion, list []Annotation) error {
	if k == nil || k.done {
		return nil
	}
	var problems []error
	for len(list) > perRequest {
		problems = append(problems, k.add(ctx, end, list[:perRequest]))
		list = list[perRequest:]
	}
	err := k.complete(ctx, end, list)
	if err != nil && len(list) > 0 {
		problems = append(problems, missing(list, err))
		err = k.complete(ctx, end, nil)
	}
	problems = append(problems, err)
	return errors.Join(problems...)
}

// Abandon completes the check run as a failure unless it is completed. It works after ctx has ended, too.
func (k *CheckRun) Abandon(ctx context.Context, why string) error {
	if k == nil || k.done {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abandonTime)
	defer cancel()
	return k.complete(ctx, Conclusion{Title: "broken off", Summary: why}, nil)
}

func missing(list []Annotation, err error) error {
	return fmt.Errorf("%d annotations are missing from the check run: %w", len(list), err)
}

func (k *CheckRun) add(ctx context.Context, end Conclusion, list []Annotation) error {
	end.Text = "" // comes with the last change
	if err := k.update(ctx, github.UpdateCheckRunOptions{Output: output(end, list)}); err != nil {
		return missing(list, err)
	}
	return nil
}

func (k *CheckRun) complete(ctx context.Context, end Conclusion, list []Annotation) error {
	conclusion := "failure"
	if end.Success {
		conclusion = "success"
	}
	err := k.update(reserved(ctx), github.UpdateCheckRunOptions{
		Status: github.String("completed"), Conclusion: &conclusion, Output: output(end, list),
	})
	if err != nil {
		return fmt.Errorf("complete the check run: %w", err)
	}
	k.done = true
	return nil
}

// update sends a change. Annotations are appended by each request, so that one whose outcome is unclear is sent again
// only after a look at how many there are.
func (k *CheckRun) update(ctx context.Context, o github.UpdateCheckRunOptions) error {
	o.Name = k.options.Name // left out it would be sent as ""
	added := len(o.Output.Annotations)
	sending := ctx
	if added > 0 {
		sending = once(ctx)
	}
	_, err := create(
		func() (int, error) {
			_, _, err := k.client.api.Checks.UpdateCheckRun(sending, k.client.owner, k.client.repo, k.id, o)
			return 0, err
		},
		func() (int, bool, error) {
			run, _, err := k.client.api.Checks.GetCheckRun(ctx, k.client.owner, k.client.repo, k.id)
			arrived := run.GetOutput().GetAnnotationsCount() >= k.sent+added &&
				(o.Status == nil || run.GetStatus() == *o.Status)
			return 0, err == nil && arrived, err
		})
	if err == nil {
		k.sent += added
	}
	return err
}

// output returns what the check run shows, within the limits of the API: a summary goes with every change.
func output(end Conclusion, list []Annotation) *github.CheckRunOutput {
	title := plainText(end.Title, maxTitle)
	summary := cutMarkdown(end.Summary, maxCheckText)
	out := &github.CheckRunOutput{Title: &title, Summary: &summary}
	if end.Text != "" {
		text := cutMarkdown(end.Text, maxCheckText)
		out.Text = &text
	}
	for _, a := range list {
		out.Annotations = append(out.Annotations, a.forAPI())
	}
	return out
}

// noPath stands for an annotation without a file: the API requires one.
const noPath = ".github"

func (a Annotation) forAPI() *github.CheckRunAnnotation {
	path := plainText(a.Path, maxMessage)
	if path == "" {
		path = noPath
	}
	start := max(a.Line, 1)
	end := max(a.EndLine, start)
	level := string(a.Level)
	message := plainText(a.Message, maxMessage)
	out := &github.CheckRunAnnotation{
		Path: &path, StartLine: &start, EndLine: &end, AnnotationLevel: &level, Message: &message,
	}
	if a.Title != "" {
		title := plainText(a.Title, maxTitle)
		out.Title = &title
	}
	return out
}
