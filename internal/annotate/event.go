package annotate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/baseline"
)

// Event is the event that a workflow runs for, from the environment and the event's payload. Invalid hashes and names of
// repositories are left out, because they become parts of addresses.
type Event struct {
	Name        string // pull_request, push, …
	Owner, Repo string
	Workspace   string // folder

	// SHA is the commit that the workflow runs for: on pull_request the merge commit.
	SHA string
	// HeadSHA is the commit to annotate: the head of the pull request, merge group or other workflow; otherwise SHA.
	HeadSHA string
	// BaseSHA is the base that the event names, which for a pull request is often hours old; "" if it names none.
	BaseSHA string
	// Before is the commit that a push replaced: all zeros for a new branch; "" for other events.
	Before string

	Number   int    // number of the pull request; 0 if there is none, or it is not known yet (see ForPullRequest)
	HeadRepo string // owner/name of the head's repository; "" if it is gone or unknown
	Fork     bool   // the head is in another repository, or in a repository that is gone

	HeadBranch    string // branch of a workflow_run, in HeadRepo; otherwise ""
	DefaultBranch string // default branch of the repository; "" if unknown

	// ForPullRequest means that there is a pull request. Under workflow_run its number must be looked up.
	ForPullRequest bool

	Workflow, Job     string
	RunID, RunAttempt int64

	APIURL, ServerURL string // without a slash at the end
}

// Names of the events with special treatment.
const (
	pullRequest       = "pull_request"
	pullRequestTarget = "pull_request_target"
	mergeGroup        = "merge_group"
	push              = "push"
	workflowRun       = "workflow_run"
)

// Privileged reports whether the event gives the rights of the base repository to a change that anybody may have made. Files of
// the head are then not checked out; they are read through the API, and nothing in them is started.
func (e Event) Privileged() bool { return e.Name == workflowRun || e.Name == pullRequestTarget }

// Change returns the commits whose checkout contains the change that the workflow runs for. There are none if the event is not
// about a change, such as a schedule, or if the change is not checked out.
func (e Event) Change() []string {
	switch e.Name {
	case pullRequest, mergeGroup, push:
		commits := []string{e.SHA, e.HeadSHA}
		return slices.Compact(slices.DeleteFunc(commits, func(sha string) bool { return sha == "" }))
	}
	return nil
}

// RunURL returns the address of the workflow's run, which shows its job summary.
func (e Event) RunURL() string {
	if e.RunID == 0 {
		return ""
	}
	return fmt.Sprintf("%s/%s/%s/actions/runs/%d/attempts/%d", e.ServerURL, e.Owner, e.Repo, e.RunID, max(e.RunAttempt, 1))
}

// ReadEvent reads the event from the environment of an action and from the file that it names. The error joins all mistakes;
// the event has the values that could be read.
func ReadEvent(getenv func(string) string) (Event, error) {
	r := eventReader{getenv: getenv}
	e := Event{
		Name:       getenv("GITHUB_EVENT_NAME"),
		Workspace:  getenv("GITHUB_WORKSPACE"),
		SHA:        r.sha("GITHUB_SHA"),
		Workflow:   getenv("GITHUB_WORKFLOW"),
		Job:        getenv("GITHUB_JOB"),
		RunID:      r.number("GITHUB_RUN_ID"),
		RunAttempt: r.number("GITHUB_RUN_ATTEMPT"),
		APIURL:     r.address("GITHUB_API_URL", "https://api.github.com"),
		ServerURL:  r.address("GITHUB_SERVER_URL", "https://github.com"),
	}
	if full := getenv("GITHUB_REPOSITORY"); isRepoName(full) {
		e.Owner, e.Repo, _ = strings.Cut(full, "/")
	} else if full != "" {
		r.addMistake("GITHUB_REPOSITORY", "owner/name", full)
	}
	e.HeadSHA = e.SHA
	if file := getenv("GITHUB_EVENT_PATH"); file != "" {
		p, err := readPayload(file)
		r.errs = append(r.errs, err)
		e.setCommits(p)
	}
	return e, errors.Join(r.errs...)
}

type eventReader struct {
	getenv func(string) string
	errs   []error
}

