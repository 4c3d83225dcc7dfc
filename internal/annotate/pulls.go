package annotate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"
	"github.com/org/mcp-gates/internal/baseline"
)

// PullRequest has the values of a pull request that are used here.
type PullRequest struct {
	Number   int
	HeadSHA  string // current head
	HeadRepo string // owner/name; "" if it is gone
	BaseSHA  string // tip of the target branch
	BaseRef  string // the target branch
	MergeSHA string // GitHub's test merge; "" if there is none yet, or in a conflict
	Open     bool
}

// PullRequest returns the pull request with this number.
func (c *Client) PullRequest(ctx context.Context, number int) (PullRequest, error) {
	pr, _, err := c.api.PullRequests.Get(ctx, c.owner, c.repo, number)
	if err != nil {
		return PullRequest{}, fmt.Errorf("read pull request %d: %w", number, err)
	}
	return fromAPI(pr), nil
}

// fromAPI converts a pull request. It leaves out invalid SHAs, because SHAs become part of addresses.
func fromAPI(pr *github.PullRequest) PullRequest {
	return PullRequest{
		Number:   pr.GetNumber(),
		HeadSHA:  checkedSHA(pr.GetHead().GetSHA()),
		HeadRepo: pr.GetHead().GetRepo().GetFullName(),
		BaseSHA:  checkedSHA(pr.GetBase().GetSHA()),
		BaseRef:  pr.GetBase().GetRef(),
		MergeSHA: checkedSHA(pr.GetMergeCommitSHA()),
		Open:     pr.GetState() == "open",
	}
}

func checkedSHA(s string) string {
	if baseline.IsSHA(s) {
		return s
	}
	return ""
}

// maxPages bounds the number of pages that are read of a list. A page has at most 100 entries.
const maxPages = 50

// FindPullRequest returns the open pull request with the head commit and head repository of a workflow_run; ok is false if there
// is none. Of several pull requests, it returns the oldest one to the default branch, otherwise the oldest of all, so that their
// author cannot choose which branch judges.
func (c *Client) FindPullRequest(ctx context.Context, e Event) (found PullRequest, ok bool, err error) {
	if e.HeadSHA == "" || e.HeadRepo == "" {
		return PullRequest{}, false, nil
	}
	options := &github.PullRequestListOptions{State: "open", ListOptions: github.ListOptions{PerPage: 100}}
	var all []PullRequest
	if e.HeadBranch != "" {
		owner, _, _ := strings.Cut(e.HeadRepo, "/")
		options.Head = owner + ":" + e.HeadBranch
		all, err = c.pullsWithHead(ctx, e, options)
		options.Head, options.Page = "", 0
	}
	if err == nil && len(all) == 0 { // the branch may have been renamed
		all, err = c.pullsWithHead(ctx, e, options)
	}
	if err != nil || len(all) == 0 {
		return PullRequest{}, false, err
	}
	toDefault := slices.DeleteFunc(slices.Clone(all), func(pr PullRequest) bool { return pr.BaseRef != e.DefaultBranch })
	if len(toDefault) > 0 {
		all = toDefault
	}
	return slices.MinFunc(all, func(a, b PullRequest) int { return cmp.Compare(a.Number, b.Number) }), true, nil
}

func (c *Client) pullsWithHead(ctx context.Context, e Event, options *github.PullRequestListOptions) ([]PullRequest, error) {
	var found []PullRequest
	for range maxPages {
		list, resp, err := c.api.PullRequests.List(ctx, c.owner, c.repo, options)
		if err != nil {
			return nil, fmt.Errorf("list the open pull requests: %w", err)
		}
		for _, one := range list {
			if pr := fromAPI(one); pr.HeadSHA == e.HeadSHA && strings.EqualFold(pr.HeadRepo, e.HeadRepo) {
				found = append(found, pr)
			}
		}
		if resp.NextPage == 0 {
			break
		}
		options.Page = resp.NextPage
	}
	return found, nil
}

// WithPullRequest returns the event with the number and the base of the pull request.
func (e Event) WithPullRequest(pr PullRequest) Event {
	e.Number, e.BaseSHA = pr.Number, pr.BaseSHA
	return e
}

// Parents returns the SHAs of a commit's parents, in order.
func (c *Client) Parents(ctx context.Context, sha string) ([]string, error) {
	commit, _, err := c.api.Git.GetCommit(ctx, c.owner, c.repo, sha)
	if err != nil {
		return nil, fmt.Errorf("read commit %s: %w", sha, err)
	}
	var parents []string
	for _, p := range commit.Parents {
		if s := checkedSHA(p.GetSHA()); s != "" {
			parents = append(parents, s)
		}
	}
	return parents, nil
}
