package annotate

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/annotation"
)

// Publisher publishes one evaluation. A failure to publish becomes a warning and never changes a verdict. An evaluation ends in
// one of three ways, each with a completed check run:
//
//	p := annotate.NewPublisher(setup)
//	p.Publish(ctx, result) // the evaluation has a result
//	p.Break(ctx)           // the evaluation broke and has no result
//	p.Cancel(ctx)          // the job was cancelled, perhaps during the other two
type Publisher struct {
	Setup
	check    *checkRun // nil if none is wanted or possible
	about    Event     // the event when the publisher was made; the check run belongs to its commit
	problems []string
}

// Setup is the environment of a publisher.
type Setup struct {
	Inputs   Inputs
	Event    Event
	Client   *Client // nil without a token: then only commands, summary and outputs are written
	Commands *Commands
	Getenv   func(string) string // reads environment variables, for the paths of the runner's files
	DryRun   bool                // a dry run; only Preview is used
}

// Result is the result to publish.
type Result struct {
	Report      *report.Report
	Delta       *Delta // nil if nothing was compared
	Annotations []annotation.Item

	Success bool // the exit status after fail-on is 0
	Failed  bool // the verdict is not a pass, regardless of fail-on, or the exit status is not 0
	Changed bool // something differs from the baseline

	Title      string // the verdict as plain text of one line
	Summary    string // Markdown for the job summary
	Comment    string // Markdown for the comment
	ReportPath string // path of the JSON report; "" if it was not written

	CheckSummary string // Markdown for the check run
}

// Outcome lists what was published.
type Outcome struct {
	CheckURL string
	Comment  CommentResult
	Problems []string // what could not be published, with advice
}

// NewPublisher returns a publisher, and hides the token in the rest of the log.
func NewPublisher(s Setup) *Publisher {
	if s.onRunner() {
		s.Commands.mask(s.Inputs.Token)
	}
	p := &Publisher{Setup: s, about: s.Event}
	if name := checkName(s.Inputs); name != "" && s.Client != nil && s.Event.HeadSHA != "" && !s.DryRun {
		p.check = s.Client.newCheckRun(checkRunOptions{
			Name: name, HeadSHA: s.Event.HeadSHA, ExternalID: s.externalID(), DetailsURL: s.Event.RunURL(),
		})
	}
	return p
}

// Mask hides values of the environment in the rest of the log.
func (p *Publisher) Mask(values []string) {
	if p.onRunner() {
		p.Commands.maskValues(values)
	}
}

// onRunner reports whether a runner reads the log. Only a runner removes the mask commands from the log; elsewhere they would
// print the secrets that they should hide.
func (s Setup) onRunner() bool { return s.Getenv("GITHUB_ACTIONS") == "true" }

// externalID returns the id of the check run, made from the workflow run, its attempt, and the key of the use of the action.
func (s Setup) externalID() string {
	return fmt.Sprintf("mcp-gates/%d/%d/%s", s.Event.RunID, s.Event.RunAttempt, commentKey(s.Inputs, s.Event))
}

func (p *Publisher) problem(format string, args ...any) {
	p.problems = append(p.problems, fmt.Sprintf(format, args...))
}

// breakTime bounds the time that Break takes.
const breakTime = 30 * time.Second

// Break makes the check run a failure because the evaluation broke. The reason can contain anything and stays in the log.
func (p *Publisher) Break(ctx context.Context) {
	ctx, end := context.WithTimeout(ctx, breakTime)
	defer end()
	p.fail(ctx, conclusion{
		Title: "broken off", Summary: "The gates were not evaluated to the end: the program broke off. The job's log says why.",
	})
}

// Cancel makes the check run a failure because the job was cancelled. Another goroutine may be in Publish or Break at that time,
// with a context that has ended. ctx must have a deadline.
func (p *Publisher) Cancel(ctx context.Context) {
	p.fail(ctx, conclusion{
		Title: "cancelled", Summary: "The job was cancelled before everything was evaluated and published, so that nothing counts as passed.",
	})
}

func (p *Publisher) fail(ctx context.Context, end conclusion) {
	if err := p.check.fail(ctx, end); err != nil {
		p.Commands.Warn("The check run does not say that the job failed: %s.", p.about.reason(err, "checks: write"))
	}
}

