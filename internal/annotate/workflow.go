package annotate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
)

// MaxWorkflow bounds the size of a workflow's file, in bytes.
const MaxWorkflow = 1 << 20

// maxShown bounds the part of a setting that is shown, in bytes.
const maxShown = 300

// WorkflowFile returns the path of the file of the running workflow, from GITHUB_WORKFLOW_REF: owner/repo/PATH@REF. It is "" if
// the change cannot have edited that file: under a privileged event, which runs the base's file, and for the required workflow
// of a ruleset, which is in another repository.
func (e Event) WorkflowFile(getenv func(string) string) string {
	file, ours := strings.CutPrefix(getenv("GITHUB_WORKFLOW_REF"), e.Owner+"/"+e.Repo+"/")
	file, _, _ = strings.Cut(file, "@")
	if !ours || e.Owner == "" || e.Privileged() || path.Dir(file) != ".github/workflows" {
		return ""
	}
	return file
}

// WorkflowChanges compares two copies of a workflow's file, and returns the changes in settings that decide what is judged and
// what is tolerated: settings of jobs, of the steps that use this action, and of their checkouts. action is the owner/name of
// the action's repository, "" if unknown. An expression is compared as text, and a missing input as its default. Jobs and steps
// that the head adds do not count, except checkouts in a job that uses the action in the base. The list has the order of the base's
// file, by setting, and then the added checkouts.
func WorkflowChanges(file string, base, head []byte, action string) []report.Weakening {
	if bytes.Equal(base, head) {
		return nil
	}
	baseParts, baseErr := readWorkflow(file, base, action)
	headParts, headErr := readWorkflow(file, head, action)
	if err := cmp.Or(baseErr, headErr); err != nil {
		return []report.Weakening{workflowWeakening(file, "cannot be compared: "+clip(err.Error(), maxShown))}
	}
	baseByName, headByName := byName(baseParts), byName(headParts)
	var list []report.Weakening
	for _, was := range baseParts {
		_, jobRemains := headByName[was.job]
		isStepOfRemovedJob := !jobRemains && was.name != was.job // such steps are not listed one by one
		if was.jobUsesAction && !isStepOfRemovedJob {
			list = append(list, was.changes(file, headByName)...)
		}
	}
	for _, is := range headParts {
		_, isOld := baseByName[is.name]
		if is.checkout && !isOld && baseByName[is.job].jobUsesAction {
			added := workflowChange(file, "step", is.line) // the last checkout decides what is in the workspace
			added.Head = report.Optional(clip(is.name, maxShown))
			list = append(list, added)
		}
	}
	return list
}

func byName(parts []part) map[string]part {
	all := map[string]part{}
	for _, p := range parts {
		all[p.name] = p
	}
	return all
}

// NewWorkflow returns the change of a workflow whose file the base lacks.
func NewWorkflow(file string) report.Weakening {
	return workflowWeakening(file, "is new in this change")
}

// workflowWeakening returns the weakening for a whole file. now says what is different at the head, after the name of the workflow.
func workflowWeakening(file, now string) report.Weakening {
	change := workflowChange(file, report.WholeWorkflow, 1)
	change.Head = report.Optional(now)
	return change
}

// workflowChange returns the weakening for a part of a file, which has the key.
func workflowChange(file, key string, line int) report.Weakening {
	return report.Weakening{Kind: report.WorkflowChanged, Suite: file, Name: path.Base(file), Key: key, Line: line, ToldOnly: true}
}

// part is a job, a step that uses the action, or a step that checks out files that the action judges.
type part struct {
	name, job     string // job is the name of the job that contains the part; for a job, its own name
	line          int
	jobUsesAction bool // a step of the job uses the action
	checkout      bool // the part is a step that checks out files
	settings      map[string]setting
}

type setting struct {
	text string // its value, or the JSON of a list or a map
	line int    // 0 if the setting is absent
}

// changes returns the weakenings of a job or a step of the base: one if the head lacks the part, otherwise one for each changed
// setting. now has the head's parts by name.
func (p part) changes(file string, now map[string]part) []report.Weakening {
	head, there := now[p.name]
	if !there {
		gone := workflowChange(file, "job", 1)
		if p.name != p.job {
			gone = workflowChange(file, "step", now[p.job].line)
		}
		gone.Base = report.Optional(clip(p.name, maxShown))
		return []report.Weakening{gone}
	}
	keys := slices.AppendSeq(slices.Collect(maps.Keys(p.settings)), maps.Keys(head.settings))
	slices.Sort(keys)
	var list []report.Weakening
	for _, key := range slices.Compact(keys) {
		was, is := p.settings[key], head.settings[key]
		if cmp.Or(was.text, defaultOf(key)) == cmp.Or(is.text, defaultOf(key)) {
			continue
		}
		list = append(list, report.Weakening{
			Kind: report.WorkflowChanged, Suite: file, Name: p.name, Key: key, Line: cmp.Or(is.line, head.line),
			Base: report.Optional(clip(was.text, maxShown)), Head: report.Optional(clip(is.text, maxShown)), ToldOnly: true,
		})
	}
	return list
}

// defaultOf returns the value that an absent setting has.
func defaultOf(key string) string {
	if i := slices.IndexFunc(InputTable, func(in Input) bool { return in.Name == key }); i >= 0 {
		return InputTable[i].Default
	}
	return otherDefaults[key]
}

// otherDefaults are the values of absent settings that are no inputs of the action.
var otherDefaults = map[string]string{
	"continue-on-error": "false", "submodules": "false", "path": ".", "repository": "${{ github.repository }}",
}

