package annotate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/go-github/v62/github"
)

// commentRequest describes the comment that a pull request should have.
type commentRequest struct {
	Number  int    // number of the pull request
	HeadSHA string // the commit that Body is about
	Key     string // see [commentKey]
	Body    string // Markdown, without the marker; GitHub takes 65,536 characters
	Mode    string // CommentAlways, CommentChanges, CommentFailures or CommentOff
	Failed  bool   // the verdict is not a pass
	Changed bool   // a figure, a case or a finding differs from the baseline
}

// CommentResult is the result of a request for a comment.
type CommentResult struct {
	URL string // address of the comment; "" if there is none
	Did string // created, updated, unchanged, not wanted, outdated or closed
}

// The values of [CommentResult.Did].
const (
	commentCreated   = "created"
	commentUpdated   = "updated"
	commentUnchanged = "unchanged"
	commentNotWanted = "not wanted"
	commentOutdated  = "outdated" // the pull request has a newer head; the run for it writes the comment
	commentClosed    = "closed"   // the pull request is closed
)

func (q commentRequest) isWanted() bool {
	switch q.Mode {
	case CommentAlways:
		return true
	case CommentChanges:
		return q.Changed || q.Failed
	case CommentFailures:
		return q.Failed
	}
	return false
}

// marker returns the first line of a comment. A blank line must follow, so that GitHub reads the text after it as Markdown.
func marker(key string) string { return "<!-- mcp-gates:v1 key=" + key + " -->" }

func (q commentRequest) body() string { return marker(q.Key) + "\n\n" + q.Body }

// comment creates or updates our comment for a key on a pull request. Our comments have the marker of the key, and the token's
// user is their author: the oldest is updated, and the others are deleted. An unchanged comment is not sent, and a comment that
// may be about a newer head is not touched.
func (c *Client) comment(ctx context.Context, q commentRequest) (CommentResult, error) {
	if q.Mode == CommentOff || q.Number == 0 {
		return CommentResult{Did: commentNotWanted}, nil
	}
	own, err := c.ownComments(ctx, q)
	if err != nil {
		return CommentResult{}, err
	}
	if len(own) == 0 && !q.isWanted() {
		return CommentResult{Did: commentNotWanted}, nil
	}
	if len(own) == 1 && sameText(own[0].GetBody(), q.body()) {
		return CommentResult{own[0].GetHTMLURL(), commentUnchanged}, nil
	}
	if did, err := c.outdatedReason(ctx, q); did != "" || err != nil {
		return CommentResult{Did: did}, err
	}
	if len(own) == 0 {
		return c.createComment(ctx, q)
	}
	return c.updateComment(ctx, q, own)
}

// outdatedReason returns commentClosed or commentOutdated if the comment must not be written; "" if it may be written.
func (c *Client) outdatedReason(ctx context.Context, q commentRequest) (string, error) {
	pr, err := c.PullRequest(ctx, q.Number)
	switch {
	case err != nil:
		return "", err
	case !pr.Open:
		return commentClosed, nil
	case pr.HeadSHA != q.HeadSHA:
		return commentOutdated, nil
	}
	return "", nil
}

// sameText reports whether the sent and the received text are equal, apart from line ends, which GitHub may change.
func sameText(a, b string) bool {
	plain := func(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
	return plain(a) == plain(b)
}

// createComment creates the comment. If the answer to the request is lost, it checks whether the comment exists.
func (c *Client) createComment(ctx context.Context, q commentRequest) (CommentResult, error) {
	made, err := create(
		func() (*github.IssueComment, error) {
			made, _, err := c.api.Issues.CreateComment(ctx, c.owner, c.repo, q.Number, &github.IssueComment{Body: new(q.body())})
			return made, err
		},
		func() (*github.IssueComment, bool, error) {
			own, err := c.ownComments(ctx, q)
			if err != nil || len(own) == 0 {
				return nil, false, err
			}
			return own[0], true, nil
		})
	if err != nil {
		return CommentResult{}, fmt.Errorf("create the comment: %w", err)
	}
	return CommentResult{made.GetHTMLURL(), commentCreated}, nil
}

// updateComment updates the first of our comments, and deletes the others, because jobs at the same time may each make one.
func (c *Client) updateComment(ctx context.Context, q commentRequest, own []*github.IssueComment) (CommentResult, error) {
	out := CommentResult{own[0].GetHTMLURL(), commentUnchanged}
	var problems []error
	if body := q.body(); !sameText(own[0].GetBody(), body) {
		_, _, err := c.api.Issues.EditComment(ctx, c.owner, c.repo, own[0].GetID(), &github.IssueComment{Body: &body})
		if err != nil {
			return out, fmt.Errorf("update the comment: %w", err)
		}
		out.Did = commentUpdated
	}
	for _, other := range own[1:] {
		if _, err := c.api.Issues.DeleteComment(ctx, c.owner, c.repo, other.GetID()); err != nil && status(err) != 404 {
			problems = append(problems, fmt.Errorf("delete a second comment: %w", err))
		}
	}
	return out, errors.Join(problems...)
}

// ownComments returns the comments that have the marker of the key and whose author is the token's user, the oldest first. The
// marker alone is not enough, because anybody can write it.
func (c *Client) ownComments(ctx context.Context, q commentRequest) ([]*github.IssueComment, error) {
	options := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: 100}}
	who := identity{client: c}
	var own []*github.IssueComment
	for range maxPages {
		list, resp, err := c.api.Issues.ListComments(ctx, c.owner, c.repo, q.Number, options)
		if err != nil {
			return nil, fmt.Errorf("list the comments: %w", err)
		}
		for _, comment := range list {
			if hasMarker(comment.GetBody(), q.Key) && who.isAuthor(ctx, comment.GetUser()) {
				own = append(own, comment)
			}
		}
		if resp.NextPage == 0 {
			break
		}
		options.Page = resp.NextPage
	}
	return own, nil
}

func hasMarker(body, key string) bool {
	first, _, _ := strings.Cut(body, "\n")
	return strings.TrimRight(first, "\r") == marker(key)
}

// actionsBot is the author of comments that the workflow's own token writes.
const actionsBot = "github-actions[bot]"

// identity decides whether a comment's author is the token's user. It asks GitHub for the user only if the author is not
// actionsBot.
type identity struct {
	client *Client
	login  string
	asked  bool
}

func (i *identity) isAuthor(ctx context.Context, user *github.User) bool {
	if user.GetLogin() == actionsBot && user.GetType() == "Bot" {
		return true
	}
	if !i.asked {
		i.asked, i.login = true, i.client.whoami(ctx)
	}
	return i.login != "" && strings.EqualFold(user.GetLogin(), i.login)
}

// whoami returns the login of the token's user, from the REST API or, for the token of an app, from GraphQL. It returns "" if
// both requests fail.
func (c *Client) whoami(ctx context.Context) string {
	if user, _, err := c.api.Users.Get(ctx, ""); err == nil {
		return user.GetLogin()
	}
	req, err := c.api.NewRequest("POST", c.graphQL(), map[string]string{"query": "query{viewer{login}}"})
	if err != nil {
		return ""
	}
	var answer struct {
		Data struct{ Viewer struct{ Login string } }
	}
	if _, err := c.api.Do(ctx, req, &answer); err != nil {
		return ""
	}
	return answer.Data.Viewer.Login
}

// graphQL returns the address of the GraphQL API: beside the REST API on github.com, and at api/graphql on a server whose REST
// API is at api/v3.
func (c *Client) graphQL() string {
	if strings.HasSuffix(c.api.BaseURL.Path, "/api/v3/") {
		return "../graphql"
	}
	return "graphql"
}