func (r *eventReader) addMistake(name, expected, found string) {
	r.errs = append(r.errs, fmt.Errorf("%s must be %s, found %q", name, expected, clip(found, maxQuoted)))
}

func (r *eventReader) sha(name string) string {
	value := r.getenv(name)
	if value != "" && !baseline.IsSHA(value) {
		r.addMistake(name, "the SHA of a commit", value)
		return ""
	}
	return value
}

func (r *eventReader) number(name string) int64 {
	value := r.getenv(name)
	if value == "" {
		return 0
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 0 {
		r.addMistake(name, "a whole number", value)
		return 0
	}
	return n
}

func (r *eventReader) address(name, def string) string {
	value := strings.TrimRight(r.getenv(name), "/")
	if value == "" {
		return def
	}
	if _, err := parseAddress(value); err != nil {
		r.addMistake(name, "the address of a server", value)
		return def
	}
	return value
}

// parseAddress accepts http and https addresses of a host, without user, query and fragment.
func parseAddress(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%q is not the address of a server", address)
	}
	return u, nil
}

// setCommits sets the fields about the base and the head. Each kind of event has them at another place in the payload.
func (e *Event) setCommits(p payload) {
	e.DefaultBranch = p.Repository.DefaultBranch
	switch e.Name {
	case pullRequest, pullRequestTarget:
		pr := p.PullRequest
		e.ForPullRequest = true
		e.Number = max(pr.Number, 0)
		e.BaseSHA = checkedSHA(pr.Base.SHA)
		e.setHead(pr.Head.SHA, pr.Head.Repo.FullName)
	case mergeGroup:
		e.BaseSHA = checkedSHA(p.MergeGroup.BaseSHA)
		e.setHead(p.MergeGroup.HeadSHA, e.Owner+"/"+e.Repo)
	case push:
		e.Before = checkedSHA(p.Before) // all zeros are kept, too: they mean that the branch is new
	case workflowRun:
		// workflow_run.pull_requests is empty for forks, and its content is not trustworthy: the number is looked up.
		run := p.WorkflowRun
		e.ForPullRequest = run.Event == pullRequest || run.Event == pullRequestTarget
		e.HeadBranch = run.HeadBranch
		e.setHead(run.HeadSHA, run.HeadRepository.FullName)
	}
}

func (e *Event) setHead(sha, repo string) {
	e.HeadSHA = cmp.Or(checkedSHA(sha), e.HeadSHA)
	if isRepoName(repo) {
		e.HeadRepo = repo
	}
	e.Fork = !strings.EqualFold(e.HeadRepo, e.Owner+"/"+e.Repo)
}

// payload has the values that are read from an event's payload. A missing or null value, or one of another type, is left out.
type payload struct {
	Before      string
	Repository  repository
	PullRequest struct {
		Number     int
		Base, Head struct {
			SHA  string
			Repo repository
		}
	} `json:"pull_request"`
	MergeGroup struct {
		BaseSHA string `json:"base_sha"`
		HeadSHA string `json:"head_sha"`
	} `json:"merge_group"`
	WorkflowRun struct {
		Event          string
		HeadBranch     string     `json:"head_branch"`
		HeadSHA        string     `json:"head_sha"`
		HeadRepository repository `json:"head_repository"`
	} `json:"workflow_run"`
}

type repository struct {
	FullName      string `json:"full_name"`
	DefaultBranch string `json:"default_branch"`
}

func readPayload(name string) (payload, error) {
	var p payload
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	if field, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && field.Field != "" {
		err = nil // one value has a wrong type, but the other values were read
	}
	if err != nil {
		return payload{}, fmt.Errorf("read the event's payload: %w", err)
	}
	return p, nil
}

// repoName matches owner/name. Neither part may be one or two dots, because the name becomes part of a path.
var repoName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*/([A-Za-z0-9_-]|\.[A-Za-z0-9_-]|\.\.[A-Za-z0-9_.-])[A-Za-z0-9_.-]*$`)

// maxRepoName is more than GitHub allows, which is 39 characters for an owner and 100 for a name.
const maxRepoName = 200

func isRepoName(s string) bool { return len(s) <= maxRepoName && repoName.MatchString(s) }
