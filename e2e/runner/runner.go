// Package runner stands in for the machine that runs a workflow: like GitHub's runner, it gives a container action its environment,
// and reads the action's output and the files that the action wrote.
package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"
)

// Job is one use of the action in a job of a workflow.
type Job struct {
	Action  *Action
	Program string   // path of the binary
	Args    []string // after "action"

	Event      string
	Payload    any
	Repository string // owner/name
	SHA        string
	Ref        string
	HeadRef    string // branch of a pull request
	BaseRef    string
	Actor      string
	Workflow   string // "" for mcp-gates
	Name       string // id of the job; "" for gates
	RunID      int64
	Attempt    int
	Matrix     any // nil without one
	Inputs     map[string]string
	Env        map[string]string // of the step, besides its inputs
	Token      string            // value of github.token
	Workspace  string            // folder that is mounted

	APIURL, ServerURL, GraphQLURL string

	WithoutGit bool   // as in the default image, which contains only the program
	Programs   string // additional folders of PATH
	// Signals are sent after SignalAt is closed, each after its own delay.
	Signals  []Signal
	SignalAt <-chan struct{}
}

// Signal is a signal to a step.
type Signal struct {
	Signal os.Signal
	After  time.Duration // time after Job.SignalAt was closed
}

// Cancellation has the signals by which GitHub ends a cancelled step: SIGINT, after 7.5 seconds SIGTERM, and 2.5 seconds later
// SIGKILL. https://docs.github.com/en/actions/reference/workflow-cancellation-reference
var Cancellation = []Signal{{os.Interrupt, 0}, {syscall.SIGTERM, 7500 * time.Millisecond}, {os.Kill, 10 * time.Second}}

// Killed is the exit status of a step that was killed.
const Killed = -1

// Step is the result of a step.
type Step struct {
	Exit     int
	Log      string
	Plain    []string // lines of the log that are not commands
	Commands []Command
	Outputs  map[string]string
	Summary  string // as GitHub shows it
	// Problems are the mistakes that the runner finds. Each fails the step, even with exit status 0, or loses a part of the output.
	Problems []string
	CPU      time.Duration
	Elapsed  time.Duration
	Lingered time.Duration // from the first signal to the end; 0 without one
}

// Limits of the runner.
const (
	perLevel   = 10   // annotations of a step that are shown, for each level
	maxMessage = 4096 // characters of an annotation that are shown
)

// Run runs the job's step. It returns an error only if it could not run the step or read its files.
func Run(ctx context.Context, job Job) (*Step, error) {
	temp, err := os.MkdirTemp("", "runner")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	files, err := prepare(temp, job)
	if err != nil {
		return nil, err
	}
	env, err := job.environment(files)
	if err != nil {
		return nil, err
	}
	step, err := job.start(ctx, env)
	if err != nil {
		return nil, err
	}
	return step, step.read(files)
}

// files are the paths of the files and folders that a step gets.
type files struct{ home, event, output, summary, path string }

func prepare(temp string, job Job) (files, error) {
	f := files{
		home: filepath.Join(temp, "home"), event: filepath.Join(temp, "event.json"),
		output: filepath.Join(temp, "output"), summary: filepath.Join(temp, "summary"), path: filepath.Join(temp, "bin"),
	}
	payload, err := json.Marshal(job.Payload)
	if err != nil {
		return f, err
	}
	return f, errors.Join(
		os.Mkdir(f.home, 0o755), os.Mkdir(f.path, 0o755), os.WriteFile(f.event, payload, 0o644),
		os.WriteFile(f.output, nil, 0o644), os.WriteFile(f.summary, nil, 0o644))
}

