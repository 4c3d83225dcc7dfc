package annotate

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/report/annotation"
	"github.com/org/mcp-gates/internal/report/reporttest"
)

// jobStep is a step of a workflow that publishes.
type jobStep struct {
	t    *testing.T
	log  bytes.Buffer
	dir  string
	env  map[string]string
	pub  *Publisher
	fake *fake
}

func newStep(t *testing.T, f *fake, inputs map[string]string) *jobStep {
	t.Helper()
	return newStepOf(t, f, inputs, func(*Event) {})
}

func newStepOf(t *testing.T, f *fake, inputs map[string]string, change func(*Event)) *jobStep {
	t.Helper()
	s := &jobStep{t: t, dir: t.TempDir(), fake: f}
	s.env = map[string]string{
		"GITHUB_OUTPUT": filepath.Join(s.dir, "output"), "GITHUB_STEP_SUMMARY": filepath.Join(s.dir, "summary"),
	}
	in, err := ReadInputs(environment(inputs))
	if err != nil {
		t.Fatal(err)
	}
	setup := Setup{
		Inputs: in, Commands: NewCommands(&s.log), Getenv: func(name string) string { return s.env[name] },
		Event: Event{
			Name: "pull_request", Owner: "octo", Repo: "tools", SHA: mergeSHA, HeadSHA: headSHA, Number: 7, ForPullRequest: true,
			Workflow: "CI", Job: "gates", RunID: 5, RunAttempt: 2, ServerURL: "https://github.com",
		},
	}
	change(&setup.Event)
	if f != nil {
		setup.Client = f.client()
	}
	s.pub = NewPublisher(setup)
	return s
}

// TestMask pins the first lines of a runner's log, and that a dry run on somebody's machine prints no secret. Of the
// other values none is masked that is in many words, nor the brace that stands alone in a line.
func TestMask(t *testing.T) {
	for _, env := range []map[string]string{{}, {"GITHUB_ACTIONS": "true"}} {
		var log bytes.Buffer
		p := NewPublisher(Setup{
			Inputs: Inputs{Token: token}, Commands: NewCommands(&log), Getenv: func(name string) string { return env[name] },
		})
		p.Mask([]string{"", "true", "hunter2-100%", "{\r\n  \"key\": \"hunter3\"\n}\n"})
		const want = "::add-mask::" + token + "\n::add-mask::hunter2-100%25\n::add-mask::\"key\": \"hunter3\"\n"
		if got := log.String(); got != map[bool]string{true: want}[len(env) > 0] {
			t.Errorf("with %v the log is %q, want %q", env, got, want)
		}
	}
}

func (s *jobStep) publish() Outcome {
	s.t.Helper()
	r := reporttest.Everything(plain)
	return s.pub.Publish(s.t.Context(), Result{
		Report: r, Annotations: annotation.Of(r, annotation.Options{}), Failed: true,
		Delta: &Delta{SurfaceTokens: "12", NewFindings: 3, Regressions: 1},
		Title: "2 of 6 cases fail", Summary: "# summary\n", CheckSummary: "check", Comment: "comment", ReportPath: "r.json",
	})
}

func (s *jobStep) file(name string) string {
	s.t.Helper()
	data, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(data)
}

// issued counts the commands of the log by name.
func (s *jobStep) issued() map[string]int {
	commands, _ := readLog(s.log.String())
	by := map[string]int{}
	for _, c := range commands {
		by[c.Name]++
	}
	return by
}