func affectsVerdict(input string) bool {
	inputs := []string{"suite", "filter", "tags", "mode", "working-directory", "baseline", "gates-from", "live-from", "affected"}
	return slices.Contains(inputs, input) || strings.HasPrefix(input, "fail-on")
}

// placesFiles reports whether an input of a checkout affects the files in the workspace.
func placesFiles(input string) bool {
	return slices.Contains([]string{"ref", "repository", "path", "submodules", "sparse-checkout"}, input)
}

// readWorkflow returns the jobs of a workflow, each followed by its steps that use the action and by its checkouts.
func readWorkflow(file string, data []byte, action string) ([]part, error) {
	if len(data) > MaxWorkflow {
		return nil, fmt.Errorf("it has more than %d bytes", MaxWorkflow)
	}
	var errs source.Errors
	workflow := yamlread.Parse(file, data, &errs)
	if err := errs.Err(); err != nil {
		return nil, errs[0]
	}
	var parts []part
	jobs := mapAt(workflow, "jobs")
	for _, entry := range jobs.Entries() {
		if entry.Value.Kind() != yamlread.MapKind {
			continue
		}
		job, _ := entry.Value.Map()
		name := "job " + entry.Key.Value
		steps := stepsOf(job, name, action)
		settings := settingsOf(job, "continue-on-error", "if")
		uses := slices.ContainsFunc(steps, func(step part) bool { return !step.checkout })
		parts = append(parts, part{name: name, job: name, line: entry.Key.Pos.Line, jobUsesAction: uses, settings: settings})
		for _, step := range steps {
			step.jobUsesAction = uses
			parts = append(parts, step)
		}
	}
	return parts, nil
}

// stepsOf returns the steps of a job that use the action or check something out. A step is identified by its id, otherwise by
// its name, otherwise as a step of this action or a checkout; several equal steps are numbered.
func stepsOf(job *yamlread.Map, name, action string) []part {
	list, ok := job.Value("steps")
	if !ok || list.Kind() != yamlread.ListKind {
		return nil
	}
	var steps []part
	seen := map[string]int{}
	for _, value := range list.List() {
		if value.Kind() != yamlread.MapKind {
			continue
		}
		step, _ := value.Map()
		uses := settingAt(step, "uses").text
		isOwn := isAction(uses, action)
		isCheckout := !isOwn && isCheckoutAction(uses)
		if !isOwn && !isCheckout {
			continue
		}
		kind, isCompared := "with this action", affectsVerdict
		if isCheckout {
			kind, isCompared = "with a checkout", placesFiles
		}
		title := name + ", step " + cmp.Or(settingAt(step, "id").text, settingAt(step, "name").text, kind)
		seen[title]++
		if n := seen[title]; n > 1 {
			title += fmt.Sprintf(" (%d)", n)
		}
		steps = append(steps, part{name: title, job: name, line: value.Pos().Line, checkout: isCheckout, settings: stepSettings(step, isCompared)})
	}
	return steps
}

// isCheckoutAction reports whether the value of a uses: key names GitHub's checkout action or a copy of it.
func isCheckoutAction(uses string) bool {
	from, _, _ := strings.Cut(uses, "@")
	return strings.EqualFold(path.Base(from), "checkout")
}

func stepSettings(step *yamlread.Map, isCompared func(input string) bool) map[string]setting {
	settings := settingsOf(step, "continue-on-error", "if")
	uses := settingAt(step, "uses")
	uses.text, _, _ = strings.Cut(uses.text, "@") // a new version of an action is not reported
	settings["uses"] = uses
	given := mapAt(step, "with")
	for _, input := range given.Entries() {
		// GitHub ignores the case of an input's name.
		if key := strings.ToLower(input.Key.Value); isCompared(key) {
			settings[key] = readSetting(input.Value)
		}
	}
	return settings
}

// ownImage matches the name of an image of the action, after the registry and before tag and digest.
var ownImage = regexp.MustCompile(`/mcp-gates(-full)?([:@]|$)`)

// isAction reports whether the value of a uses: key names this action: in its repository, in a repository called mcp-gates (a
// fork), in the workspace, or as an image.
func isAction(uses, action string) bool {
	if image, ok := strings.CutPrefix(uses, "docker://"); ok {
		return ownImage.MatchString(image)
	}
	from, _, _ := strings.Cut(uses, "@")
	from = strings.TrimSuffix(strings.TrimSuffix(from, "/"), "/full")
	return from == "." || action != "" && strings.EqualFold(from, action) || strings.EqualFold(path.Base(from), "mcp-gates")
}

func settingsOf(m *yamlread.Map, keys ...string) map[string]setting {
	settings := map[string]setting{}
	for _, key := range keys {
		if found := settingAt(m, key); found.line > 0 {
			settings[key] = found
		}
	}
	return settings
}

func settingAt(m *yamlread.Map, key string) setting {
	value, ok := m.Value(key)
	if !ok {
		return setting{}
	}
	return readSetting(value)
}

func readSetting(value yamlread.Value) setting {
	if kind := value.Kind(); kind != yamlread.ListKind && kind != yamlread.MapKind {
		return setting{value.Text(), value.Pos().Line}
	}
	content, _ := value.JSON()
	text, _ := json.Marshal(content) // the content was read from JSON
	return setting{string(text), value.Pos().Line}
}

// mapAt returns the map at a key; nil, which has no entries, if there is none.
func mapAt(m *yamlread.Map, key string) *yamlread.Map {
	if value, ok := m.Value(key); ok && value.Kind() == yamlread.MapKind {
		inner, _ := value.Map()
		return inner
	}
	return nil
}