// Publish publishes the result: the check run with its annotations, or workflow commands if there is no check run; the comment;
// the job summary; and the outputs. It stops when ctx ends.
func (p *Publisher) Publish(ctx context.Context, r Result) Outcome {
	shown, leftOut := annotation.Limit(r.Annotations, p.Inputs.MaxAnnotations)
	unpublished := p.publishCheckRun(ctx, r, shown)
	comment := p.comment(ctx, r)
	out := Outcome{CheckURL: p.check.URL(), Comment: comment}
	if ctx.Err() != nil {
		return out
	}
	for _, problem := range p.problems {
		p.Commands.Warn("%s", problem)
	}
	for level, n := range p.Commands.annotate(unpublished, "see the job summary") {
		leftOut[level] += n
	}
	if p.Inputs.Summary {
		p.noteError(writeSummary(p.Getenv, r.Summary+p.footnote(leftOut)))
	}
	links := resultLinks{Report: r.ReportPath, Comment: comment.URL, Check: out.CheckURL}
	p.noteError(writeOutputs(p.Getenv, outputs(r.Report, r.Delta, links)))
	out.Problems = p.problems
	return out
}

func (p *Publisher) noteError(err error) {
	if err != nil {
		p.problem("%v", err)
		p.Commands.Warn("%v", err)
	}
}

// publishCheckRun makes the check run, and notes each problem. It returns the annotations that the check run lacks, which are all
// of them if there is no check run.
func (p *Publisher) publishCheckRun(ctx context.Context, r Result, list []annotation.Item) []annotation.Item {
	switch {
	case checkName(p.Inputs) == "":
	case p.Client == nil:
		p.problem("The check run was not made: there is no github-token.")
	case p.about.HeadSHA == "":
		p.problem("The check run was not made: the event names no commit.")
	}
	missing, err := p.check.publish(ctx, r.conclusion(), list)
	switch {
	case err == nil:
	case p.check.URL() == "":
		p.problem("The check run was not made: %s.", p.about.reason(err, "checks: write"))
	default:
		p.problem("The check run is not complete: %s.", p.about.reason(err, "checks: write"))
	}
	return missing
}

func (r Result) conclusion() conclusion {
	return conclusion{Success: r.Success, Title: r.Title, Summary: r.CheckSummary}
}

// comment writes or updates the comment on the pull request. If that is wanted but impossible, it notes the reason as a
// problem.
func (p *Publisher) comment(ctx context.Context, r Result) CommentResult {
	none := CommentResult{Did: commentNotWanted}
	if !p.Event.ForPullRequest || p.Inputs.Comment == CommentOff {
		return none
	}
	switch {
	case p.Client == nil:
		p.problem("The comment was not written: there is no github-token.")
		return none
	case p.Event.Number == 0:
		p.problem("The comment was not written: no open pull request has the commit %s.", p.Event.HeadSHA)
		return none
	}
	done, err := p.Client.comment(ctx, p.commentRequest(r))
	switch {
	case err != nil:
		p.problem("The comment was not written: %s.", p.Event.reason(err, "pull-requests: write"))
	case done.Did == commentOutdated:
		p.Commands.Say("The comment was left as it is: the pull request has a newer head than %s.", p.Event.HeadSHA)
	}
	return done
}

func (p *Publisher) commentRequest(r Result) commentRequest {
	return commentRequest{
		Number: p.Event.Number, HeadSHA: p.Event.HeadSHA, Key: commentKey(p.Inputs, p.Event), Body: r.Comment,
		Mode: p.Inputs.Comment, Failed: r.Failed, Changed: r.Changed,
	}
}

// footnote returns the end of the summary, with notes on annotations that were left out and on problems. The reasons of problems
// contain text of the server and stay in the log.
func (p *Publisher) footnote(leftOut map[annotation.Level]int) string {
	var b strings.Builder
	if more := countsByLevel(leftOut); more != "" {
		fmt.Fprintf(&b, "\n\nNot annotated, because there are too many: %s.\n", more)
	}
	if len(p.problems) > 0 {
		b.WriteString("\n\nNot everything could be published. The warnings in the job's log say what, and how to grant it.\n")
	}
	return b.String()
}