func TestPublish(t *testing.T) {
	f := newFake(t)
	s := newStep(t, f, nil)
	out := s.publish()
	c := f.oneCheck()
	if c.Conclusion != "failure" || c.Title != "2 of 6 cases fail" || c.Summary != "check" || c.External == "" {
		t.Errorf("the check run is %+v", c)
	}
	if want := len(annotation.Of(reporttest.Everything(plain), annotation.Options{})); len(c.Annotations) != want {
		t.Errorf("%d annotations, want %d", len(c.Annotations), want)
	}
	if len(f.comments) != 1 || !strings.HasSuffix(f.comments[0].Body, "\n\ncomment") {
		t.Errorf("comments are %v", f.comments)
	}
	if out.Problems != nil || len(s.issued()) != 0 {
		t.Errorf("problems %v, commands %v", out.Problems, s.issued())
	}
	if got := s.file("summary"); got != "# summary\n\n" {
		t.Errorf("the summary is %q", got)
	}
	got, ok := readOutputs(s.file("output"))
	want := map[string]string{
		"verdict": "error", "cases": "6", "passed": "1", "failed": "3", "errors": "2", "affected-cases": "2", "broken-cases": "1", "f1": "50", "selection-rate": "70",
		"surface-tokens": "96", "surface-tokens-delta": "12", "critical": "1", "warning": "1", "new-findings": "3", "regressions": "1",
		"report": "r.json", "comment-url": out.Comment.URL, "check-url": out.CheckURL,
	}
	if diff := cmp.Diff(want, got); diff != "" || !ok {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
	if n := len(f.requests); n > 6 {
		t.Errorf("%d requests, want at most 6: %v", n, f.requests)
	}
}

// TestPublishReadOnly pins what a token that may not write leads to: commands, a summary, and how to grant it.
func TestPublishReadOnly(t *testing.T) {
	for name, test := range map[string]struct {
		fork                 bool
		noChecks, noComments bool
		want                 []string
	}{
		"neither": {noChecks: true, noComments: true, want: []string{
			"The check run was not made: the token may not (403, Resource not accessible by integration): add \"checks: write\" to the job's permissions.",
			"The comment was not written: the token may not (403, Resource not accessible by integration): add \"pull-requests: write\" to the job's permissions.",
		}},
		"fork": {fork: true, noChecks: true, noComments: true, want: []string{
			"The check run was not made: the token may not (403): a pull request from a fork gets a read-only one; publish from a workflow_run workflow instead.",
			"The comment was not written: the token may not (403): a pull request from a fork gets a read-only one; publish from a workflow_run workflow instead.",
		}},
		"check alone": {noComments: true, want: []string{
			"The comment was not written: the token may not (403, Resource not accessible by integration): add \"pull-requests: write\" to the job's permissions.",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.noChecks, f.noComments = test.noChecks, test.noComments
			s := newStepOf(t, f, nil, func(e *Event) { e.Fork = test.fork })
			out := s.publish()
			if diff := cmp.Diff(test.want, out.Problems); diff != "" {
				t.Error(diff)
			}
			commands := s.issued()
			if test.noChecks && commands["error"] != 10 || !test.noChecks && commands["error"] > 0 || commands["warning"] < len(test.want) {
				t.Errorf("commands are %v", commands)
			}
			summary := s.file("summary")
			if !strings.Contains(summary, "Not everything could be published") || strings.Contains(summary, "too many") != test.noChecks {
				t.Errorf("the summary is %q", summary)
			}
			if values, _ := readOutputs(s.file("output")); values["verdict"] != "error" || values["comment-url"] != "" {
				t.Errorf("outputs are %v", values)
			}
		})
	}
}

// TestPublishWithout pins that what is switched off or not there is left out.
func TestPublishWithout(t *testing.T) {
	t.Run("token", func(t *testing.T) {
		s := newStep(t, nil, nil)
		out := s.publish()
		if len(out.Problems) != 2 || s.issued()["error"] != 10 {
			t.Errorf("problems %v, commands %v", out.Problems, s.issued())
		}
	})
	t.Run("everything", func(t *testing.T) {
		f := newFake(t)
		s := newStep(t, f, map[string]string{"check-name": "off", "comment": "off", "summary": "false", "max-annotations": "3"})
		delete(s.env, "GITHUB_OUTPUT")
		out := s.publish()
		if len(f.requests) > 0 || out.Problems != nil || s.issued()["error"] != 3 {
			t.Errorf("requests %v, problems %v, commands %v", f.requests, out.Problems, s.issued())
		}
		if files, err := os.ReadDir(s.dir); err != nil || len(files) > 0 {
			t.Errorf("files %v were written, %v", files, err)
		}
	})
	t.Run("files of the runner", func(t *testing.T) {
		s := newStep(t, nil, nil)
		s.env["GITHUB_OUTPUT"], s.env["GITHUB_STEP_SUMMARY"] = s.dir, s.dir+"/gone/summary"
		if out := s.publish(); len(out.Problems) != 4 {
			t.Errorf("problems are %q, want two more", out.Problems)
		}
	})
	t.Run("pull request", func(t *testing.T) {
		f := newFake(t)
		s := newStep(t, f, nil)
		s.pub.Event.Number, s.pub.Event.ForPullRequest = 0, false
		if out := s.publish(); out.Problems != nil || len(f.comments) > 0 || len(f.checks) != 1 {
			t.Errorf("problems %v, comments %v", out.Problems, f.comments)
		}
	})
	t.Run("number", func(t *testing.T) {
		s := newStep(t, newFake(t), nil)
		s.pub.Event.Number = 0
		if out := s.publish(); len(out.Problems) != 1 || !strings.Contains(out.Problems[0], "no open pull request has the commit") {
			t.Errorf("problems are %v", out.Problems)
		}
	})
}

// TestPublishOutage pins that an outage ends in warnings, soon, and that everything is said in commands.
func TestPublishOutage(t *testing.T) {
	f := newFake(t)
	f.fail(fault{times: 1000, status: 503})
	s := newStep(t, f, nil)
	out := s.publish()
	if len(out.Problems) != 2 || s.issued()["error"] != 10 || f.slept > totalBudget {
		t.Errorf("problems %v after %s, commands %v", out.Problems, f.slept, s.issued())
	}
}

// TestPublishLost pins that annotations which the check run lacks are said as commands.
func TestPublishLost(t *testing.T) {
	f := newFake(t)
	f.fail(fault{match: "PATCH /repos/octo/tools/check-runs", times: 1000, status: 500})
	s := newStep(t, f, map[string]string{"comment": "off"})
	out := s.pub.Publish(t.Context(), Result{Report: reporttest.Everything(plain), Annotations: manyAnnotations(53), Success: true})
	if c := f.oneCheck(); c.Conclusion != "success" || len(c.Annotations) != 50 {
		t.Errorf("the check run is %s with %d annotations", c.Conclusion, len(c.Annotations))
	}
	if len(out.Problems) != 1 || !strings.Contains(out.Problems[0], "not complete: 3 annotations are missing") || s.issued()["warning"] != 1+3 {
		t.Errorf("problems %q, commands %v", out.Problems, s.issued())
	}
}

// TestPublishStops pins that a job which was cancelled writes nothing more: no comment, no summary, no outputs.
func TestPublishStops(t *testing.T) {
	for _, stop := range []string{"POST /repos/octo/tools/check-runs", "GET /repos/octo/tools/issues/7/comments", "POST /repos/octo/tools/issues/7/comments"} {
		f := newFake(t)
		s := newStep(t, f, nil)
		ctx, cancel := context.WithCancel(t.Context())
		f.fail(fault{match: stop, wait: cancel, status: 503})
		s.pub.Publish(ctx, Result{Report: reporttest.Everything(plain), Annotations: manyAnnotations(120), Success: true, Changed: true})
		bounded, end := context.WithTimeout(t.Context(), 10*time.Second)
		s.pub.Cancel(bounded)
		end()
		if c := f.oneCheck(); c.Conclusion != "failure" || c.Title != "cancelled" || len(f.comments) > 0 || s.log.Len() > 0 {
			t.Errorf("%s: the check run is %+v, comments %v, log %q", stop, c, f.comments, s.log.String())
		}
		if files, err := os.ReadDir(s.dir); err != nil || len(files) > 0 {
			t.Errorf("%s: files %v were written, %v", stop, files, err)
		}
	}
}

// TestBreak pins what is left of an evaluation that came to nothing: a failure where a check run can be, else nothing.
func TestBreak(t *testing.T) {
	f := newFake(t)
	s := newStep(t, f, nil)
	s.pub.Break(t.Context())
	if c := f.oneCheck(); c.Status != "completed" || c.Conclusion != "failure" || c.Title != "broken off" || s.log.Len() > 0 {
		t.Errorf("the check run is %+v, the log %q", c, s.log.String())
	}
	f = newFake(t)
	f.noChecks = true
	s = newStep(t, f, nil)
	s.pub.Break(t.Context())
	if want := "::warning::The check run does not say that the job failed: the token may not (403"; !strings.HasPrefix(s.log.String(), want) {
		t.Errorf("the log is %q, want %q", s.log.String(), want)
	}
	s = newStep(t, nil, nil)
	s.pub.Break(t.Context())
	f = newFake(t)
	off := newStep(t, f, map[string]string{"check-name": "off"})
	off.pub.Break(t.Context())
	dry := off.pub.Setup
	dry.DryRun, dry.Inputs.CheckName = true, "report"
	NewPublisher(dry).Break(t.Context())
	if s.log.Len() > 0 || off.log.Len() > 0 || len(f.requests) > 0 {
		t.Errorf("logs %q and %q, requests %v", s.log.String(), off.log.String(), f.requests)
	}
}

func TestPreview(t *testing.T) {
	s := newStep(t, nil, map[string]string{"max-annotations": "4"})
	r := reporttest.Everything(func(text string) string { return strings.ReplaceAll(text, "third", "th\x1b[31mird") })
	var got bytes.Buffer
	for _, mode := range []string{CommentChanges, CommentOff} {
		s.pub.Inputs.Comment = mode
		got.Reset()
		err := s.pub.Preview(&got, Result{
			Report: r, Annotations: annotation.Of(r, annotation.Options{}), Title: "none", Summary: "# summary\n", CheckSummary: "check",
			Comment: "one\ntwo",
		})
		if err != nil {
			t.Fatal(err)
		}
		golden(t, fmt.Sprintf("testdata/preview_%s.txt", mode), got.String())
	}
	s.pub.Inputs.CheckName = ""
	got.Reset()
	if err := s.pub.Preview(&got, Result{Report: r}); err != nil || !strings.HasPrefix(got.String(), "check run: none\n") {
		t.Errorf("without a check run: %q, %v", got.String(), err)
	}
}