// environment returns the whole environment of the container. It passes on only PATH of this process.
func (j Job) environment(f files) ([]string, error) {
	env, err := j.Action.environment(j.Inputs, j.Token, j.Matrix)
	if err != nil {
		return nil, err
	}
	path := os.Getenv("PATH")
	if j.WithoutGit {
		path = f.path
	}
	if j.Programs != "" {
		path += string(os.PathListSeparator) + j.Programs
	}
	for name, value := range j.Env {
		env = append(env, name+"="+value)
	}
	for name, value := range map[string]string{
		"PATH": path, "HOME": f.home, "CI": "true", "GITHUB_ACTIONS": "true", "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64",
		"GITHUB_EVENT_NAME": j.Event, "GITHUB_EVENT_PATH": f.event, "GITHUB_OUTPUT": f.output,
		"GITHUB_STEP_SUMMARY": f.summary, "GITHUB_WORKSPACE": j.Workspace, "GITHUB_REPOSITORY": j.Repository,
		"GITHUB_SHA": j.SHA, "GITHUB_REF": j.Ref, "GITHUB_HEAD_REF": j.HeadRef, "GITHUB_BASE_REF": j.BaseRef,
		"GITHUB_ACTOR": orDefault(j.Actor, "octocat"), "GITHUB_WORKFLOW": orDefault(j.Workflow, "mcp-gates"),
		"GITHUB_JOB": orDefault(j.Name, "gates"), "GITHUB_RUN_ID": fmt.Sprint(max(j.RunID, 1)),
		"GITHUB_RUN_ATTEMPT": fmt.Sprint(max(j.Attempt, 1)), "GITHUB_RUN_NUMBER": "1", "GITHUB_ACTION": "__org_mcp-gates",
		"GITHUB_API_URL": j.APIURL, "GITHUB_SERVER_URL": j.ServerURL, "GITHUB_GRAPHQL_URL": j.GraphQLURL,
		"ACTIONS_RUNTIME_TOKEN": "runtime-secret", "ACTIONS_CACHE_URL": "http://127.0.0.1:9/",
	} {
		env = append(env, name+"="+value)
	}
	return env, nil
}

func orDefault(value, def string) string {
	if value == "" {
		return def
	}
	return value
}

// output collects both streams of a program. The runner reads each stream line by line.
type output struct {
	mu   sync.Mutex
	both bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.both.Write(p)
}

func (j Job) start(ctx context.Context, env []string) (*Step, error) {
	cmd := exec.CommandContext(ctx, j.Program, append([]string{"action"}, j.Args...)...)
	cmd.Dir, cmd.Env = j.Workspace, env
	var out output
	cmd.Stdout, cmd.Stderr = &out, &out
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended, signalled := make(chan struct{}), make(chan time.Time, 1)
	go j.sendSignals(cmd.Process, signalled, ended)
	err := cmd.Wait()
	end := time.Now()
	close(ended)
	lingered := time.Duration(0)
	if at, ok := <-signalled; ok {
		lingered = end.Sub(at)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	return &Step{
		Exit: cmd.ProcessState.ExitCode(), Log: out.both.String(), Elapsed: end.Sub(begin), Lingered: lingered,
		CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(),
	}, nil
}

// sendSignals sends the job's signals until the program has ended. It sends the time from which their delays count to begun, and
// closes begun.
func (j Job) sendSignals(p *os.Process, begun chan<- time.Time, ended <-chan struct{}) {
	defer close(begun)
	if len(j.Signals) == 0 {
		return
	}
	select {
	case <-j.SignalAt:
	case <-ended:
		return
	}
	begin := time.Now()
	begun <- begin
	for _, s := range j.Signals {
		select {
		case <-time.After(s.After - time.Since(begin)):
			p.Signal(s.Signal) // fails if the program has just ended
		case <-ended:
			return
		}
	}
}

// read reads the log and the files of the step, whatever its exit status is.
func (s *Step) read(f files) error {
	s.Commands, s.Plain = ReadLog(s.Log)
	s.checkCommands()
	text, err := readFile(f.output)
	if err != nil {
		return err
	}
	if s.Outputs, err = readOutputs(text); err != nil {
		s.Problems = append(s.Problems, "outputs: "+err.Error())
	}
	if s.Summary, err = readFile(f.summary); err != nil {
		return err
	}
	if len(s.Summary) > maxSummary {
		s.Problems = append(s.Problems, fmt.Sprintf("the summary has %d bytes and is not shown", len(s.Summary)))
	}
	return nil
}

// checkCommands notes commands that an action should not print, and annotations that the runner cuts or does not show.
func (s *Step) checkCommands() {
	count := map[string]int{}
	for _, c := range s.Commands {
		switch c.Name {
		case "error", "warning", "notice":
			if count[c.Name]++; count[c.Name] == perLevel+1 {
				s.Problems = append(s.Problems, "more than 10 annotations: "+c.Name)
			}
			if n := utf8.RuneCountInString(c.Data); n > maxMessage {
				s.Problems = append(s.Problems, fmt.Sprintf("an annotation of %d characters is cut", n))
			}
		case "group", "endgroup", "debug", "add-mask":
		default:
			s.Problems = append(s.Problems, "the command "+c.Name)
		}
	}
}

// Annotations returns the annotations that the step made with commands, as "level title: message".
func (s *Step) Annotations() []string {
	var list []string
	for _, c := range s.Commands {
		switch c.Name {
		case "error", "warning", "notice":
			list = append(list, c.Name+" "+c.Properties["title"]+": "+c.Data)
		}
	}
	return list
}
